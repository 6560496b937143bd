"""The wordings of the giving stories: openings, actions, fillers and endings.

Placeholders: {a} {b} (and {c}) are the people in the order they are named, {place} a bare place, {at} the same
with its preposition ("on the island"), {a_gift} and {gift} what is given, {thing} the gift as the text so far
allows ("a ring", "the ring", "it"), {place2} {at2} {gift2} another place and gift. In endings {g_he}, {r_his} …
are pronouns for the giver and the recipient.
Where a fixed word is a place or a gift after all, `giving.meets_reserved` has the story drawn again.
"""

from resstream_demo.tiny.corpus.words import GIFTS

#: What can be handed over (a kiss or a song cannot be lent or thrown).
CONCRETE_GIFTS = tuple(gift for gift in GIFTS if gift not in ("kiss", "song"))
#: What people make themselves.
HOME_MADE = frozenset(
    "drink snack cake cookie sandwich toy card hat scarf coat blanket necklace lamp basket box".split()
)
#: What is not lent, because it does not come back.
CONSUMED = frozenset("drink snack cake cookie sandwich flower letter present".split())

OPENINGS = (
    "When {a} and {b} went to the {place},",
    "When {a} and {b} came home from the {place},",
    "When {a} and {b} got {a_gift} {at},",
    "When {a} met {b} {at},",
    "When {a} saw {b} {at},",
    "When it got dark {at}, {a} looked for {b}, and then",
    "When the rain stopped, {a} and {b} walked to the {place}, where",
    "After {a} and {b} went to the {place},",
    "After {a} and {b} had lunch {at},",
    "After {a} and {b} had cleaned the {place},",
    "While {a} and {b} were working {at},",
    "While {a} and {b} were walking to the {place},",
    "While {a} was talking with {b} {at},",
    "While {a} and {b} were waiting for the bus,",
    "As {a} and {b} left the {place},",
    "As {a} walked past the {place} with {b},",
    "As {a} and {b} were old friends,",
    "Because {a} and {b} were hungry,",
    "Because {a} had helped {b} {at},",
    "Because {a} and {b} had found {a_gift} {at},",
    "Although {a} and {b} had little money,",
    "Although {a} did not know {b} very well,",
    "Although {a} and {b} were in a hurry to get to the {place},",
    "Once {a} and {b} were back from the {place},",
    "If you had seen {a} and {b} {at}, you would know that",
    "Then, {a} and {b} went to the {place}.",
    "Then, {a} and {b} had a lot of fun {at}.",
    "Then, {a} and {b} were working {at}, and",
    "Then, {a} and {b} had a long argument, and afterwards",
    "Then {a} and {b} went to the {place}, and",
    "Friends {a} and {b} found {a_gift} {at}.",
    "Friends {a} and {b} went to the {place} together, and",
    "{a} and {b} went to the {place}.",
    "{a} and {b} met {at}.",
    "{a} and {b} met {at}, and",
    "{a} and {b} were good friends.",
    "{a} and {b} bought {a_gift} {at}, but later",
    "{a} and {b} were sitting {at} when",
    "{a} and {b} used to work {at}. Last winter",
    "{a} and {b} were playing {at}. After an hour",
    "{a} met {b} {at}.",
    "{a} went to the {place} with {b}.",
    "{a} was looking for {b} {at}. At last",
    "{a} saw {b} near the {place}, and",
    "{a} sat next to {b} {at}.",
    "{a} waited for {b} {at}, and in the end",
    "{a} had {a_gift}. It was for {b}, so",
    "{a} knew that {b} was {at}, so",
    "{a} was older than {b}, but",
    "{a} lived with {b} near the {place}. Every Sunday",
    "One day, {a} and {b} were {at}.",
    "One day {a} and {b} found {a_gift} {at}, and",
    "One morning {a} woke up early and called {b}. Later",
    "One evening {a} came to the {place} with {b}, and",
    "Yesterday {a} visited {b} {at}.",
    "Yesterday {a} and {b} saw {a_gift} {at}, and today",
    "Last week {a} and {b} spent a day {at}.",
    "Last night {a} had dinner with {b}, and",
    "On Monday {a} and {b} met {at}.",
    "On Friday {a} drove {b} to the {place}, where",
    "On Saturday morning {a} and {b} opened the {place}, and",
    "In the afternoon {a} and {b} were alone {at}.",
    "In May {a} and {b} came back to the {place}.",
    "{At}, {a} stood behind {b}.",
    "At noon {a} and {b} were still {at}. Then",
    "Once there were two friends, {a} and {b}.",
    "Once upon a time {a} and {b} lived near the {place}.",
    "There were only two people {at}, {a} and {b}.",
    "My friends {a} and {b} were {at}, and",
    "The teacher took {a} and {b} to the {place}, where",
    "Everybody knows {a} and {b}. Last summer",
    "The two children, {a} and {b}, ran to the {place}, and",
    "It was a cold day. {a} and {b} stayed {at}, and",
    "The sun was shining. {a} and {b} walked around the {place}.",
    "We watched {a} and {b} {at}. First",
    "I remember {a} and {b} {at}. I think",
)

#: Never in training text; with any place.
HELD_OUT_OPENINGS = (
    "Before {a} and {b} got to the {place},",
    "As soon as {a} and {b} reached the {place},",
    "During the holidays {a} often stayed with {b} near the {place}, until",
    "Every year {a} travels to the {place} with {b}. This time",
    "It was late when {a} and {b} finally arrived {at}, but",
    "Since {a} and {b} had to wait {at} for an hour,",
    "Tired and thirsty, {a} and {b} lay down near the {place}.",
    "Nobody but {a} and {b} came to the {place} that night.",
    "Two neighbours, {a} and {b}, share a car to the {place}. This morning",
    "On the way back from the {place}, {a} told {b} a joke, and",
    "Both {a} and {b} were late for the party {at}, so",
    "At the end of a long day, {a} ran into {b} near the {place}.",
)

#: After a sentence of the opening, before the giving.
FILLERS = (
    "It was a sunny day.",
    "It was raining.",
    "The {place2} was full of people.",
    "They were both tired.",
    "They saw {a_gift2} there.",
    "It was late in the evening.",
    "Everyone was happy.",
    "The wind was strong and the sky was grey.",
    "They talked for a long time.",
    "The {place2} was closed.",
    "Nobody else was there.",
    "Some children were playing outside.",
    "Both of them laughed a lot.",
    "It was almost time to go home.",
    "There was a lot of work to do.",
    "They had not seen each other for two years.",
    "Music was playing somewhere.",
)

#: By what kind of ending they ask for: a gift changes hands, is planned, is announced; words; or a gesture.
ACTIONS = {
    "gift": (
        "gave {thing} to",
        "gave {thing} to",
        "gave {thing} to",
        "gave {thing} back to",
        "handed {thing} to",
        "handed {thing} over to",
        "offered {thing} to",
        "passed {thing} to",
        "sent {thing} to",
        "showed {thing} to",
        "brought {thing} to",
        "sold {thing} to",
        "lent {thing} to",
        "threw {thing} to",
        "took {thing} and gave it to",
        "took {thing} home and showed it to",
        "found {a_gift} and gave it to",
        "picked up {thing} and handed it to",
        "bought {a_gift} for",
        "made {a_gift} for",
        "got {a_gift} for",
        "opened the door and gave {thing} to",
        "stood up and passed {thing} to",
        "held out {thing} to",
    ),
    "plan": (
        "decided to give {thing} to",
        "wanted to give {thing} to",
        "was going to give {thing} to",
        "tried to give {thing} to",
        "hoped to give {thing} to",
        "forgot to give {thing} to",
        "planned to show {thing} to",
        "wanted to sell {thing} to",
        "would like to give {thing} to",
    ),
    "say": (
        "said to",
        "said quietly to",
        "called out to",
        "turned around and said to",
        "shouted to",
        "smiled and said to",
    ),
    "gesture": (
        "said hello to",
        "said goodbye to",
        "read a story to",
        "told the truth to",
        "told a secret to",
        "talked to",
        "spoke to",
        "listened to",
        "waved to",
        "smiled at",
        "looked at",
        "sang to",
        "walked over to",
        "sat down next to",
        "asked a question and looked at",
    ),
}
#: How often each kind is drawn in training text.
ACTION_SHARES = {"gift": 62, "plan": 16, "say": 7, "gesture": 15}

#: Never in the giving stories of the training text.
HELD_OUT_ACTIONS = (
    "delivered {thing} to",
    "returned {thing} to",
    "promised {thing} to",
    "carried {thing} across to",
    "quietly slipped {thing} to",
    "had saved {a_gift} for",
    "whispered a few words to",
    "reached for {thing} and tossed it to",
)

#: Endings without a pronoun.
NEUTRAL_ENDINGS = {
    "gift": (
        ".",
        ".",
        ".",
        ".",
        " and smiled.",
        " before lunch.",
        " in the morning.",
        " again.",
        " as a surprise.",
        " without a word.",
        " {at2}.",
        " and said goodbye.",
        ", but nobody saw it.",
        ", who was very happy.",
        ", who laughed.",
        ", and then everyone went home.",
    ),
    "plan": (
        ".",
        ".",
        ".",
        " on Sunday.",
        " before the evening.",
        ", but there was no time.",
        ", but it was too late.",
        ", and everyone knew it.",
    ),
    "say": (
        " that it was time to go.",
        " that dinner was ready.",
        " that the {place2} was closed.",
        ', "Come with me."',
        ', "It is late."',
        ', "What a lovely day!"',
        ', "Where is the {gift2}?"',
    ),
    "gesture": (".", ".", ".", " again.", " before lunch.", " once more.", " {at2}.", " and then went home."),
}

#: Endings for a giver and a recipient of different gender: the pronoun alone says who is meant.
CROSSED_ENDINGS = {
    "gift": (
        ", and {r_he} thanked {g_him}.",
        ", and {r_he} smiled at {g_him}.",
        ", but {r_he} did not want it.",
        ", and {g_he} asked {r_him} to keep it.",
        " because {g_he} liked {r_him}.",
        " because {r_he} was {g_his} best friend.",
        " because it was {r_his} birthday.",
        " because {r_he} had helped {g_him}.",
        ". {r_He} was very happy.",
        ". {r_He} thanked {g_him} and smiled.",
        ". {g_He} knew that {r_he} needed it.",
        '. "Thank you," {r_he} told {g_him}.',
    ),
    "plan": (
        ", but {r_he} had gone home.",
        ", but {r_he} did not want it.",
        " because {g_he} liked {r_him}.",
        " because {r_he} was {g_his} friend.",
        " because it was {r_his} birthday.",
        ". {r_He} did not know about it.",
    ),
    "say": (
        " that {g_he} liked {r_him}.",
        " that {g_he} was tired, and {r_he} nodded.",
        ', "I like you," and {r_he} smiled.',
        ', "Look at that!" But {r_he} did not hear {g_him}.',
    ),
    "gesture": (
        ", and {r_he} smiled at {g_him}.",
        ", but {r_he} did not see {g_him}.",
        " because {g_he} liked {r_him}.",
        ", and {r_he} laughed.",
        ". {r_He} was pleased to see {g_him}.",
    ),
}

#: Endings whose grammar binds the pronoun, whatever the genders.
BOUND_ENDINGS = {
    "gift": (
        " and went back to {g_his} seat.",
        " and went on {g_his} way.",
        " with a smile on {g_his} face.",
        " with {g_his} own hands.",
        " and told {r_him} to keep it.",
        " and asked {r_him} to be careful.",
        " and wished {r_him} a good day.",
        ", who said that {r_he} was very happy.",
        ", who could not believe {r_his} eyes.",
    ),
    "plan": (
        " with {g_his} own hands.",
        " to make {r_him} smile.",
        " on {g_his} way home.",
        ", who had lost {r_his} own.",
    ),
    "say": (', "You are my friend," and shook {r_his} hand.', ', "Good morning," and took {r_him} by the arm.'),
    "gesture": (
        " with a smile on {g_his} face.",
        " and went on {g_his} way.",
        " and shook {r_his} hand.",
        " and took {r_him} by the arm.",
        ", who had just come back from {r_his} work.",
    ),
}

#: Three people are named, one of them gives: either of the others may receive.
TRIO_OPENINGS = (
    "Then {a}, {b} and {c} went to the {place}, and",
    "Then, {a}, {b} and {c} went to the {place}.",
    "When {a}, {b} and {c} went to the {place},",
    "After {a}, {b} and {c} had dinner {at},",
    "{a}, {b} and {c} met {at}.",
    "{a} and {b} visited {c} {at}.",
    "{a} was {at} with {b} and {c}.",
    "While {a} and {b} were waiting for {c} {at},",
    "One day {a}, {b} and {c} found {a_gift} {at}, and",
    "Yesterday {a} saw {b} and {c} {at}.",
    "{a} told {b} that {c} was {at}. Later",
    "There were three friends called {a}, {b} and {c}. One day",
    "On Sunday {a} took {b} to see {c} {at}, and",
    "{a} and {b} were sitting {at} when {c} came along.",
)

#: Before the second giving of a story that goes back and forth.
RETURNS = ("Later", "The next day", "A week later", "After that", "Then", "In the evening", "So", "In return")
