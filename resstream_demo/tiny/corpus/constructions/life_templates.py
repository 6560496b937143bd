"""Templates for everyday life: weather, ages, the clock, prices, family, body, meals, school, market and farm."""

TEMPLATES = {
    "weather": """
it is raining {where}|it rained all day on {day}|it was snowing when {S} {S.past}|it will be {cold_adj} {future_time}
the wind will blow hard {future_time}|the wind blows from the sea {present_time}|it began to rain {past_time}
it was beginning to snow|it rains a lot in {month}|it snows {present_time}|the wind blew all night and shook the trees
it is {cold_adj} and {wet} today|the snow lay deep on the fields|it snowed all night
there was a big storm {past_time}|it often rains in {season}|it is getting dark outside
it was so cold that the river froze
the sky was {sky} and the sun was shining|it stopped raining in the evening|black clouds came over the hill
it is {hot} in {season}
the rain fell on the roof all night|it is too {hot} to {Y.base}
""",
    "ages": """
{N} is {number} years old|how old is {pos} {relative}?|{N} is two years older than {pos} {relative}
{S} {S.was} {number} years old when {O} {O.past}
{N} will be {number} next {month}|the {PLACE.n} is more than a hundred years old
my {relative} is only {number} months old|{S} {S.is} too young to {S.base}
at the age of {number}, {N} learned to swim|{pos} {relative}'s birthday is in {month}
{S} {S.is} old enough to {S.base}
""",
    "clock": """
it is {hour} o'clock|{S} {S.v_get} up at half past {hour}|the train leaves at {hour} o'clock|what time is it now?
the clock on the wall says half past {hour}|school begins at nine o'clock {present_time}
{S} came home at a quarter past {hour}
it was nearly {hour} o'clock when {S} {S.past}|we eat {meal} at {hour} o'clock
the shop opens at {hour} and closes at {hour}
the bus leaves in {number} minutes|{S} waited from {hour} to {hour}|it is time to {Y.base}|it is time for {meal}
""",
    "prices": """
how much does the {THING.n} cost?|the {THING.n} costs {number} pounds|{S} paid {number} pounds for the {THING.n}
the {CLOTHING.s} were very cheap
{S} bought the {THING.n} for {number} pounds|the {THING.n} is too expensive for {S.him}|how much are these {FOOD.s}?
{S} sold the {ANIMAL.n} for {big_number} pounds
the {CLOTHING.n} cost more than the {CLOTHING2.n}|{S} did not have enough money to buy the {THING.n}
this {CLOTHING.n} is cheaper than that one
""",
    "family": """
{pos} {relative} is a {n_person}|{N} has {number} sisters and a brother
{N} lives with {N.his} {relative} and {N.his} {relative}
{pos} {relative} and {pos} {relative} live {at_home}|the whole family sat {where}
{N} is married and has {number} children
the baby is sleeping in the next room|{S} went to see {S.his} {relative} {past_time}
{N} loves {N.his} {relative} very much
the two sisters look like their mother|{S} took {S.his} {relative} by the hand|my {relative} works {where}
""",
    "body": """
{N} hurt {N.his} {part} {where}|{S} washed {S.his} face and hands before {meal}|{S} put {S.his} hands on {S.his} head
{N} has {eye_colour} eyes and {hair} hair|{S} closed {S.his} eyes and went to sleep|my {part} hurts when I {I.base}
{N} fell off the wall and broke {N.his} {arm}|{S} shook {S.his} head and said nothing
the {ANIMAL.n} has four legs and a long tail
{N} held the {THING.n} in {N.his} left hand|we see with our eyes and hear with our ears
{S} felt something cold on {S.his} {part}
""",
    "meals": """
{S} had {a_food} for {meal} {past_time}|we eat {Food.s} and {Food2.s} for {meal}|{meal} is ready, come and sit down
what is there for {meal} today?
the {Food.n} tastes {Food.adj}|{S} {S.v_drink} {Drink.s} with {S.his} {meal}|would you like some more {Drink.s}?
this {Food.n} smells good
{S} {S.v_like} {Food.adj} {Food.s} but not {Food2.s}|{pos} {relative} made {a_food} for {meal}
the {Drink.n} is too {Drink.adj} to drink
{S} put some {jam} on {S.his} bread|we had {Food.s} with {Food2.s} and a glass of {Drink.s}
the {Food.n} was cold before {S} came to the table
""",
    "school": """
the teacher wrote the answer in the book|the children are learning {subject} at school
{N} stood up and asked a question
{S} did {S.his} homework before {meal}|the lesson begins at {hour} o'clock|the teacher gave each child a book
{S} forgot {S.his} pencil at home
open your books, please|all the children in the class can read and write|{S} {S.v_go} to school by bus
we have {subject} on {day}
{S} sat at the back of the class and {S.past}|{N} wrote {N.his} name on the first page
there are {big_number} children in our class
""",
    "market": """
the {n_person} sells {FOOD.s} and {FOOD2.s} at the market|{S} went to the market to buy {FOOD.s}
can I have {number} {FOOD.s}, please?
the {FOOD.s} at the market are {FOOD.adj} and cheap|{S} put the {FOOD.s} in {S.his} basket
on {day} there is a big market in the town
the shopkeeper gave {S.him} the {FOOD.s} in a paper bag|many people come to the market on {day}
{S} carried the heavy basket home {how}
""",
    "farm": """
the farmer feeds the {FARM.s} {present_time}|the {FARM.s} are eating grass in the field
{pos} {relative} has {number} {FARM.s} on the farm
the farmer milks the cows {present_time}|{S} {S.was} milking the cows {where}|the cows give milk and the hens lay eggs
the farmer gets up early to feed the {FARM.s}|the sheep were lying under the tree
{S} helped the farmer with the {FARM.s}|the horse pulled the heavy cart {to}|the hay in the barn is dry
a fox stole {number} hens {past_time}
the farmer's wife made butter and cheese|the dog watches the sheep at night
the field behind the barn is full of {crops}
""",
    "nature and kind": """
{A} {A.is} a very {adj_animal} animal|birds fly in the sky and fish swim in the sea|{can_do}
babies cry when they are hungry
snow is cold and white|the grass is green and the sky is blue|{ANIMAL.s} are {ANIMAL.adj} animals
trees lose their leaves in autumn|{A} {A.now} because {A.he} {A.is} hungry
ice is made of water|flowers need water and light to grow|cats like milk, but dogs like bones
the {PLACE.n} is {PLACE.adj} and {PLACE.other}
""",
}
