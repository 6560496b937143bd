"""Templates that join clauses, ask, order and exclaim, and that put something before the subject."""

TEMPLATES = {
    "relative who": """
the {n_person} who lives {at_home} opened the door|{S} met a {n_person} who had {number} {ANIMAL.s}|{L} {L.past}
the boy who broke the window ran {to}|the girl who sits next to me can {F.base}
the people who live here are very {feeling}
do you know the {n_person} who is standing {where}?|the man who sold me the {THING.n} was very {feeling}
{L} {L.is} {very} {feeling}
the children who came late had to {E.base}|{S} {S.is} the one who {H.past}
the {n_person} who helped us lives {at_home}
anyone who works hard can {H.base}|the {n_person} we met {past_time} lives {at_home}
""",
    "relative that, which": """
the {THING.n} that {S} bought {past_time} is {THING.adj}|the {ANIMAL.n} that lives {at_home} is {ANIMAL.adj}
{S} lost the {THING.n} that {O} gave {S.him}|the {Food.n} which {S} ate {past_time} was {Food.adj}
this is the {PLACE.n} that {S} told you about
the {THING.n} {S} found {on} belongs to {pos} {relative}|the house that stands on the hill has a {colour} roof
the {ANIMAL.n} that bit {S.him} ran {to}|everything that {S} said was true
the bus that stops here goes to the {n_place}
the {THING.n} which was {on} is gone now|all that {S} wanted was {container}
""",
    "relative where, whose, when": """
the {PLACE.n} where {S} {S.v_live} is very {PLACE.adj}|this is the {PLACE.n} where {S} {S.past}
the {PLACE.n} where we met was {PLACE.adj}
{S} remembered the day when {O} {O.past}|the {n_person} whose {THING.n} was lost began to cry
the shop where {S} bought the {THING.n} is closed
the girl whose {relative} works at the station can {F.base}|there is a place where the {ANIMAL.s} sleep at night
the {PLACE.n} where {S} {S.v_work} is near the {PLACE2.n}
{S} went back to the {PLACE.n} where {S.he} had left {S.his} {THING.n}
""",
    "long subject": """
{L} {L.past} {past_time}|{L} {L.now} {present_time}|{L} {L.is} {L.ing}|{L} {L.has} {L.done}
{L} will {L.base} {future_time}
the {THING.s} {on} are {THING.adj}|the {ANIMAL.s} near the {PLACE.n} are {ANIMAL.adj}
the door of the {PLACE.n} opened slowly
the man and his wife live {at_home}|{N}, who was very {feeling}, sat down {where}|the key to the {PLACE.n} was {on}
the top of the mountain is white with snow|{pos} {relative} and {pos} {relative} went {to}
the smell of the {Food.n} filled the room
""",
    "time first": """
{fronted}, {S} {S.past}|{fronted} {S} {S.past}|{fronted} the {n_person} opened the door|{fronted}, {A} {A.past}
{fronted} {L} {L.past}|{fronted} {T} {T.past}|{fronted}, {L} {L.past}|{fronted}, {T} {T.past}|{fronted} {A} {A.past}
{fronted} {P} {P.past}|{fronted}, {P} {P.past}|{fronted} {N} {N.past}|{fronted} {S} saw {A} {where}
""",
    "place first": """
on the table there was {container}|near the {PLACE.n} {S} saw a {adj_small} {ANIMAL.n}|under the tree sat {A}
outside, {T} {T.past}
{where} there lived a {adj_feeling} {n_person}|near the {PLACE.n} there is a {adj_small} {PLACE2.n}
near the {PLACE.n}, {S} {S.past}
{where} stood a {adj_small} {PLACE.n}|down the road came a {n_person} with {number} {ANIMAL.s}|here {A.v_come} {A}
in the box there were {number} {THING.s}
in the middle of the room stood a big {colour} chair|behind the door there was {A}
""",
    "indirect question": """
{S} asked {O.him} where the {PLACE.n} was|do you know why {O} {O.past}?|{S} {S.v_wonder} why {O} {O.past}
{S} did not know where {S.he} {S.was}
{S} {S.v_know} how to {S.base}|tell me why {O} {O.past}|{S} asked if {O} could {O.base}
{S} wondered whether {O} would {O.base}
can you tell me how old {O} {O.is}?|{S} wanted to know who had {H.done}
{S} did not remember where {S.he} had put the {THING.n}
{S} asked how {O} {O.past}|nobody knows when {O} will {O.base}|{S} told us what {S.he} had seen {where}
{S} {S.do} not know if {O} {O.has} {O.done}
{S} asked what the {n_person} wanted|{S} could not understand what {O} said|I wonder how many {people} live {at_home}
do you remember which {THING.n} {O} bought?|ask {O.him} what time it is|{S} asked whether the {Food.n} was {Food.adj}
""",
    "that clause": """
{S} said that {O} {O.past}|{S} {S.v_think} that {O} {O.past}|{S} knew that {O} had {O.done}
{S} told {O.him} that the {Food.n} was {Food.adj}
{S} hoped that {O} would {O.base}|it is true that {O} {O.past}|{S} {S.was} sure that {O} would {O.base}
{S} saw that the door was open
{S} {S.v_think} {O} {O.is} {feeling}|{S} forgot that {O} {O.was} {where}|it was clear that {O} {O.was} {feeling}
{S} {S.was} glad that {O} {O.past}
""",
    "because, so, although": """
{S} {S.was} {feeling} because {O} {O.past}|{T} {T.past}, so {S} {S.past}
although {S} {S.was} {feeling}, {S.he} {S.past}
{S} {S.past} because {S.he} {S.was} {feeling}|{S} {S.was} {feeling}, so {S.he} {S.past}
{S} {S.was} {feeling}, but {S.he} {S.past}
because it was raining, {S} {S.past}|it was {cold_adj} outside, so {S} {S.past}
{S} {S.was} so {feeling} that {S.he} {S.past}
the {Food.n} was too {Food.adj}, so {S} did not eat it|since it was late, {S} {S.past}
although it was late, {S} {S.past}
{S} could not {S.base} because the {ANIMAL.n} was {where}|{S} both {S.past} and {S.past}
""",
    "when, while, before, after, until": """
when {S} {S.past}, {O} {O.was} {O.ing}|while {S} {S.was} {S.ing}, {O} {O.past}|after {S} had {S.done}, {S.he} {S.past}
before {S} {S.v_go} to bed, {S.he} {S.now}|{S} waited until {O} {O.past}|{S} {S.past} before {O} {O.past}
as soon as {T} {T.past}, {S} {S.past}
{S} {S.past} while {O} {O.was} {O.ing}|when {A} {A.past}, the children laughed|{S} {S.past} after {O} had {O.done}
when {S} {S.was} young, {S.he} {S.past}|wait here until {O} {O.now}|when winter comes, {S} {S.now}
{S} had just sat down when {T} {T.past}
every time {S} {S.v_see} {A}, {S.he} {S.v_laugh} loudly|as {S} {S.was} walking {to}, {S.he} met {O.him} on the road
""",
    "conditional": """
if {S} {S.now}, {O} will {O.base}|{S} will {S.base} if {O} {O.now}|if it rains {future_time}, {S} will {S.base}
if {S} had more money, {S.he} would buy {a_thing}|if {S} had {S.done}, {O} would have been {feeling}
you can {Y.base} if you are not {feeling}
if you heat water, it gets hot|unless {S} {S.v_hurry}, {S.he} will miss the bus|if I were you, I would {I.base}
if you see {O.him}, tell {O.him} to come home
what would you do if {A} {A.past}?|{S} would be {feeling} if {O} {O.past}
if the {Food.n} is too {Food.adj}, do not eat it
""",
    "imperative": """
please {Y.base}|do not {Y.base}|never {Y.base} at night|let us {W.base} together|please give me {container}
come here and {Y.base}|be {kind_adj} to the {ANIMAL.s}|go and {Y.base}|don't be {feeling}, we will {W.base}
put the {THING.n} {on}, please
don't forget to {Y.base} before {meal}|take this {THING.n} {to}|sit down {where} and {Y.base}
hurry up or you will be late for {meal}
look at that {ANIMAL.adj} {ANIMAL.n}!|always {Y.base} {how}|turn left at the {PLACE.n}
open your books and read the first page
""",
    "tag": """
it is {cold_adj} today, isn't it?|you can {Y.base}, can't you?|{S} {S.past}, didn't {S.he}?
{S} won't {S.base}, will {S.he}?
{S} will {S.base}, won't {S.he}?|the {Food.n} is {Food.adj}, isn't it?|{S} did not {S.base}, did {S.he}?
there is enough {Drink.s}, isn't there?
you like {game}, don't you?|{S} can {S.base}, can't {S.he}?|these {THING.s} are {THING.adj}, aren't they?
let's {W.base}, shall we?
{N} was {where}, wasn't {N.he}?|{A} {A.past}, didn't {A.he}?|you have never {Y.done}, have you?
""",
    "exclamation": """
what a {Weather.adj} {Weather.n} it is!|what a {ANIMAL.adj} {ANIMAL.n} you have!
how {feeling} {S} {S.was} when {O} {O.past}!
what a {PLACE.adj} {PLACE.n} this is!|what {ANIMAL.adj} {ANIMAL.s} they are!|how kind of you to {Y.base}!
how {ANIMAL.adj} the {ANIMAL.n} is today!
what a {IDEA.adj} {IDEA.n} that was!|look how fast {S} can run!|what a lovely {THING.n} you bought {past_time}!
how quickly the time went!
what beautiful flowers are growing {where}!|what a {THING.adj} {THING.n} {S} {S.has}!
""",
    "there is": """
there is {A} {where}|there is {container} {on}|there are {number} {ANIMAL.s} {where}
there was a {n_person} {where} {past_time}
there were {number} {THING.s} {on}|is there a {PLACE.n} near here?
there is a {PLACE.n} between the {PLACE2.n} and the {PLACE3.n}
there was once a {adj_feeling} {n_person} who lived {at_home}|there will be a party {where} {future_time}
there has been an accident {where}
there was nothing {on} but {container}|there are {people} {where} who like {game}|are there any {THING.s} {on}?
""",
    "questions": """
where did {S} {S.base}?|why did {S} {S.base} {past_time}?|what did {S} buy {where}?|when will {S} {S.base}?
who {H.past}?
how did {S} {S.base} so {quickly}?|which {THING.n} do you like best?|did {S} {S.base} {past_time}?
does {N} {N.base} {present_time}?
{S.has} {S} ever {S.done}?|{S.is} {S} going to {S.base}?|can {S} {S.base}?|what colour is {pos} {THING.n}?
where does {N} live?
who is the {n_person} {where}?|what is {pos} {relative} doing {where}?|{S.was} {S} {feeling} when {O} {O.past}?
why {S.is} {S} so {feeling} today?
""",
}
