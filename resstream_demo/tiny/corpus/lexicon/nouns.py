"""The nouns of the small world, common ones first in each kind."""

from resstream_demo.tiny.corpus.lexicon.inflect import Noun, noun

COUNTABLE = {
    "person": """
man woman boy girl child friend teacher doctor mother father brother sister student neighbour farmer nurse baby driver
baker painter singer writer cook worker guest visitor stranger uncle aunt cousin grandmother grandfather parent son
daughter husband wife king queen prince princess captain sailor soldier guard waiter clerk shopkeeper gardener builder
hunter fisherman dancer player runner swimmer pupil leader judge lawyer artist musician actor engineer scientist tailor
butcher postman policeman fireman pilot mechanic librarian carpenter cleaner reporter poet boss partner person
passenger thief giant traveller tourist customer twin owner manager winner hero witch wizard pirate dentist shepherd
teenager adult chef
""",
    "animal": """
cat dog horse cow sheep pig goat duck hen bird mouse rabbit fox wolf bear lion tiger elephant monkey snake frog bee
whale owl deer kitten puppy lamb calf pony donkey goose chicken turkey swan eagle crow pigeon parrot sparrow robin
squirrel hedgehog badger mole rat bat turtle lizard crab shark dolphin seal spider ant butterfly beetle worm snail
camel zebra giraffe kangaroo panda penguin fish otter crocodile gull
""",
    "food": """
apple egg cake sandwich orange banana potato pear plum lemon cherry grape peach melon tomato carrot onion bean cookie
biscuit pie sausage pancake pizza salad berry strawberry nut mushroom cucumber pea cabbage snack sweet roll loaf bun
steak burger omelette pumpkin lettuce doughnut
""",
    "dish": "breakfast lunch dinner supper meal",
    "thing": """
key phone box bag cup ball bottle basket lamp candle clock mirror toy doll coin ring necklace camera present puzzle
card plate bowl spoon fork glass jar pot pan kettle pillow blanket towel carpet curtain umbrella suitcase purse wallet
ticket stamp envelope pen pencil comb watch notebook parcel prize medal gift bone basketball kite balloon flag rug vase
tray lid bucket barrel sack crown tent cage net stick torch lantern calendar toothbrush sponge mug teapot bin drink
battery snowman pound
shell feather stone rock jewel magnet mat backpack tin
""",
    "music": "guitar piano violin drum flute trumpet bell whistle",
    "machine": "computer radio television laptop screen printer heater fan engine machine light robot alarm",
    "text": """
book letter story poem message newspaper magazine map menu note diary recipe sign postcard page list novel
""",
    "art": "song picture film painting drawing dance tune photo play",
    "clothing": """
hat coat shirt dress scarf jacket sweater skirt shoe boot glove sock cap belt tie uniform suit helmet jumper apron
cloak blouse vest sandal slipper costume mask raincoat hood
""",
    "vehicle": """
car train bus bicycle boat ship van truck taxi plane tractor bike wagon cart canoe ferry rocket sledge tram helicopter
lorry
""",
    "furniture": """
table chair bed desk sofa shelf cupboard bench stool drawer wardrobe bookcase stove oven fridge sink bath fireplace
armchair
""",
    "part": "door window wall roof gate fence floor ceiling chimney step",
    "building": """
house shop school library hospital museum church hotel restaurant bakery cafe theatre castle tower station office bank
cinema barn hut cottage palace factory mill store gym temple hall cabin shed stable garage flat tunnel
""",
    "place": """
park garden kitchen market farm city town village street road room beach bridge square harbour airport zoo playground
field yard pool camp path bedroom bathroom classroom cellar attic country corner corridor
""",
    "nature": """
river lake forest mountain island hill valley pond stream sea ocean desert cave coast cliff meadow jungle waterfall
wood shore swamp
""",
    "sky": "cloud star moon sun rainbow wave shadow storm puddle planet sky",
    "plant": "tree flower rose bush leaf branch seed root daisy tulip oak pine lily vine herb weed",
    "body": """
hand head arm leg foot eye ear nose mouth face finger toe knee tooth back neck shoulder elbow stomach thumb chin cheek
tongue lip heart
""",
    "limb": "tail wing paw",
    "tool": """
hammer knife saw axe spade shovel rake ladder broom needle nail screw drill rope wheel brush hook pump chain lock
spanner
""",
    "event": """
party wedding birthday race game match lesson meeting journey trip holiday concert visit festival walk picnic accident
fight war show exam test interview parade adventure competition
""",
    "idea": """
idea plan question answer problem secret reason name number word dream mistake rule lie joke habit wish fact choice
promise thought language skill memory decision surprise kiss song hobby job life colour way noise line
""",
    "time": "day week month year hour minute morning evening afternoon night moment season weekend century second",
    "group": "family team class crowd band army choir club crew group couple",
}

MASS = {
    "food": """
bread butter cheese rice soup meat honey salt sugar corn jam flour pasta toast chocolate fruit garlic pepper beef cream
oil sauce cereal porridge popcorn
""",
    "drink": "milk water tea coffee juice lemonade wine beer cocoa cider",
    "material": """
wood paper gold silver iron wool cotton leather plastic metal sand clay silk steel cloth coal dust mud paint glue
string soap wire rubber
""",
    "weather": "rain snow wind fog thunder lightning sunshine frost ice weather",
    "idea": """
love help work news music advice money luck fun knowledge peace trouble homework history science art information
courage kindness patience happiness beauty truth freedom
""",
    "game": "football chess tennis hockey cricket volleyball baseball golf",
    "plant": "grass hay moss",
    "body": "hair skin blood",
}

#: Nouns that come in pairs: mostly written in the plural.
PAIRED = frozenset("shoe boot glove sock sandal slipper eye ear lip cheek knee".split())
#: Parts of which one body has more than one.
SEVERAL = frozenset(
    "hand arm leg foot eye ear finger toe knee tooth shoulder elbow thumb cheek lip".split(),
)
#: Who is "he" and who is "she" among people.
MALE = frozenset(
    """
man boy father brother uncle grandfather son husband king prince postman policeman fireman fisherman wizard waiter
actor
""".split()
)
FEMALE = frozenset(
    "woman girl mother sister aunt grandmother daughter wife queen princess witch".split(),
)
RELATIVES = tuple(
    """
mother father brother sister uncle aunt cousin grandmother grandfather friend neighbour teacher boss partner
""".split()
)

#: Places whose preposition is not "in".
ON_PLACES = frozenset(
    """
beach bridge road farm street path island hill mountain coast cliff shore roof playground field corner meadow square
""".split()
)
AT_PLACES = frozenset("station airport market school zoo cinema theatre cafe bakery hotel office camp stable".split())
#: What only exists once.
UNIQUE = frozenset("moon sun sky weather".split())
#: Places that one can go through or across.
CROSSED = frozenset(
    "river field bridge road street square lake desert park yard valley stream meadow sea island".split()
)
THROUGH = frozenset(
    "forest park town village city garden tunnel market valley jungle kitchen hall cave wood swamp".split()
)


def _build() -> tuple[Noun, ...]:
    counted = [noun(word, kind) for kind, words in COUNTABLE.items() for word in words.split()]
    masses = [noun(word, kind, mass=True) for kind, words in MASS.items() for word in words.split()]
    return tuple(counted + masses)


NOUNS = _build()


def interleave(pools: tuple[tuple, ...]) -> tuple:
    """Several lists as one, in which each list's common words still come first."""
    ranked = [((i + 0.5) / len(pool), which, item) for which, pool in enumerate(pools) for i, item in enumerate(pool)]
    return tuple(item for *_, item in sorted(ranked, key=lambda entry: entry[:2]))


BY_KIND = {
    kind: interleave(
        tuple(
            pool
            for pool in (
                tuple(n for n in NOUNS if n.kind == kind and not n.mass),
                tuple(n for n in NOUNS if n.kind == kind and n.mass),
            )
            if pool
        )
    )
    for kind in dict.fromkeys((*COUNTABLE, *MASS))
}


def of_kinds(*kinds: str) -> tuple[Noun, ...]:
    """The nouns of some kinds, common ones first."""
    return interleave(tuple(BY_KIND[kind] for kind in kinds))
