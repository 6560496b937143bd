"""Templates for what follows the verb, and for the verb's tenses and voices."""

TEMPLATES = {
    "resultative": """
{S} painted the {part_of_house} {colour}|{S} pushed the door open {how_do}|the wind blew the door open {past_time}
{S} cut the {n_food} open with a knife|{S} washed the {CLOTHING.s} clean|{S} ate the plate empty and went to bed

{S} {S.is} going to paint the {part_of_house} {colour}|he swept the floor clean before {meal}
the cold turned the leaves {colour}
""",
    "object complement": """
the {made_by} made {S.him} {very} {feeling}|the {THING.n} made {S.him} {feeling}
{S} kept the {CLOTHING.n} clean and dry|{S} found the {PLACE.n} empty {past_time}|they called the {ANIMAL.n} {N}
{S} left the {door} open {past_time}|the fire keeps us warm {present_time}|please keep the {door} shut at night
the children called their {ANIMAL.n} {N}|{S} found the {IDEA.n} very {IDEA.adj}
the {n_person} made the children {feeling}
the sun made the stones hot|the news made everyone {feeling}|{S} wanted the {Food.n} hot, not cold
""",
    "causative": """
{S} made {O.him} {O.base}|{pos} {relative} let {O.him} {O.base}|{S} had the {CLOTHING.n} mended {past_time}
please let me {I.base}|the {n_person} made {O.him} laugh loudly|{S} helped {O.him} carry the {THING.n} {to}
the teacher made the children write their names|{S} will have the roof repaired {future_time}
don't let the {ANIMAL.n} run away
{S} let the {ANIMAL.n} sleep {where}|the story made {O.him} cry|{pos} {relative} does not let {O.him} play {where}
{S} got {O.him} to help with the {THING.n}|the {n_person} let {O.him} go home early {past_time}
""",
    "verbs of seeing": """
{S} saw {O.him} {O.base}|{S} heard someone open the door|{S} watched the {ANIMAL.n} run {to}
{S} saw the {n_person} walking {to}
{S} heard the {ANIMAL.s} singing {where}|{S} felt the wind blowing through the window|{S} saw {A} hiding {where}
did you see {O.him} cross the road?|{S} watched the sun go down behind the hills
""",
    "double object": """
{S} gave {O.him} {a_thing}|{S} showed {O.him} {the_thing}|{pos} {relative} told {O.him} a long story
{S} sent {O.him} a letter {past_time}
{S} gave the {ANIMAL.n} some water|{S} bought {O.him} {a_thing} {past_time}|please pass me the {Food.n}
{S} taught {O.him} {subject}
{S} brought {pos} {relative} {container}|{S} will make {O.him} {a_food}|can you lend me {pos} {THING.n}?
{S} asked {O.him} a question|{S} read the children a story {past_time}|the {n_person} offered {O.him} {container}
{S} gave the {THING.n} back to {O.him}|{S} wrote {O.him} a long letter from the {n_place}
""",
    "infinitive of purpose": """
{S} went to the {PLACE.n} to {S.base}|{S} ran {to} to catch the bus|{S} got up early to {S.base}
{S} went out to {S.base}
{S} opened the window to see the {ANIMAL.n}|{S} stopped to look at the {ANIMAL.n}|{S} used a knife to cut the {n_food}
to reach the {PLACE.n}, {S} had to cross the river|{S} went {to} to buy {a_food}|{S} sat down to rest {where}
{S} came home early in order to {S.base}|{S} took a towel to dry {S.his} hair|{S} stood up to answer the question
""",
    "infinitive": """
{S} {S.v_want} to {S.base}|{S} tried to {S.base}|{S} decided to {S.base} {past_time}|{S} {S.v_need} to {S.base}
{S} forgot to {S.base}|{S} hoped to {S.base}|it is {easy} to {Y.base}|it was {easy} for {S.him} to {S.base}
{S} {S.is} ready to {S.base}|{S} {S.was} too {feeling} to {S.base}|{S} asked {O.him} to {O.base}
{S} told {O.him} not to {O.base}
there is nothing to eat in the house|{S} had nothing to {do_nothing} {past_time}
{S} {S.was} {adj_feeling} to see {O.him} again
{S} would like to {S.base}|{S} {S.has} to {S.base}|{S} had to {S.base} {past_time}|{S} used to {S.base}
{S} did not know what to do next|{N} showed {O.him} how to {O.base}|{S} did not know where to go
{S} learned to swim in the river
""",
    "used to, had to, would like to": """
{S} used to {S.base} {present_time}|{S} used to live {at_home}|{S} used to be {very} {feeling}
{S} had to {S.base} {past_time}|{S} {S.has} to {S.base} {present_time}|{S} would like to {S.base} {future_time}
{S} did not have to {S.base}|there used to be a {n_place} {where}|{N} used to play {game} {where}
""",
    "asked him to": """
{S} asked {O.him} to {O.base}|{S} told {O.him} to {O.base}|{S} wanted {O.him} to {O.base} {past_time}
{S} helped {O.him} to {O.base}|the {n_person} told {O.him} not to {O.base}|{S} {S.v_want} {O.him} to {O.base}
""",
    "gerund after a preposition": """
{S} left without {S.ing}|{S} {S.past} without {S.ing}|after {S.ing}, {S} {S.past}|before {S.ing}, {S} {S.past}
instead of {S.ing}, {S} {S.past}|{S} {S.is} good at {gerund_skill}|{S} thanked {O.him} for {O.ing}
{S} {S.was} tired of {S.ing} {present_time}|{S} thought about {S.ing}|{S} {S.is} afraid of {S.ing}
""",
    "gerund": """
{S} {S.v_like} {S.ing}|{S} stopped {S.ing}|{S} enjoyed {S.ing} {past_time}|{S} began {S.ing}|{S} finished {S.ing}
{S} {S.is} good at {gerund_skill}|{S} left without {S.ing}|thank you for helping me with the {THING.n}
after {S.ing}, {S} went to bed|before {S.ing}, {S} {S.past}|{S} went {swimming} {past_time}
{gerund_skill} is {easy} for {S.him}
{S} {S.was} tired of waiting {where}|{S} {S.is} afraid of falling into the water|{S} kept {S.ing} all day
{S} learned a lot by reading books|instead of {S.ing}, {S} {S.past}|{S} dreamed of living {at_home}
{swimming} is good for you|reading in bed is bad for your eyes|{S} went {to}, {singing} all the way
""",
    "passive": """
the {part_of_house} was painted {colour} {past_time}|the {THING.n} was found {on} by {O.him}
the {ANIMAL.n} was chased by the {ANIMAL2.n}
the bread is baked every morning|the {PLACE.n} was built {past_age}|the letter was written by {pos} {relative}
{S} {S.was} invited to the party by {O.him}|the {Food.n} was eaten by the {ANIMAL.n}
the {THING.s} were sold at the market
the cows are milked every morning|the room will be cleaned {future_time}|the window has been broken by a ball
the house is being painted at the moment|{S} {S.was} bitten by a dog {past_time}|the boy was seen near the {PLACE.n}
the {THING.n} must be kept in a dry place|{S} {S.was} told to wait {where}
{S} {S.was} given {a_thing} for {S.his} birthday
""",
    "present": """
{S} {S.now} {present_time}|{S} {S.now} {present_time}|{A} {A.now} {present_time}|{T} {T.now}
{L} {L.now} {present_time}
{S} {S.do} not {S.base} {present_time}|{P} {P.now} {present_time}
""",
    "past": """
{S} {S.past} {past_time}|{S} {S.past}|{A} {A.past}|{T} {T.past}|{L} {L.past}|{S} did not {S.base}|{P} {P.past}
{S} {S.past} and {S.past}|{A} {A.past} {past_time}
""",
    "progressive": """
{S} {S.is} {S.ing} at the moment|{S} {S.was} {S.ing} when {O} {O.past}|{A} {A.is} {A.ing} now|{L} {L.was} {L.ing}
look, {A} {A.is} {A.ing}!|{S} {S.is} not {S.ing} today|{S} {S.was} {S.ing} all morning|{T} {T.is} {T.ing}
{P} {P.was} {P.ing}
what {S.is} {S} doing {where}?|{S} {S.is} still {S.ing}|{S} {S.has} been {S.ing} since {day}
""",
    "perfect": """
{S} {S.has} already {S.done}|{S} {S.has} just {S.done}|{S} {S.has} never {S.done} before|{A} {A.has} {A.done}
{T} {T.has} {T.done}
{S} {S.has} lived {at_home} for {number} years|{S} had already {S.done} when {O} {O.past}|{L} {L.has} {L.done}
{S} {S.has} not {S.done} yet|{P} {P.has} just {P.done}|{S} had never {S.done} before
{S} {S.has} been {feeling} all day
""",
    "future": """
{S} will {S.base} {future_time}|{S} {S.is} going to {S.base} {future_time}|{A} will {A.base}
{S} won't {S.base} {future_time}
{future_time}, {S} will {S.base}|{L} will {L.base} {future_time}|{T} will {T.base} {future_time}
{P} will {P.base} {future_time}
{S} will be {feeling} {future_time}|will {S} {S.base} {future_time}?|{S} will not {S.base} until {O} {O.now}
""",
    "modal": """
{S} can {S.base}|{S} cannot {S.base} without help|{S} must {S.base} before {meal}|{S} should {S.base} {present_time}
{S} could swim very well when {S.he} {S.was} young|may I {I.base}?|can you {Y.base}, please?|you must not {Y.base}
{S} might {S.base} {future_time}|could you please {Y.base}?|{S} should not {S.base} at night|we had better go home now
you should always {Y.base} before {meal}|{S} could not {S.base} because {O} {O.past}|would you like to {Y.base}?
""",
    "particles and reflexives": """
{S} picked up the {THING.n} and put it {on}|{S} put {S.himself} to bed|{S} looked at {S.himself} in the mirror
{S} took off {S.his} {CLOTHING.n} and sat down {where}|{S} turned off the light and went to bed
the {ANIMAL.n} hurt itself {where}
{S} made the {Food.n} {S.himself}|{S} woke up in the middle of the night|{S} gave up and went home {how}
{S} lived all by {S.himself}
{S} threw away the old {THING.s}|the car broke down on the way home|{S} put on {S.his} {CLOTHING.n} and went out
{S} looked after the {ANIMAL.s} {where}|{S} enjoyed {S.himself} at the party|{S} ran out of the {PLACE.n} {how}
""",
}
