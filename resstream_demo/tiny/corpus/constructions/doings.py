"""What people, animals and things usually do, as verb phrases in the base form.

`{his}` and `{himself}` follow the subject; the other slots are those of the scenery.
"""

PERSON = """
go {to}|open the door|eat {a_food}|read {a_thing_book}|play {where}|look at {the_animal}|wash {his} hands
make a cake for {his} {relative}|put the book {on}|close the window|run {to}|sit {where}|walk {to}
take {the_thing} {to}|help {his} {relative} {where}|write a letter to {his} {relative}|drink {container_drink}
give {the_animal} some food|find {a_thing} {on}|put on {his} coat|buy {a_food} at the market|feed {the_animal} {where}
work in the garden|talk to {his} friend|carry the bag {to}|bring {a_thing} to school
clean the kitchen|cook dinner for the family|wait for the bus {where}|ride {his} bicycle {to}|sing a song
play with the children {where}|listen to the music|tell {his} friends a story|pick some flowers {where}
cut the bread with a knife|draw a picture of {a_animal}|take off {his} shoes|go to bed early|get up early
visit {his} {relative} in the village|look for {his} key {on}|hide behind the door|climb {a_tree}|swim in the lake
watch the birds {where}|clean {his} room|brush {his} teeth|wash the plates|plant some flowers {where}
drive {his} car to the station|paint the fence {colour}|lose {his} hat {where}|learn {subject}
answer the question|show {his} {relative} the picture|send {his} {relative} a present|pay for the bread
catch {a_animal}|hold the rope with both hands|turn on the light|put on a {colour} coat|stand {where}
throw the ball {to}|ask the teacher a question|sleep in a warm bed|mend the old chair|dance with {his} friends
build a fire {where}|fill the bucket with water|sweep the floor|have lunch with {his} {relative}|laugh at the joke
bake some bread|cross the road|leave the house at seven o'clock|forget {his} umbrella|thank {his} {relative}
knock on the door|arrive at the station|call the doctor|have a cold bath|run away from the dog|travel by train
"""
#: What only children, pupils and babies do, and what belongs to some work.
BY_NOUN = {
    "baby": """
cry loudly|sleep in the next room|drink some warm milk|
laugh at the cat|cry for {his} mother|wake up early
""",
    "teacher": """
read a story to the class|write the answer on the paper|
ask the children a question|teach us {subject}
""",
    "doctor": "look at {his} watch|visit the sick man|help the old woman|wash {his} hands|give the boy some water",
    "farmer": """
feed the cows|milk the goats in the barn|
work in the field|drive the tractor {to}|plant corn in the field
""",
    "baker": """
bake fresh bread every morning|make a big cake for the party|
sell bread at the market|get up very early
""",
    "king": "live in a great castle|wear a golden crown|ride a white horse|call {his} soldiers",
    "queen": "live in a great castle|wear a golden crown|speak to the people|look out of the window",
    "sailor": "sail across the sea|live on a ship|tell long stories about the sea|wash the ship with water",
    "dog": """
bark at the cat|run {to}|chase the ball {where}|eat the bone {where}|sleep {where}|jump over the fence|
dig a hole {where}
bring the stick to the boy|wait at the door|follow the children {to}|bite the postman|drink some water
""",
    "cat": """
sleep on the sofa|drink the milk|chase the mouse {where}|climb {a_tree}|sit by the fire|hide under the bed
wash {his} face|catch a mouse in the kitchen|jump onto the table
""",
    "horse": """
run across the field|eat some grass|pull the heavy cart {to}|carry the man {to}|gallop along the road|
stand in the stable
""",
    "bird": """
fly over the house|sing in the tree|build a nest in the tree|eat the seeds|fly away|sit on the branch|
wake us with a song
""",
    "cow": "eat grass in the field|stand under the tree|give us milk|walk slowly to the barn|lie in the meadow",
    "mouse": "hide in a hole|eat the cheese|run across the floor|run away from the cat|live under the floor",
    "duck": "swim on the pond|quack loudly|cross the road|eat the bread by the lake",
    "fox": "steal a hen from the farm|hide in the forest|run across the field|wait behind the tree",
    "rabbit": "eat a carrot|hop across the grass|hide under a bush|dig a hole in the field",
    "lion": "roar loudly|sleep under a tree|hunt a deer|run after the zebra",
    "bear": "eat some honey|sleep in a cave|climb {a_tree}|catch a fish in the river",
    "wolf": "howl at the moon|run through the forest|follow the sheep|live in the mountain forest",
    "bee": "fly from flower to flower|make honey|sting the boy on the hand",
    "sun": """
shine brightly|rise early|shine through the window|
shine on the sea|disappear behind the hills|dry the wet clothes
""",
    "moon": "shine over the sea|rise behind the trees|shine on the dark road",
    "wind": "blow all night|blow the door open|blow my hat away|shake the trees|blow from the sea|open the window",
    "rain": "fall all day|stop in the evening|make the road wet|fall on the roof|begin after lunch",
    "snow": "fall all night|cover the fields|lie on the roof|cover the whole village",
    "train": """
stop at the station|leave at six o'clock|arrive late|
go through the tunnel|cross the bridge|carry many people
""",
    "bus": "stop in front of the school|leave at eight o'clock|arrive late|take us to the town|turn into our street",
    "car": "stop at the gate|drive past the house|turn into the street|crash into a tree|need a new wheel",
    "ship": """
sail across the sea|leave the harbour|
sink in the storm|carry coal to the island|come back to the harbour
""",
    "boat": "sail down the river|float on the lake|sink in the storm|carry us to the island",
    "door": "open slowly|close behind us|shut with a loud noise|lead to the garden",
    "clock": "stop in the night|ring at seven o'clock|show the right time",
    "bell": "ring at noon|ring loudly|wake the whole house|ring three times",
    "key": "open the door|lie on the table",
    "river": "run through the town|freeze in winter|run past the mill|rise after the rain",
    "fire": "burn in the kitchen|make the room warm|go out in the night|spread to the roof",
    "tree": "grow in front of the house|fall across the road|lose {his} leaves in autumn|give us apples",
    "flower": "grow in the garden|bloom in spring|need a little water|smell sweet",
    "leaf": "fall to the ground|turn red in autumn|float on the water",
    "star": "shine in the sky|appear over the hill|shine above the sea",
    "road": "lead to the village|go through the forest|cross the river|turn to the left",
    "house": "stand on a hill|have a red roof|need a new door|look very old|belong to my uncle",
    "shop": "open at nine o'clock|close on Sundays|sell fresh bread|sell toys and books",
    "box": "fall off the table|stand in the corner|lie under the bed|hold many old letters",
    "cup": "fall on the floor|break in two|stand on the table",
    "phone": "ring at night|ring three times|lie on the table|fall into the water",
}
THINGS = tuple(
    """
sun wind rain train bus car ship boat door clock bell river fire tree flower star road house shop box cup snow moon key
leaf phone
""".split()
)
ANIMALS = tuple("dog cat horse bird cow mouse duck fox rabbit lion bear wolf bee".split())
WORKERS = tuple("baby teacher doctor farmer baker king queen sailor".split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.replace("\n", "|").split("|") if part.strip())


PERSON_DOINGS = _phrases(PERSON)
DOINGS = {noun: _phrases(text) for noun, text in BY_NOUN.items()}
