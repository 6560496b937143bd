"""Things, places and people with what is usually said of them, and set phrases of time, place and manner.

Every list begins with its commonest members; choices lean towards the beginning.
"""

#: Group -> nouns with adjectives that suit them; "*" marks a mass noun.
QUALITIES_TEXT = {
    "food": """
bread*: fresh warm soft good dry; soup*: hot warm thick good salty cold; apple: sweet ripe juicy
cake: sweet good delicious; egg: fresh hot; fish: fresh good; meat*: hot raw
cheese*: soft good; potato: hot soft; pie: hot warm sweet; rice*: hot warm; biscuit: sweet dry
butter*: soft fresh; orange: sweet juicy; sandwich: good fresh; chocolate*: sweet good; honey*: sweet
pear: ripe sweet juicy; carrot: sweet raw; jam*: sweet good; porridge*: hot thick; sausage: hot good;
salad: fresh cold
""",
    "drink": """
milk*: cold warm fresh; water*: cold hot clean warm fresh; tea*: hot strong sweet; juice*: cold sweet fresh
coffee*: hot strong black; cocoa*: hot sweet; lemonade*: cold sweet
""",
    "thing": """
book: new old long good interesting heavy; ball: red round small new; box: big heavy empty wooden small
bag: heavy full new black; letter: long short kind; cup: clean empty broken blue; key: small old golden lost
picture: beautiful old funny; toy: new broken small; lamp: bright old small; clock: old loud big;
pencil: sharp short red
bottle: empty full green; basket: full empty heavy; knife: sharp clean; rope: long strong thick; doll: pretty old new
flower: beautiful red fresh yellow; stone: heavy smooth round; umbrella: black wet big; present: lovely big nice
plate: clean dirty hot; blanket: warm soft thick; candle: bright long white; kite: big red; story: long funny sad good
""",
    "clothing": """
coat: warm long old thick; hat: new big funny black; dress: pretty new red long; shirt: clean white dirty wet
shoe: new dirty old wet; scarf: warm long red; jacket: warm blue old; boot: wet heavy dirty
""",
    "animal": """
dog: big friendly hungry old brown brave; cat: black lazy small soft quiet; horse: strong fast brown white
bird: small blue hungry young; cow: brown fat big; mouse: tiny small grey quiet; sheep: white fat; hen: fat brown
duck: yellow small white; fox: clever red hungry; rabbit: white fast shy; lion: strong hungry fierce
bear: big brown hungry; puppy: small playful noisy; wolf: grey hungry wild; pony: small gentle; goat: white stubborn
""",
    "farm": """
cow: brown fat big; sheep: white fat quiet; horse: strong fast brown; hen: fat brown noisy; duck: yellow small white
goat: white stubborn young; pony: small gentle; pig: fat pink hungry dirty; lamb: small white
""",
    "place": """
house: big old small white quiet; garden: beautiful green large pretty; school: new big old; park: green quiet large
kitchen: warm clean small; street: busy narrow long quiet; shop: small busy new; village: quiet small old pretty
town: busy old small; farm: old big quiet; market: busy noisy crowded
road: long wet narrow busy; river: deep cold wide; forest: dark deep wild; hill: high steep green;
lake: deep calm cold
castle: old great dark; beach: long empty wide; station: busy big; barn: old red dark; field: green wide wet
bridge: old narrow long; mountain: high steep; church: old quiet; island: small wild green; sea: cold deep rough calm
""",
    "person": """
man: old young tall kind strong rich; woman: old young kind clever tall; boy: little small brave clever tired young
girl: little small clever young happy; friend: old good kind; teacher: kind new good; doctor: kind good busy
farmer: old rich strong; king: old good proud; queen: young proud kind; neighbour: kind old friendly;
baby: hungry small
sailor: brave strong old; baker: fat cheerful; prince: young brave; princess: young beautiful; nurse: kind gentle
""",
    "weather": """
day: warm cold sunny rainy long lovely; morning: cold bright sunny foggy; night: dark cold quiet stormy long
evening: warm quiet lovely; winter: long cold hard; summer: hot dry long
""",
    "idea": """
idea: good clever new strange; question: difficult easy good; answer: right wrong short; story: long sad true funny
game: good easy exciting; plan: clever simple good; journey: long difficult; trip: long short exciting
""",
}


def _entries(text: str) -> tuple[tuple[str, bool, tuple[str, ...]], ...]:
    """Nouns as (singular, whether mass, adjectives)."""
    out = []
    for entry in text.replace("\n", ";").split(";"):
        if entry.strip():
            noun, _, adjectives = entry.partition(":")
            out.append((noun.strip().rstrip("*"), noun.strip().endswith("*"), tuple(adjectives.split())))
    return tuple(out)


QUALITIES = {group: _entries(text) for group, text in QUALITIES_TEXT.items()}

#: Slot -> phrases, separated by "|".
PHRASES_TEXT = {
    "where": """
in the garden|at home|in the kitchen|at school|by the river|in the park|on the farm|in the street|at the market|
near the old bridge|under the big tree|on the beach|in front of the house|behind the barn|next to the window|
in the forest|on the hill|in the village|by the fire|at the station|in the middle of the road|outside the shop|
in the corner of the room|at the top of the hill|between the two houses|across the street
""",
    "at_home": """
in the village|by the river|on a farm|near the old bridge|at the top of the hill|in a small house|in the town|
near the station|by the sea|in an old house|in the forest|near the school|next to the church
""",
    "how_go": """
slowly|quickly|quietly|very slowly|very quickly|
happily|too fast|quite slowly|very quietly|sadly|silently
""",
    "how_do": "carefully|quickly|gently|slowly|quietly|very carefully|very quickly|proudly|without a word",
    "cold_adj": "cold|warm|hot|wet|dark|windy|foggy|lovely|sunny",
    "colder": "colder|warmer|hotter|darker",
    "on": """
on the table|in the box|under the bed|on the shelf|in the kitchen|in the cupboard|behind the door|on the chair|
in the basket|next to the lamp|by the window|in my bag|on the floor|on the ground|
in the garden|near the gate|in the drawer
""",
    "to": """
to school|to the shop|to the market|into the house|home|to the park|across the road|to the river|through the forest|
up the hill|down the street|out of the room|along the path|to the station|over the bridge|into the garden|upstairs|
down the stairs|towards the village|to the top of the hill|back to the farm|past the church|around the lake
""",
    "past_time": """
yesterday|last night|this morning|last week|on Sunday|after breakfast|yesterday evening|last summer|two days ago|
on Monday morning|before lunch|at six o'clock|a long time ago|the next day|that night
""",
    "future_time": """
tomorrow|soon|tonight|next week|on Saturday|tomorrow morning|after dinner|next year|in the morning|later|
in a few minutes|this evening|when it stops raining|in an hour
""",
    "present_time": """
every day|every morning|on Sundays|after school|in the evening|at night|every week|in the summer|in winter|
before breakfast|at the weekend|once a week
""",
    "fronted": """
yesterday|one day|last night|one morning|in the evening|late in the evening|early in the morning|after breakfast|
the next day|that night|last summer|on Monday|one cold night|in the middle of the night|long ago|after school|
a few days later|at last|on the way home|at the end of the day|two years ago|late at night|before dinner|
early one morning|on a rainy day|in the afternoon|for a long time|all at once|at seven o'clock|every time|
on Saturday afternoon|late one night|at the end of the road|outside the house|behind the door
""",
    "how": """
slowly|quickly|quietly|carefully|very quickly|very slowly|very carefully|happily|loudly|well|very well|hard|
too fast|gently|as fast as possible|quite slowly|sadly|very quietly|politely|very hard|angrily|too slowly|so quietly|
with a smile|without a word|easily|badly|softly|proudly|bravely
""",
    "ly": """
slowly|quickly|quietly|carefully|suddenly|gently|happily|
softly|sadly|proudly|politely|quietly|finally|bravely
""",
    "often": "always|often|never|usually|sometimes|rarely|hardly ever|seldom",
    "very": "very|so|too|quite|really|rather|a little",
    "deg": "very|so|too|quite|really|rather",
    "feeling": """
happy|sad|tired|hungry|angry|afraid|cold|sorry|ill|thirsty|sleepy|glad|excited|lonely|worried|frightened|proud|busy|
nervous|surprised|bored|safe|lost|warm|ready
""",
    "adj_feeling": "happy|sad|tired|hungry|angry|sleepy|excited|lonely|worried|frightened|proud|nervous|bored",
    "colour": "red|blue|green|white|yellow|black|brown|pink|grey|purple",
    "number": "two|three|four|five|six|ten|seven|eight|twelve|nine|twenty|eleven",
    "hour": "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve",
    "big_number": "twenty|thirty|fifty|a hundred|forty|sixty|eighty|ninety|seventy|a thousand",
    "day": "Monday|Sunday|Saturday|Friday|Tuesday|Wednesday|Thursday",
    "month": "May|June|July|December|April|August|January|March|October|September|November|February",
    "season": "summer|winter|spring|autumn",
    "relative": "mother|father|brother|sister|grandmother|grandfather|uncle|aunt|cousin|friend|son|daughter",
    "pos": "my|her|his|your|our|their|the teacher's|my mother's|my father's|Tom's|Anna's|the old man's",
    "meal": "breakfast|lunch|dinner|supper",
    "subject": "history|music|science|art|a new language|a song",
    "game": "football|chess|tennis|a game|cricket|hockey",
    "somebody": "everyone|nobody|someone|everybody|no one|anyone|somebody",
    "people": "people|children|boys|girls|men|women|friends|animals|farmers|students",
    "part": "hand|arm|leg|foot|head|knee|finger|back|eye|ear|nose",
    "sweets": "sweets|apples|biscuits|eggs|cakes|potatoes|cherries",
    "taller": "taller|older|younger|stronger|faster|smaller|richer|happier|braver",
    "tallest": "tallest|youngest|oldest|strongest|fastest|cleverest|smallest|bravest|kindest",
    "strange": "strange|red|small|wrong|new|soft|funny|dark",
    "wet": "wet|cold|dark|quiet|windy",
    "sky": "blue|clear|bright",
    "hot": "hot|warm|cold|wet",
    "part_of_house": "door|fence|wall|gate|roof|house|boat|kitchen",
    "made_by": "music|story|news|song|letter|joke|journey|game",
    "door": "door|window|gate|box|cupboard",
    "easy": "easy|hard|difficult|good|nice|fun|dangerous|important|impossible",
    "do_nothing": "eat|do|say|read|wear|drink",
    "gerund_skill": "reading|swimming|singing|drawing|cooking|riding a horse|telling stories|playing the piano",
    "swimming": "swimming|fishing|shopping|dancing|walking|running",
    "singing": "singing|laughing|talking|crying|running",
    "past_age": "a hundred years ago|long ago|last year|in the spring|by the king|two hundred years ago",
    "quickly": "quickly|quietly|well|easily|early",
    "kind_adj": "kind|good|nice|gentle",
    "adj_small": "small|old|little|big|young",
    "adj_animal": "strong|clever|gentle|friendly|quiet|fast|lazy",
    "eye_colour": "blue|brown|green|grey|dark",
    "hair": "long|short|brown|black|red|dark|white",
    "arm": "arm|leg|finger|toe|foot|nose",
    "jam": "jam|butter|honey|cheese",
    "crops": "corn|grass|sheep|cows|flowers|potatoes",
    "can_do": """
a fish cannot live without water|a bird can fly, but a dog cannot|a mouse is smaller than a cat|
a horse can run faster than a man|
a baby cannot walk or talk|a bee can fly and make honey|a ship is bigger than a boat|a stone sinks but wood floats
""",
    "container": """
a cup of tea|a glass of milk|a piece of cake|a bottle of water|a bowl of soup|a slice of bread|a piece of paper|
a cup of coffee|a box of chocolate|a basket of apples|a bag of flour|a pair of shoes|a plate of biscuits|
a basket of flowers|a pot of jam|a pair of gloves|two cups of tea|three pieces of cake|two slices of bread|
a piece of wood|a loaf of bread|a bucket of water|a jar of honey|a bottle of milk|a pair of boots
""",
}
PHRASES = {slot: tuple(" ".join(phrase.split()) for phrase in text.split("|")) for slot, text in PHRASES_TEXT.items()}
