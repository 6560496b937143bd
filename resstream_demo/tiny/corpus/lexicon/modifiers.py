"""Adjectives with what they fit, adverbs by use, and the closed classes."""

from resstream_demo.tiny.corpus.lexicon.inflect import degrees

#: Group -> adjectives, common ones first.
ADJECTIVES = {
    "size": "big small little large tiny huge",
    "length": "long short wide narrow thick thin high low flat",
    "colour": "red blue green yellow black white brown pink grey purple golden orange",
    "thing": """
new old nice beautiful good pretty lovely bad clean dirty heavy light broken expensive cheap useful strange round
wooden empty full wet dry smooth rough sharp shiny hard soft plastic modern plain square hollow loose ugly fresh
fragile perfect valuable strong useless rusty dusty bright
""",
    "person": """
young old kind tall clever rich poor strong happy sad brave friendly quiet famous honest funny polite gentle smart
careful lazy careless wise shy proud rude cruel selfish generous cheerful patient noisy serious fat thin slim bald
foolish stubborn greedy quick helpful charming calm loyal talented busy elderly pleasant grumpy great blind deaf tired
""",
    "sound": "loud quiet strange soft terrible beautiful",
    "feeling": """
happy sad tired hungry thirsty angry busy ill ready sorry sure afraid late glad bored lonely excited nervous worried
surprised proud sick well safe lost asleep awake alone free upset frightened jealous cold hot warm comfortable
confused disappointed grateful curious sleepy scared pleased ashamed certain careful quiet silent
""",
    "animal": """
big small little young old white black brown grey wild hungry gentle fast slow clever brave friendly tiny huge strong
fierce dangerous lazy shy tame fat noisy playful beautiful thirsty frightened lost
""",
    "food": """
fresh sweet hot cold delicious good tasty ripe sour salty bitter raw warm bad healthy spicy dry soft juicy rotten
cheap tasteless
""",
    "drink": "cold hot warm fresh sweet good delicious sour bitter cheap strong",
    "place": """
old new quiet small large beautiful busy crowded empty dark clean lovely famous nearby noisy distant peaceful pretty
ancient warm narrow local foreign main safe dangerous wonderful
""",
    "weather": "cold heavy warm terrible bad fine nice wet mild wild awful",
    "nature": """
deep shallow steep wide high beautiful cold dark quiet calm wild distant green blue frozen dangerous peaceful
""",
    "text": "long short old new interesting funny boring important sad famous simple strange wonderful",
    "event": "long short great wonderful important big terrible exciting boring special strange perfect lovely awful",
    "idea": """
good bad great new simple strange difficult easy important interesting clever silly real different wrong right secret
common true serious main general brilliant crazy possible natural usual
""",
    "task": """
easy difficult hard important possible impossible good nice dangerous useful useless fun wrong lovely necessary
""",
    "time": """
long short busy quiet lovely warm cold wonderful difficult whole lazy sunny rainy cloudy foggy windy snowy stormy
""",
    "body": "big small cold warm long short strong thin red weak sore dirty clean broken",
    "group": "big small happy large noisy famous poor friendly young whole strong",
}

#: Noun kind -> the groups of adjectives that fit it.
FITS = {
    "person": "person", "animal": "animal", "food": "food", "dish": "food event", "drink": "drink",
    "thing": "thing size colour", "music": "thing sound", "machine": "thing sound", "text": "text", "art": "text",
    "clothing": "thing colour size", "vehicle": "thing colour size", "furniture": "thing colour size length",
    "part": "colour length size thing", "building": "place size", "place": "place size", "nature": "nature size",
    "sky": "colour size thing", "plant": "size colour length", "body": "body", "limb": "body", "tool": "thing size",
    "event": """
event
""", "idea": "idea", "time": "time", "group": "group", "material": "thing colour", "weather": "weather",
    "game": "event",
}  # fmt: skip

#: Adjectives that are only used after a verb ("the boy is asleep").
PREDICATE_ONLY = frozenset(
    "ill ready sorry sure afraid glad asleep awake alone well pleased late fun certain ashamed".split()
)
#: What is said of one noun kind only with difficulty when it is mass or made of something else.
NOT_FOR_CLOTHING = frozenset(
    "round square hollow wooden empty full rusty sharp flat fragile high narrow deep smooth hard useful broken".split()
)
UNGRADED = frozenset(
    """
broken wooden empty full wrong right secret main whole golden plastic perfect lost frozen square round ancient huge tiny
delicious rotten possible impossible necessary dead real true general natural common foreign local useless raw
red blue green yellow black white brown pink grey purple orange wonderful terrible awful brilliant lovely bald blind
deaf
""".split()
)
NOT_FOR_MATERIAL = frozenset(
    "wooden plastic round square empty full tiny huge hollow big small little large sharp".split()
)

#: Short common adjectives that are compared with -er and -est.
COMPARED = tuple(
    """
big small old young tall short long fast slow strong weak happy sad kind clever rich poor cheap clean dirty heavy light
hard soft hot cold warm high low wide narrow deep thick thin sweet fresh dark bright loud quiet brave nice good bad easy
busy funny pretty lazy wise noisy hungry friendly near late safe fat wild calm sharp smart large lonely shy
""".split()
)
DEGREES = {word: degrees(word) for word in COMPARED}

#: Group -> adjectives whose comparative fits a person, an animal, a thing, or a place.
COMPARED_FOR = {
    "person": """
old young tall short fast slow strong weak happy sad kind clever rich poor brave nice busy funny lazy wise noisy
friendly smart loud quiet calm shy hungry lonely thin
""",
    "animal": """
big small old young fast slow strong weak clever heavy quiet brave wild fat large hungry noisy lazy lonely calm
""",
    "thing": "big small old cheap clean dirty heavy light hard soft nice good bad pretty thick thin bright sharp",
    "place": "big small old clean dark warm quiet nice busy near safe pretty noisy large cold dirty",
    "nature": "deep wide high cold dark wild near narrow calm",
    "food": "sweet fresh hot cold good bad cheap soft nice",
    "tool": "long short heavy sharp strong cheap good light",
    "event": "long short good bad nice late funny",
    "idea": "good bad easy hard funny",
    "time": "hot cold warm long short dark bright",
    "body": "long short low cold warm strong weak",
    "clothing": "long short warm old cheap thick thin nice",
}

ADVERBS = {
    "manner": """
slowly quickly quietly carefully happily loudly well sadly gently angrily easily suddenly softly fast hard politely
proudly nervously bravely calmly gladly patiently noisily silently badly kindly cheerfully seriously
""",
    "time": "now then today yesterday tomorrow soon later tonight again early late already just still once yet",
    "frequency": "always often never usually sometimes rarely seldom hardly",
    "place": "here there outside inside home everywhere nearby upstairs downstairs abroad indoors",
    "degree": "very too so really quite rather almost a little much completely",
    "sentence": "luckily suddenly perhaps maybe finally sadly fortunately also first next however soon",
    "focus": "together only even ago more most enough ever else so as",
}

#: Words joined to verbs, prepositions and the rest of the closed classes.
PARTICLES = "up down away back on off out".split()
PREPOSITIONS = """
in on at to from with of for about near by behind under over into through across after before during without between
beside above outside around past against towards along inside until since below among like than up down off onto
forward opposite because next out ago
""".split()
CONJUNCTIONS = "and but or because so when while after before if until although that than as since whether".split()
DETERMINERS = """
the a an this that these those my your his her its our their some any no every each another many much few several all
both most
""".split()
SUBJECT_PRONOUNS = "i you he she it we they".split()
OBJECT_PRONOUNS = "me you him her it us them".split()
POSSESSIVES = "my your his her its our their mine yours his hers ours theirs".split()
REFLEXIVES = "myself yourself himself herself itself ourselves themselves".split()
INDEFINITE = "someone everyone nobody something everything nothing anything one people".split()
QUESTION_WORDS = "what who where when why how which whose".split()
#: "isn" stands for "isn't", whose end is a token of its own.
AUXILIARIES = """
is are was were am be been being has have had do does did will would can could must should might may shall let
isn aren wasn weren hasn haven hadn don doesn didn won wouldn couldn shouldn mustn cannot used going
""".split()
#: Words of set phrases: "of course", "at four o'clock", "a lot of", "in the middle".
SET_PHRASES = "course o lot none last twice noon time times middle front done mean blew lit rained".split()
INTERJECTIONS = "yes no oh please thanks well hello goodbye sorry".split()
BIG_NUMBERS = "thirty forty fifty sixty seventy eighty ninety hundred thousand".split()
#: Class -> word forms that only the sentences for the constructions of a school grammar use.
CONSTRUCTION_FORMS = {
    "noun_singular": "piece slice pair fire place animal world hole nest top age half quarter ground",
    "noun_plural": "pieces slices animals stairs clothes others",
    "noun_mass": "food",
    "verb_base": "blow rain snow wonder do",
    "verb_s": "blows rains snows wonders costs milks does",
    "verb_past": "blew rained snowed wondered cost did",
    "verb_participle": "milked done blown",
    "verb_ing": "blowing raining snowing milking doing",
    "adjective": "clear same other such",
    "adverb": "brightly nearly instead somewhere",
    "determiner": "other such same less neither half",
    "conjunction": "unless",
    "indefinite": "anyone anybody somebody everybody",
    "comparative": "less",
}
