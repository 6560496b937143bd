"""Templates for noun phrases: determiners, quantities, owners, adjectives, degrees and adverbs."""

TEMPLATES = {
    "much, many": """
there was too much {Drink.s} in the cup|how many {THING.s} did you see {where}?
there were so many {people} {where} {past_time}
{S} did not have much {Drink.s} left in the bottle|there are not many {people} {where} {present_time}
how much {Drink.s} is there in the bottle?|how many {people} live in this village?
{S} ate too many {sweets} {past_time}
we do not have much time before the train leaves|many of the {people} live near the river
""",
    "few, little, several": """
a few {people} were waiting {where}|there is a little {Drink.s} left in the glass|few people live {at_home} in winter
several {people} came to the party {past_time}|{S} bought a few {THING.s} at the market
only a few of the {people} knew the answer
there was very little {Drink.s} in the bottle|{S} had several {THING.s} in the bag
very few {people} go there {present_time}
""",
    "any, some, no": """
{S} {S.do} not have any {THING.s}|is there any {Drink.s} in the kitchen?|there are no {THING.s} {on}
{S} gave the children some {Food.s} and some {Drink.s}|do you have any {THING.s} at home?
there is no {Drink.s} left {on}
{S} did not see any {people} {where}|would you like some {Drink.s} with your {meal}?
some of the {people} were very {feeling}
there was no one {where} {past_time}|are there any {ANIMAL.s} on the farm?|no {n_animal} can open a door
""",
    "enough": """
there is enough {Drink.s} for everyone|{S} did not have enough money for the {THING.n}
{S} {S.is} old enough to go to school alone
we have enough chairs for all the guests|the {THING.n} was not big enough for the {ANIMAL.n}
is there enough food for the {ANIMAL.s}?
the {PLACE.n} is big enough for a hundred people|{S} ran fast enough to catch the bus
""",
    "each, every, both": """
each child had {a_thing} in the bag|every {n_person} in the village gets up early|every boy wants {a_thing} like that
both children were {feeling} after the long walk|both of the {ANIMAL.s} slept {where}|each of us has {a_thing} at home
each of the children got {a_thing} for the trip|every morning {S} {S.now}|neither of them knew the answer
each {ANIMAL.n} has its own place in the barn|both my brothers play {game} {present_time}
""",
    "one of the, all of the": """
one of the {people} opened the door {how_do}|all of the {people} were {feeling} and went home
most of the {ANIMAL.s} are {ANIMAL.adj}
none of the {people} wanted to go {to}|two of the {ANIMAL.s} ran away {past_time}|one of my friends lives {at_home}
half of the {Food.s} was gone {past_time}|all of us like {game}|one of the {THING.s} is broken
one of her brothers works at the station|most of our friends came to the party {past_time}
all the {ANIMAL.s} {where} are {ANIMAL.adj}
""",
    "partitive": """
{S} drank {container} {where}|may I have {container}, please?|there was {container} {on}
{S} {S.v_want} {container} for {meal}
{S} brought {container} from the shop|{S} gave me {container} {past_time}|she put {container} on the table
he bought {container} and {container} at the market|would you like {container}?
""",
    "possessive": """
{pos} {THING.n} is {on}|{pos} {relative} lives {at_home}|that {ANIMAL.n} is not {S.mine}
the {THING.n} on the table is {S.mine}
{N}'s {CLOTHING.n} is {CLOTHING.adj}|whose {THING.n} is this?|is this {THING.n} yours or hers?
the {ANIMAL.n}'s tail is very long
the children's {ANIMAL.s} are {where}|{S} found the {n_person}'s {THING.n} {on}|a friend of mine lives {at_home}
the boy's mother and the girl's mother are good friends|the girls' room is next to the boys' room
the roof of the {PLACE.n} is {colour}|the end of the story was very sad
the gate of the {PLACE.n} was open all night
""",
    "adjective order": """
{S} saw a big {colour} {ANIMAL.n} {where}|she wore a long {colour} dress to the party
there was a small old house {where}
a little {colour} bird sat {where}|he has two big {colour} {THING.s}|it was a beautiful old {PLACE.n} near the sea
the poor old man lived alone {at_home}|a tall young man opened the door|{S} bought a nice new {colour} {CLOTHING.n}
the {adj_feeling} little boy sat {where}|a large wooden box stood {where}
""",
    "very + adjective": """
the {Food.n} was {very} {Food.adj}|the {PLACE.n} is {very} {PLACE.adj} in the evening
{S} {S.was} {very} {feeling} after the long walk
this {THING.n} is {very} {THING.adj}|it is {very} {cold_adj} today
the {ANIMAL.n} is {very} {ANIMAL.adj} but {ANIMAL.other}
the {IDEA.n} was {very} {IDEA.adj} for the children|my {relative} is {deg} {feeling} today
the water was much too cold for us
{S} {S.was} {very} late this morning|{S} {S.was} so {feeling} {past_time}
""",
    "very + adverb": """
{S} walked {very} slowly {to}|{N} spoke {deg} quietly to the {ANIMAL.n}|{S} ran {deg} fast {past_time}
she sings {deg} well
{S} {S.v_work} {deg} hard {present_time}|the {n_person} opened the box {deg} carefully|he came {deg} late to {meal}
{S} ate the {Food.n} {deg} quickly and left|the time went {deg} slowly {past_time}
do not drive {deg} fast in the village
""",
    "manner adverb": """
{S} opened the door {ly}|{S} {ly} closed the window|{S} walked {to} {how}|{ly}, {S} {S.past}|{L} walked {how_go} {to}
the {ANIMAL.n} ran {how_go} {to}|{S} answered the question {how_do}|the {n_person} {ly} picked up the {THING.n}
{S} carried the {THING.n} {how_do} {to}|slowly the {n_person} walked {to}|the sun shone brightly {past_time}
{S} put the {THING.n} {how_do} {on}|{S} read the letter {how_do} and smiled|the old man was walking {how_go} {to}
""",
    "frequency adverb": """
{S} {often} {S.now}|{L} {often} {L.now}|{S} {S.is} {often} {feeling} {present_time}|{A} {often} {A.now}
how often do you {Y.base}?|{S} {S.has} never {S.done}|sometimes {S} {S.now}|do you often eat {Food.s} for {meal}?
""",
    "comparative": """
the {ANIMAL.n} is {ANIMAL.more} than the {ANIMAL2.n}|the {PLACE.n} is {PLACE.more} than the {PLACE2.n}
this {THING.n} is {THING.more} than that one|{S} {S.is} {taller} than {pos} {relative}
it is {colder} today than yesterday
the {ANIMAL.n} runs faster than the {ANIMAL2.n}|{S} {S.has} more {THING.s} than {N}
there is less {Drink.s} in this cup
{N} can run faster than {pos} {relative}|{S} {S.was} {taller} than all the other children
the days are getting longer and longer
the {Food.n} is not as {Food.adj} as the {Food2.n}|{S} {S.is} as tall as {N}
the more you practise, the better you play
{N} works harder than {pos} {relative}|my {CLOTHING.n} is much {CLOTHING.more} than yours
""",
    "superlative": """
this is the {THING.most} {THING.n} in the shop|{N} is the {tallest} child in the class
it was the {Weather.most} {Weather.n} of the year
that is the {PLACE.most} {PLACE.n} in the country|the {ANIMAL.n} is the {ANIMAL.most} of all the animals
{S} {S.was} the first to come {to}|what is the {ANIMAL.most} animal in the world?
who is the {tallest} boy in your class?
{N} is my best friend at school|it was the best day of my life|she is one of the {tallest} girls in the school
of all the {ANIMAL.s} the {colour} one was the {ANIMAL.most}|{N} ran the fastest of all
""",
    "numbers": """
there are {number} {people} {where}|{S} bought {number} {THING.s} and {number} {THING2.s}
{number} {ANIMAL.s} were sleeping {where}
the first {ANIMAL.n} was {ANIMAL.adj}, but the second one was {ANIMAL.other}
{S} counted {big_number} {ANIMAL.s} in the field
{N} lives in the third house on the left|{S} waited for {number} hours {where}
she has {number} brothers and one sister
about {big_number} people came to the party|the last of the {number} {people} came home late
one {ANIMAL.n} and two {ANIMAL2.s} lived {at_home}
""",
    "indefinite pronouns": """
{somebody} opened the door {how_do}|there was nobody {where} {past_time}|{somebody} in the class knows the answer
{S} heard something {where}|did anyone see {pos} {THING.n}?|everything {on} was {wet}|nothing happened {past_time}
{S} did not say anything to {pos} {relative}|someone has taken {pos} {THING.n}|there is something {strange} {on}
everyone {where} was {feeling}|can anybody tell me where the {PLACE.n} is?|{S} looked everywhere but found nothing
nobody knew where {S} {S.was}|let us go somewhere quiet|do you need anything else from the shop?
everyone went home after {meal}|someone knocked on the door in the middle of the night
""",
    "this, that, these, those": """
this is {pos} {relative}, and that is {pos} {THING.n}|these {THING.s} are {THING.adj}, but those are {THING.other}
those {ANIMAL.s} live {at_home}|that {n_person} {where} is {pos} {relative}
these are the {THING.s} that {S} found {on}
is that the {n_person} you met {past_time}?|put these {THING.s} {on}|that was the {PLACE.n} where {S} lived
""",
    "another, other, such, same": """
{S} took another {n_food} from the plate|the other {people} were already {where}
they go to the same school {present_time}
it was such a {Weather.adj} {Weather.n} that {S} {S.past}
one {ANIMAL.n} was {ANIMAL.adj} and the other was {ANIMAL.other}
the two friends looked at each other and laughed|{S} had never seen such a {ANIMAL.adj} {ANIMAL.n}
some {people} like {game}, others like {game}|{N} and {pos} {relative} help each other {present_time}
""",
}
