"""More names in a giving story: a third person who neither gives nor receives, or one of the two once again.

In the listed wordings alone the giver's name is the last one told and the one told most often, so that a model could
find the recipient by ruling out the last name or the commonest, without knowing who gives.
Placeholders: {g} the giver, {r} the recipient, {third} somebody else; {g_he}, {r_his} … their pronouns; {feeling},
{r_feeling} a state, {thing} something.
"""

#: After the giver's name, as an aside.
THIRD_ASIDES = (
    ", a friend of {third},",
    ", {third}'s {g_relative},",
    ", {third}'s {g_relative},",
    ", who lived with {third},",
    ", who had come with {third},",
    ", who knew {third} well,",
    ", as {third} had asked,",
    ", like {third},",
    ", who was older than {third},",
    ", who had just called {third},",
    ", with the help of {third},",
    ", a {person} and a friend of {third},",
    " from {third}'s village",
)
#: The same, where the story is told in the present.
THIRD_ASIDES_NOW = (
    ", a friend of {third},",
    ", {third}'s {g_relative},",
    ", who lives with {third},",
    ", who knows {third} well,",
    ", like {third},",
    ", who is older than {third},",
    ", with the help of {third},",
)
#: Before the giver's name: the third one is away, and cannot receive.
THIRD_AWAY = (
    "{third} was not there, so",
    "{third} had gone home, and",
    "{third} was asleep, so",
    "{third} had already left, and",
    "as {third} was ill,",
    "when {third} had left,",
    "since {third} had gone away,",
    "while {third} was asleep,",
    "without {third},",
    "long before {third} came,",
)

#: Whole sentences about one of the two, or both.
MENTION_SENTENCES = (
    "{r} was {feeling}.",
    "{g} was {feeling}.",
    "{r} was {feeling}. {g} was {feeling2}.",
    "{g} was {feeling}, but {r} was {feeling2}.",
    "{r} was {feeling}, but {g} was {feeling2}.",
    "{r} looked at {g}.",
    "{g} looked at {r}.",
    "{r} asked {g} for help.",
    "{r} asked {g} a question.",
    "{g} asked {r} a question.",
    "{g} smiled at {r}.",
    "{r} smiled at {g}.",
    "It was {r}'s birthday.",
    "It was {g}'s idea.",
    "{r} had lost {r_his} {thing}.",
    "{g} had found a new {thing}.",
    "{r} sat down.",
    "{g} sat down.",
    "{g} liked {r}.",
    "{r} liked {g}.",
    "{r} told {g} about the {thing}.",
    "{g} told {r} about the {thing}.",
    "{r} waited for {g}.",
    "The {thing} was {g}'s.",
    "The {thing} was {r}'s.",
    "Everyone knew {r}.",
    "Everyone knew {g}.",
    "{r} was a {person}, and {g} was a {person2}.",
)
#: Clauses that lead on to the giver, after a full stop or a comma.
MENTION_CLAUSES = (
    "{r} was {feeling}, so",
    "{r} looked {look}, and",
    "{g} knew that {r} was {feeling}, so",
    "{g} was {feeling}, so",
    "{r} sat down, and",
    "{r} smiled, and",
    "{r} had no {thing}, so",
    "{g} had a {thing}, so",
    "{r} needed a {thing}, so",
    "{g} saw that {r} was {feeling}, and",
    "{r} knew that {g} was {feeling}, but",
    "{g} and {r} were {feeling}, but",
    "{r} and {g} were {feeling}, and",
    "{r} asked {g} for help, so",
    "{g} asked where {r} was, and",
    "{r} had forgotten {r_his} {thing}, so",
)
#: After the giver's name: the recipient's is then the last one told.
MENTION_ASIDES = (
    " looked at {r} and",
    " saw that {r} was {feeling} and",
    " thanked {r} and then",
    " waited until {r} was ready and then",
    ", who liked {r},",
    ", who knew that {r} was {feeling},",
    ", who was {comparative} than {r},",
    " walked over to {r} and",
    " listened to {r} and then",
    ", who had waited for {r},",
    " heard that {r} was {feeling} and",
    ", {r}'s {g_relative},",
)
LOOKS = "tired sad happy hungry thirsty worried angry bored ill lonely sleepy cold surprised nervous".split()

#: Endings of stories in the present: without a pronoun, with crossed genders, and bound by their grammar.
PRESENT_NEUTRAL = (
    ".", ".", ".", ".", " again.", " before lunch.", " on Sunday.", " without a word.", ", and everyone knows it.",
    ", who is a good friend.", ", but there is no time.",
)  # fmt: skip
PRESENT_SAID = (" that it is time to go.", " that dinner is ready.", ', "Come with me."', ', "It is late."')
PRESENT_CROSSED = (
    " because {g_he} likes {r_him}.", " because {r_he} is {g_his} friend.", " because it is {r_his} birthday.",
    ", and {r_he} is very happy.", ". {r_He} does not know it.", ". {g_He} knows that {r_he} likes it.",
)  # fmt: skip
PRESENT_SAID_CROSSED = (
    " that {g_he} likes {r_him}.", " that {g_he} is tired.", ', "I like you," and {r_he} smiles.',
)  # fmt: skip
PRESENT_BOUND = (
    " on {g_his} way home.", " with a smile on {g_his} face.", ", who is proud of {r_his} work.",
    " to make {r_him} smile.",
)  # fmt: skip
PRESENT_SAID_BOUND = (', "You are my friend," and shakes {r_his} hand.', ', "Hello," with a smile on {g_his} face.')
#: Kind of action -> the neutral, the crossed and the bound endings of the present.
PRESENT_ENDINGS = {
    "gift": (PRESENT_NEUTRAL, PRESENT_CROSSED, PRESENT_BOUND),
    "say": (PRESENT_SAID, PRESENT_SAID_CROSSED, PRESENT_SAID_BOUND),
}

#: A listed gift that has to do with the third person, and how often the third one's name is told there.
THIRD_GIFTS = (
    "{third}'s {gift}", "{third}'s {gift}", "{a_gift} that {third} had made", "the {gift} from {third}",
    "{a_gift} that belonged to {third}", "the {gift} {third} had found", "{a_gift} from {third}",
    "the {gift} that {third} had left there", "{third}'s old {gift}",
)  # fmt: skip
THIRD_IN_OBJECT = 0.6

#: In the present, the few clauses that name one of the two again.
PRESENT_CLAUSES = ("{r} is {feeling}, so", "{g} is {feeling}, so", "{g} knows that {r} is {feeling}, so")
PRESENT_ASIDES = (", who likes {r},", ", who knows that {r} is {feeling},", ", who is {comparative} than {r},")
