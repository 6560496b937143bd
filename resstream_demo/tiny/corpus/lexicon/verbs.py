"""The verbs of the small world by frame; a transitive verb stands under the kinds of object that it takes."""

from resstream_demo.tiny.corpus.lexicon.inflect import Verb, verb

#: Frame -> verbs whose subject is a person; "base@link" adds a particle.
FRAMES = {
    "intransitive": """
laugh smile cry work sing dance talk rest sleep wake@up get@up sit@down stand@up lie@down cough sneeze yawn snore
shout pray nod sigh relax complain apologise wave tremble shiver giggle hesitate cheer clap chat wink weep faint
practise exercise come@back go@away run@away grow@up give@up slow@down calm@down joke gossip snooze shrug speak quarrel
""",
    "motion": """
go walk run come travel return hurry drive swim sail move rush march wander crawl cycle ride race creep stroll dash
sneak step drift
""",
    "posture": "live sit stand stay wait hide camp arrive rest kneel work eat sleep play study shop fish",
    "say": "say explain announce admit claim reply shout whisper promise complain mention insist swear",
    "think": """
think know believe hope understand remember notice hear feel realise suppose guess dream learn doubt imagine pretend
discover worry agree forget
""",
    "infinitive": """
want try hope plan decide learn need love like begin start forget promise refuse agree wish expect prefer offer manage
hate prepare choose continue
""",
    "gerund": "enjoy start stop keep finish like love hate begin avoid prefer practise dislike continue",
    "link": "look seem feel become get stay remain sound",
    "animal": """
sleep eat run hide play rest jump breathe wake@up lie@down run@away come@back swim dance tremble shiver listen yawn
stare sniff wait fight escape scream
""",
    "animal_motion": "run go walk jump come rush wander crawl creep race hop trot leap climb swim",
    "tell": "tell remind warn inform",
    "ask": "ask tell teach help want allow invite order advise persuade",
}

#: Kinds of objects -> transitive verbs that a person does to them.
TRANSITIVE = {
    "food": "eat cook taste cut peel bake chop fry boil share pick smell chew swallow try serve mix order burn",
    "dish": "eat make cook prepare enjoy finish skip order serve",
    "drink": "drink pour make spill sip serve heat order",
    "clothing": "wear wash put@on take@off fold iron sew try@on mend dry tear button borrow knit",
    "vehicle": "drive repair park stop wash paint steer hire load crash",
    "thing tool": """
find buy lose carry take use hold drop bring hide want keep pick@up put@down throw@away break steal borrow choose lift
collect pack wrap grab return fetch check deliver fill examine polish count search@for sell
""",
    "furniture thing": "move clean push paint buy make sell repair touch decorate dust pull",
    "part": "open close paint shut repair clean lock build knock@on decorate",
    "building": "build visit leave enter clean own paint guard reach find sweep pass",
    "place": "visit leave cross explore reach clean sweep pass love",
    "nature": "cross see reach explore visit admire draw photograph paint",
    "sky": "see draw watch point@at admire notice describe",
    "plant": "plant grow water cut pick find smell dig@up gather climb",
    "text": "read write send study find open finish print hide translate copy tear sign",
    "art": "make enjoy admire remember choose finish study create",
    "music": "play hear hold tune ring practise",
    "machine": "use fix turn@on turn@off repair switch@on switch@off invent build buy start",
    "body": "hurt touch wash move rub scratch lift shake bend dry turn cover",
    "person": """
help meet see visit call thank follow know love teach trust marry greet hug kiss forgive invite miss surprise wake
watch find blame praise ask answer wait@for listen@to look@at talk@to smile@at shout@at wave@to care@for laugh@at
remember scare warn join comfort tease annoy interrupt beat fight save lead disturb protect
""",
    "animal": """
feed see chase hear catch watch train stroke follow ride wash save hunt find draw keep look@after frighten brush
""",
    "event": """
enjoy plan watch miss remember win organise attend lose talk@about celebrate cancel hear@about prepare@for discuss
look@forward+to
""",
    "idea": """
explain understand forget remember discuss need think@about share guess talk@about describe hear ask@about
consider solve write@down accept express worry@about believe@in mention invent laugh@about
""",
    "weather": "like hate hear feel love complain@about",
    "material": "buy use cut need touch collect sell find measure burn weigh",
    "game": "play watch enjoy learn love teach",
    "group": "join see lead help meet follow support leave trust thank",
    "time": "remember enjoy spend waste",
}

#: What a person is in a state towards: no progressive; any concrete thing.
STATE = (
    "like love need want hate own have miss prefer know see notice dream@of think@about ask@for pay@for look@for afford"
)
#: Verbs with a thing and a receiver.
GIVING = "give send show bring offer lend hand pass sell throw read sing describe present explain deliver"

#: What things of a kind do by themselves.
THING_VERBS = {
    "thing": "fall break disappear shine roll drop sink vanish burn float crack melt",
    "vehicle": "stop leave arrive crash turn move start slow@down break@down race",
    "machine": "stop start work break@down explode hum beep shake",
    "plant": "grow die bloom fall bend spread",
    "sky": "appear disappear shine rise change move fade",
    "weather": "stop start come begin continue increase",
    "event": "start end begin finish happen continue",
    "building": "burn@down stand collapse open close",
    "part": "open close break creak shake",
    "body": "hurt ache itch heal swell shake",
    "idea": "change matter remain help belong@to+everyone",
    "time": "pass end begin come",
    "food": "burn freeze smell rot cool dry",
    "group": "win lose wait cheer argue return practise agree grow",
    "nature": "freeze change dry@up remain disappear",
    "music": "sound break fall",
}

#: Which animals make which sounds, and what else they do.
ANIMAL_ACTS = {
    "dog": "bark growl howl dig", "puppy": "bark growl dig", "cat": "purr hiss scratch", "kitten": "purr hiss scratch",
    "lion": "roar growl", "tiger": "roar growl", "bear": "roar growl dig", "wolf": "howl growl", "snake": "hiss bite",
    "horse": "gallop kick", "donkey": "kick", "bird": "sing fly", "owl": "hoot fly", "duck": "quack fly swim",
    "bee": """
buzz fly sting
""", "crow": "caw fly", "eagle": "fly hunt", "mole": "dig", "badger": "dig", "rabbit": "hop dig",
    "robin": "sing fly", "sparrow": "chirp fly", "pony": "gallop kick", "frog": "croak hop", "goose": "hiss fly",
}  # fmt: skip


def _all() -> tuple[Verb, ...]:
    out = [verb(entry, frame) for frame, words in FRAMES.items() for entry in words.split()]
    for kinds, words in TRANSITIVE.items():
        out += [verb(entry, "transitive", tuple(kinds.split())) for entry in words.split()]
    out += [verb(entry, "state", ("thing", "clothing")) for entry in STATE.split()]
    out += [verb(entry, "giving", ("thing",)) for entry in GIVING.split()]
    for kind, words in THING_VERBS.items():
        out += [verb(entry, "thing:" + kind) for entry in words.split()]
    out += [verb(entry, "act:" + animal) for animal, words in ANIMAL_ACTS.items() for entry in words.split()]
    return (*out, verb("be", "be"))


VERBS = _all()
BY_FRAME = {frame: tuple(v for v in VERBS if v.frame == frame) for frame in dict.fromkeys(v.frame for v in VERBS)}
