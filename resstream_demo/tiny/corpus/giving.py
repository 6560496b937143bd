"""Stories about two people, a place and a gift: who gives what to whom.

Every function takes a seeded `random.Random` and returns one short text. The stories are ambiguous on purpose:
now and then the gift goes to somebody else, so that nobody can be certain who gets it.
In `giving_story` about half of the openings and of the actions are composed freely, and about half of the stories name
a third person or one of the two again, so that neither a wording, nor which name came last, nor how often it came gives
the recipient away.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from resstream_demo.tiny.corpus import giving_mentions as mentions
from resstream_demo.tiny.corpus import giving_wordings as templates
from resstream_demo.tiny.corpus.giving_actions import composed_action
from resstream_demo.tiny.corpus.giving_extras import Told, add_mention, add_third
from resstream_demo.tiny.corpus.giving_openings import composed_opening
from resstream_demo.tiny.corpus.held_out import is_held_out
from resstream_demo.tiny.corpus.lexicon.inflect import plural, with_article
from resstream_demo.tiny.corpus.names import (
    at,
    gender_words,
    is_male,
    name_group,
    name_pair,
    object_pronoun,
    possessive,
)
from resstream_demo.tiny.corpus.words import OTHERS, PLACES

CLOSE_ONES = ("brother", "sister", "mother", "father", "friend", "dog", "son", "daughter", "aunt", "uncle")
SOMEBODY = ("a friend", "everyone", "someone", "a stranger", "another friend", "the others")

#: The wording that the literature on indirect objects asks about, and how often a story has it.
CLASSIC = ("When {a} and {b} went to the {place},", "gave {thing} to", "gift")
CLASSIC_SHARE = 0.06
#: How often a story's ending tells on with a pronoun.
CROSSED_SHARE = 0.52
BOUND_SHARE = 0.3
OTHER_BOUND_SHARE = 0.2
FILLER_SHARE = 0.3
#: How often a training opening, and a training action, is composed freely; how often both, in the present tense.
COMPOSED_SHARE = 0.45
PRESENT_SHARE = 0.07
#: How often a third person is named besides the two, and how often one of the two is named once more.
THIRD_SHARE = 0.12
MENTION_SHARE = 0.12

#: A word that the parts of a story may both have: "and then then", "and then Tom then".
SAID_TWICE = re.compile(r"\b(then|later|soon|again|finally)\b,? (?:\w+ )?\1\b", re.IGNORECASE)
_PLACE_FORMS = {form: place for place in PLACES for form in (place, plural(place))}
_GIFT_FORMS = {form: gift for gift in templates.CONCRETE_GIFTS for form in (gift, plural(gift))}


@dataclass(frozen=True)
class Scene:
    """Two places and two gifts; the first of each carry the story, the others are asides."""

    places: tuple[str, str]
    gifts: tuple[str, str]

    def words(self) -> dict[str, str]:
        """For the openings, the fillers and the endings, by placeholder."""
        (place, place2), (gift, gift2) = self.places, self.gifts
        return {
            "place": place,
            "at": at(place),
            "At": at(place).capitalize(),
            "place2": place2,
            "at2": at(place2),
            "gift": gift,
            "a_gift": with_article(gift),
            "gift2": gift2,
            "a_gift2": with_article(gift2),
        }


@dataclass(frozen=True)
class Giving:
    """An indirect-object prompt without its ending, and who is in it.

    `third` is somebody who only happens to be named ("" if nobody is); `tense` is "past" or "present"; `many` says
    whether what is given is more than one.
    """

    prompt: str
    giver: str
    recipient: str
    kind: str
    scene: Scene
    third: str = ""
    tense: str = "past"
    many: bool = False


def scene_is_held_out(place: str, gift: str) -> bool:
    """Whether this place and this gift never meet in the training text of the giving stories."""
    return is_held_out("scene", place, gift)


def meets_reserved(text: str, scene: Scene | None = None) -> bool:
    """Whether a reserved place and gift, in the singular or the plural, both occur in the text and its scene."""
    words = set(re.findall(r"\w+", text.lower()))
    words |= {*scene.places, *scene.gifts} if scene else set()
    places = {_PLACE_FORMS[word] for word in words & _PLACE_FORMS.keys()}
    gifts = {_GIFT_FORMS[word] for word in words & _GIFT_FORMS.keys()}
    return any(scene_is_held_out(place, gift) for place in places for gift in gifts)


def draw_scene(rng: Random, *, held_out: bool = False) -> Scene:
    """A scene none of whose places meets a reserved gift; or, `held_out`, one whose first two are reserved."""
    while True:
        places, gifts = rng.sample(PLACES, 2), rng.sample(templates.CONCRETE_GIFTS, 2)
        reserved = [scene_is_held_out(place, gift) for place in places for gift in gifts]
        if reserved[0] if held_out else not any(reserved):
            return Scene(tuple(places), tuple(gifts))


def draw_action(rng: Random, scene: Scene) -> tuple[str, str]:
    """A training action and its kind; nobody lends what is eaten, or makes what is bought."""
    (kind,) = rng.choices(tuple(templates.ACTION_SHARES), tuple(templates.ACTION_SHARES.values()))
    gifts = set(scene.gifts)
    while True:
        action = rng.choice(templates.ACTIONS[kind])
        if action.startswith("lent") and gifts & templates.CONSUMED:
            continue
        if action.startswith("made") and not gifts <= templates.HOME_MADE:
            continue
        return action, kind


def say_action(rng: Random, action: str, scene: Scene, introduced: bool, third: str = "") -> str:
    """The action in words. A gift that the text has `introduced` is "the ring" or "it" from then on.

    With `third` the gift is that person's, or comes from them.
    """
    gift, gift2 = scene.gifts
    other = with_article(gift2 if introduced else gift)
    if third:
        comes = rng.choice(mentions.THIRD_GIFTS)
        thing, other = (comes.format(gift=gift, a_gift=with_article(gift), third=third) for gift in (gift, gift2))
    elif introduced:
        thing = "it" if rng.random() < 0.3 else f"the {gift}"
    else:
        thing = with_article(gift) if rng.random() < 0.75 else f"the {gift}"
    text = action.format(thing=thing, a_gift=other)
    return text.replace("picked up it ", "picked it up ").replace("held out it ", "held it out ")


def _held_out_template(rng: Random, opening: str, action: str, kind: str) -> tuple[str, str, str]:
    """Opening, action or both replaced by one that training text never has, a third each."""
    which = rng.choice(("opening", "action", "both"))
    if which != "action":
        opening = rng.choice(templates.HELD_OUT_OPENINGS)
    if which != "opening":
        action, kind = rng.choice(templates.HELD_OUT_ACTIONS), "gift"
    return opening, action, kind


def _wording(rng: Random, scene: Scene, held_out_template: bool, whole_scene: bool) -> tuple[str, str, str]:
    """Opening, action and the action's kind; with `whole_scene` the wording names both place and gift."""
    while True:
        if rng.random() < CLASSIC_SHARE:
            opening, action, kind = CLASSIC
        else:
            opening, (action, kind) = rng.choice(templates.OPENINGS), draw_action(rng, scene)
        if held_out_template:
            opening, action, kind = _held_out_template(rng, opening, action, kind)
        names_place = any(slot in opening for slot in ("{place}", "{at}", "{At}"))
        names_gift = "{a_gift}" in opening or "{thing}" in action or "{a_gift}" in action
        if not whole_scene or (names_place and names_gift):
            return opening, action, kind


def _fillers(rng: Random, scene: Scene) -> list[str]:
    chosen = rng.sample(templates.FILLERS, rng.choice((1, 1, 1, 2))) if rng.random() < FILLER_SHARE else []
    return [filler.format(**scene.words()) for filler in chosen]


def _listed_story(
    rng: Random, names: tuple[str, str], giver: str, scene: Scene, held_out_template: bool, whole_scene: bool
) -> Told:
    """A story in listed wordings only, with nobody else in it."""
    opening, action, kind = _wording(rng, scene, held_out_template, whole_scene)
    parts = [opening.format(a=names[0], b=names[1], **scene.words())]
    parts += _fillers(rng, scene) if opening.endswith(".") else []
    return Told(" ".join(parts), giver, say_action(rng, action, scene, "{a_gift}" in opening), kind)


def _opening(rng: Random, first: str, second: str, scene: Scene) -> tuple[str, bool]:
    """A training opening in the past, composed or listed, and whether it introduces the gift."""
    if rng.random() < COMPOSED_SHARE:
        return composed_opening(rng, first, second), False
    template = rng.choice(templates.OPENINGS)
    return template.format(a=first, b=second, **scene.words()), "{a_gift}" in template


def _action(
    rng: Random, giver: str, scene: Scene, tense: str, introduced: bool, third: str
) -> tuple[str, str, bool, bool]:
    """A training action in words, its kind, whether many things are given, and whether it names `third`."""
    if tense == "present" or rng.random() < COMPOSED_SHARE:
        return (*composed_action(rng, giver, tense, third), bool(third))
    action, kind = draw_action(rng, scene)
    has_gift = "{thing}" in action or "{a_gift}" in action
    return say_action(rng, action, scene, introduced, third if has_gift else ""), kind, False, bool(third) and has_gift


def _trained_story(rng: Random, names: tuple[str, str], giver: str, recipient: str, scene: Scene) -> Told:
    """A story as training text has them: listed and composed parts, and names that are told once more."""
    if rng.random() < CLASSIC_SHARE:
        opening, action, kind = CLASSIC
        opening = opening.format(a=names[0], b=names[1], **scene.words())
        return Told(opening, giver, say_action(rng, action, scene, False), kind)
    tense, introduced = "present" if rng.random() < PRESENT_SHARE else "past", False
    if tense == "present":
        opening = composed_opening(rng, *names, tense)
    else:
        opening, introduced = _opening(rng, *names, scene)
    extra = rng.random()
    third = name_group(rng, giver, recipient, size=3)[2] if extra < THIRD_SHARE else ""
    in_object = third if rng.random() < mentions.THIRD_IN_OBJECT else ""
    action, kind, many, named = _action(rng, giver, scene, tense, introduced, in_object)
    told = Told(opening, giver, action, kind, tense, many, third)
    if third:
        return told if named else add_third(rng, told)
    if extra < THIRD_SHARE + MENTION_SHARE:
        return add_mention(rng, told, recipient)
    if opening.endswith(".") and tense == "past":
        told = told.opened(" ".join((opening, *_fillers(rng, scene))))
    return told


def giving_prompt(
    rng: Random,
    *,
    held_out: bool = False,
    held_out_template: bool = False,
    held_out_scene: bool = False,
    listed: bool = False,
    giver_first: bool | None = None,
    names: tuple[str, str] | None = None,
) -> Giving:
    """One indirect-object prompt ending right before the recipient.

    `held_out` draws a pair of names, `held_out_template` an opening, an action or both, and `held_out_scene`
    a place with a gift that training text never has. The two last, and `listed`, keep to the task's usual form: listed
    wordings, two names, no further one. `names` fixes the names in the order they are told.
    `giver_first` fixes who gives: True is BABA (the giver is named first), False is ABBA, None draws it.
    """
    first, second = names or name_pair(rng, held_out)
    if giver_first is None:
        giver_first = rng.random() < 0.5
    giver, recipient = (first, second) if giver_first else (second, first)
    while True:
        scene = draw_scene(rng, held_out=held_out_scene)
        if listed or held_out_template or held_out_scene:
            told = _listed_story(rng, (first, second), giver, scene, held_out_template, held_out_scene)
        else:
            told = _trained_story(rng, (first, second), giver, recipient, scene)
        if SAID_TWICE.search(told.text):
            continue
        if held_out_scene or not meets_reserved(told.text, scene):
            return Giving(told.text, giver, recipient, told.kind, scene, told.third, told.tense, told.many)


def recipient_phrase(rng: Random, story: Giving) -> str:
    """Who gets it: mostly the other person, sometimes somebody the reader could not foresee."""
    choice = rng.random()
    if choice < 0.78:
        return story.recipient
    if choice < 0.795:
        return f"{story.giver}'s {rng.choice(CLOSE_ONES)}"
    if choice < 0.815:
        return f"{story.recipient}'s {rng.choice(CLOSE_ONES)}"
    if choice < 0.875:
        return f"the {rng.choice(OTHERS)}"
    if choice < 0.91:
        known = [name for name in (story.giver, story.recipient, story.third) if name]
        return name_group(rng, *known, size=len(known) + 1)[-1]
    if choice < 0.945:
        return object_pronoun(story.recipient)
    if choice < 0.97:
        return f"{possessive(story.giver)} {rng.choice(CLOSE_ONES)}"
    return rng.choice(SOMEBODY)


def _endings(story: Giving) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The neutral, the crossed and the bound endings that fit the story's tense and kind."""
    if story.tense == "present":
        return mentions.PRESENT_ENDINGS["say" if story.kind == "say" else "gift"]
    kind = story.kind
    return templates.NEUTRAL_ENDINGS[kind], templates.CROSSED_ENDINGS[kind], templates.BOUND_ENDINGS[kind]


def ending(rng: Random, story: Giving, received: str) -> str:
    """How the sentence goes on after the recipient, in four of ten cases with a pronoun that is clear."""
    words = story.scene.words()
    words |= gender_words(story.giver, "g_") | gender_words(story.recipient, "r_")
    tail = _ending(rng, story, received).format(**words)
    # "gave some apples to Anna, but she did not want them"
    return re.sub(r"(want|needed|keep) it\b", r"\1 them", tail) if story.many else tail


def _ending(rng: Random, story: Giving, received: str) -> str:
    neutral, crossed, bound = _endings(story)
    choice = rng.random()
    if received == story.recipient:
        differ = is_male(story.giver) != is_male(story.recipient)
        if differ and choice < CROSSED_SHARE:
            return rng.choice(crossed)
        if choice > 1 - (BOUND_SHARE / 2 if differ else BOUND_SHARE):
            return rng.choice(bound)
    else:
        givers = [text for text in bound if "{r_" not in text]
        if givers and choice < OTHER_BOUND_SHARE:
            return rng.choice(givers)
        neutral = [text for text in neutral if not text.startswith(", who")]
    return rng.choice(neutral)


def giving_story(rng: Random) -> str:
    story = giving_prompt(rng)
    received = recipient_phrase(rng, story)
    return f"{story.prompt} {received}{ending(rng, story, received)}"


def _until_clear(rng: Random, write: Callable[[Random], str]) -> str:
    """The first text that `write` draws in which no reserved place meets its gift, and which says nothing twice."""
    while meets_reserved(text := write(rng)) or SAID_TWICE.search(text):
        pass
    return text


def double_object_story(rng: Random) -> str:
    """The same with the recipient before the gift: "John gave Mary a drink"."""
    return _until_clear(rng, _double_object)


def _double_object(rng: Random) -> str:
    first, second = name_pair(rng, held_out=False)
    giver, recipient = (first, second) if rng.random() < 0.5 else (second, first)
    scene = draw_scene(rng)
    opening, introduced = _opening(rng, first, second, scene)
    gift = f"the {scene.gifts[0]}" if introduced else with_article(scene.gifts[0])
    verbs = ("gave", "handed", "offered", "showed", "sent", "brought", "passed", "wanted to give", "decided to give")
    act = f"{giver} {rng.choice(verbs)} {recipient} {gift}"
    tail = "."
    if is_male(giver) != is_male(recipient) and rng.random() < 0.4:
        words = gender_words(giver, "g_") | gender_words(recipient, "r_")
        tail = rng.choice(
            (
                " because {r_he} was {g_his} friend.",
                " because {g_he} liked {r_him}.",
                ", but {r_he} did not want it.",
                ", and {r_he} was glad.",
            )
        ).format(**words)
    return f"{opening} {act}{tail}"


def third_giver_story(rng: Random) -> str:
    """Two people are named, a third one gives: either of the two may receive."""
    return _until_clear(rng, _third_giver)


def _third_giver(rng: Random) -> str:
    first, second, giver = name_group(rng, size=3)
    scene = draw_scene(rng)
    opening, introduced = _opening(rng, first, second, scene)
    said, kind, _, _ = _action(rng, giver, scene, "past", introduced, "")
    recipient = rng.choice((first, second, first, second, "them", f"{first} and {second}"))
    tail = rng.choice(templates.NEUTRAL_ENDINGS["say"]).format(**scene.words()) if kind == "say" else "."
    return f"{opening} {giver} {said} {recipient}{tail}"


def trio_story(rng: Random) -> str:
    """Three people are named, one of them gives: either of the other two may receive."""
    trio = name_group(rng, size=3)
    giver, recipient, _ = rng.sample(trio, 3)
    scene, template = draw_scene(rng), rng.choice(templates.TRIO_OPENINGS)
    action, kind = draw_action(rng, scene)
    opening = template.format(a=trio[0], b=trio[1], c=trio[2], **scene.words())
    prompt = f"{opening} {giver} {say_action(rng, action, scene, '{a_gift}' in template)}"
    tail = rng.choice(templates.NEUTRAL_ENDINGS[kind]).format(**scene.words())
    return f"{prompt} {recipient}{tail}"


def return_story(rng: Random) -> str:
    """Two people give to each other in turn, with a sentence between now and then."""
    story = giving_prompt(rng)
    while story.kind not in ("gift", "gesture") or story.tense != "past" or story.many:
        story = giving_prompt(rng)
    words = story.scene.words()
    parts = [f"{story.prompt} {story.recipient}."]
    if rng.random() < 0.4:
        parts.append(rng.choice(templates.FILLERS).format(**words))
    back = rng.choice(("gave", "handed", "sent", "showed", "brought", "wanted to give"))
    parts.append(f"{rng.choice(templates.RETURNS)} {story.recipient} {back} {words['a_gift2']} to {story.giver}.")
    return " ".join(parts)
