"""The plots of the short stories: steps, each with the sentences that can tell it.

Slots: {n1} {n2} {n3} are names, {he1} {his1} {him1} the pronouns of the first; {thing} {animal} … are nouns of that
kind, {thing2} another; {adj_thing} an adjective that fits; {at} "in the park", whose place is {where}; ":a" writes the
article and ":s" the plural. Every variant of a step must fit every variant of the others.
"""


def _steps(text: str) -> tuple[tuple[str, ...], ...]:
    """Steps are lines; the variants of one are parted by bars, and a line that starts with one goes on."""
    text = text.replace("\n|", " |")
    return tuple(tuple(part.strip() for part in line.split("|")) for line in text.strip().splitlines())


PLOTS = tuple(
    _steps(plot)
    for plot in (
        # Lost and found.
        """
{n1} had {adj_thing:a} {thing}. | {n1} loved {his1} {adj_thing} {thing}. | {n1} got {adj_thing:a} {thing} from {n2}.
One day, {he1} lost it {at}. | On {day}, the {thing} was gone. | One morning, {he1} could not find the {thing}.
{n1} looked under the {furniture} and behind the door. | {He1} looked everywhere, but it was not there.
| {He1} asked {n2}, but {n2} had not seen it.
At last, {n2} found the {thing} {at}. | Then {n2} saw it near the {furniture2}.
| After an hour, {n2} came with the {thing}.
"Thank you!" said {n1}. | {n1} was very happy and thanked {n2}. | {n1} smiled and put the {thing} into {his1} bag.
""",
        # A trip.
        """
On {day}, {n1} and {n2} went on a trip to the {nature}. | In {month}, {n1} and {n2} travelled to the {nature}.
They took the {vehicle} and left early in the morning. | They went there by {vehicle}, and it took {number} hours.
On the way, they saw {adj_animal:a} {animal} and many {plant:s}.
| From the window, they could see {animal:s} and {animal2:s}.
At noon, they sat down and ate some {food:s}. | They were hungry, so they ate {food:a} and drank some {drink}.
Then it began to rain, and {n1} opened {his1} umbrella. | {n2} took a photo of the {nature}.
| {n1} swam, and {n2} slept under {plant:a}.
In the evening, they came home tired but happy. | It was late when they returned.
| "Let us go there again!" said {n2}.
""",
        # A visit.
        """
{n1} went to see {his1} grandmother on {day}. | Last {day}, {n1} visited {his1} uncle.
{He1} brought some {food:s} and {text:a}. | {He1} took {adj_thing:a} {thing} with {him1}.
They sat at the table and talked about {n2}. | They drank some {drink} and looked at old photos.
| They read {text2:a} and laughed.
In the end, {n1} said goodbye and went home. | In the evening, {n1} walked home past the {town}.
""",
        # Cooking.
        """
{n1} wanted to cook soup for {n2}. | {n1} was hungry and decided to make a pie.
| It was {n2}'s birthday, so {n1} wanted to bake a cake.
First, {he1} washed the {food:s} and cut them with a knife. | {He1} went to the market and bought {number} {food:s}.
Then {he1} put everything into a big pot. | Next, {he1} needed {food2:a}, but there was none in the kitchen.
After an hour, it was ready. | The whole house smelled good. | {n2} came in and asked, "What are you making?"
{n2} tasted it and said that it was delicious. | "It is too salty," said {n2}, but {he2} ate everything.
| They ate together, and nothing was left.
""",
        # A storm.
        """
A storm came up one night in {month}. | On {day}, the sky became dark, and the wind blew hard.
{n1} was {at} with {his1} {animal}. | {n1} was alone at home. | {n1} and {n2} were still {at}.
The rain fell on the roof, and there was thunder and lightning. | A big {plant} fell down near the {building}.
{n1} was afraid and closed all the windows. | {n1} lit a candle and waited. | "Don't be afraid," said {n2}.
In the morning, the storm was over, and the sun was shining. | After two hours, the rain stopped.
| Then everything was quiet again.
""",
        # A race.
        """
There was a race {at} on {day}. | {n1} and {n2} wanted to know who was faster. | Every year, there is a big race {at}.
{n1} ran fast, but {n2} ran faster. | At first, {n1} was in front of {n2}.
| {n2} started too late, but {he2} did not give up.
Then {n1} fell and hurt {his1} knee. | Near the {building}, {n1} became tired.
| Suddenly, {adj_animal:a} {animal} ran across the path.
{n2} stopped and helped {n1}. | {n2} waited for {n1}, and they crossed the line together.
| {n3} passed them both and won the race.
Everyone cheered. | "Well done!" shouted {n3}. | The prize was {thing:a}, and they shared it.
""",
        # Learning.
        """
{n1} wanted to learn to play the {music}. | {n1} could not play the {music}, but {he1} wanted to learn it.
{n2} was a good teacher and showed {him1} how. | {His1} teacher, {n2}, was very patient.
At first, it was difficult. | In the first week, it sounded terrible.
| The neighbours complained about the noise of the {music}.
But {n1} practised every day after school. | {n1} did not give up and practised for {number} weeks.
In {month}, {he1} played {art:a} for {his1} family. | Now {he1} plays the {music} better than {n2}.
| In the end, {he1} gave a concert, and everyone clapped.
""",
        # A birthday.
        """
It was {n1}'s birthday. | On {day}, {n1} was {number} years old. | {n1} had a birthday party in {month}.
{n2} gave {him1} {adj_thing:a} {thing}, and {n3} gave {him1} {clothing:a}.
| {n2} brought {thing:a}, and {n3} baked a cake.
They played games and sang songs. | There was cake, {drink} and {food:s} for everyone.
The {thing} was the best present of all. | "I love it!" said {n1}. | {n1} thanked {his1} friends and laughed.
At night, {n1} was tired and fell asleep at once. | It was a wonderful day.
| When the guests went home, it was already dark.
""",
        # A market.
        """
{n1} went to the market to buy {food:s}. | On {day}, {n1} needed {food:s} and went to the market.
The {person} sold them for two pounds. | The {person} at the market had only {number} {food:s} left.
"That is too expensive," said {n1}. | {n1} counted {his1} coins, but {he1} did not have enough money.
So {he1} bought some cheaper {food2:s}. | So {he1} asked {n2} for some money.
| {n2} saw {him1} and paid for everything.
Then {he1} went home past the {town}. | At home, {he1} put them into a bowl.
| In the evening, {he1} shared them with {n2}.
""",
        # A new neighbour.
        """
A new neighbour moved into the {adj_building} house near the {town}.
| {n1} had a new neighbour, {person:a} from the city.
The neighbour's name was {n2}. | "Hello, my name is {n2}," said the neighbour.
{n2} had {number} {pet:s} and {adj_furniture:a} {furniture}. | {n2} came with {adj_animal:a} {animal} and many boxes.
{n1} helped {him2} to carry the {furniture}. | {n1} brought {him2} some {food:s} and {drink}.
Soon they were good friends. | Now they play {game} together every {day}.
| Since then, {n1} and {n2} have met every week.
""",
        # Helping an animal.
        """
{n1} found {adj_animal:a} {pet} {at}. | One day, {n1} heard a noise {at}. It was {adj_animal:a} {pet}.
The {pet} was hungry and could not walk. | The {pet} had hurt its leg.
| The {pet} was cold and wet, because it had rained all night.
{n1} took it home and gave it some water. | {n1} carried the {pet} to the doctor.
| {n1} put it into {adj_thing:a} box with a blanket.
After {number} days, the {pet} was well again. | {n2} helped {him1} to feed it.
| The {pet} slept near the fireplace and ate a lot.
Then the {pet} went back to the {nature}. | Now the {pet} lives with {n1}.
| {n1} called the {pet} {n3}, and it stayed with {him1}.
""",
        # A quarrel, made up.
        """
{n1} and {n2} were good friends, but one day they quarrelled. | {n1} and {n2} argued about {adj_thing:a} {thing}.
{n1} said that the {thing} was {his1}, not {n2}'s. | {n2} had broken the {thing} and did not say sorry.
{n1} was angry and went home. | They did not speak for {number} days. | {n2} cried and ran away.
Then {n3} talked to them both. | On {day}, {n1} thought about it and felt sorry. | {n2} wrote a letter to {n1}.
"I am sorry," said {n1}. "Let us be friends again." | {n1} forgave {n2}, and they shook hands.
| Since then, they have shared the {thing}.
""",
        # Something made.
        """
{n1} needed a new {furniture}, but {furniture:a} is expensive. | {n1} wanted to build {furniture:a} for {n2}.
{He1} took {tool:a} and some wood. | {He1} borrowed {n2}'s {tool} and bought {number} nails.
{He1} worked in the garage until the evening. | {He1} measured the wood and cut it carefully.
{n2} painted it blue. | When it was ready, {n2} decorated it with {plant:s}.
Now the {furniture} stands next to the {furniture2}. | "It is beautiful," said {n2}.
| It was not perfect, but {n1} was proud.
""",
        # Animals.
        """
{adj_animal:a} {animal} lived near the {nature}. | Once there was {adj_animal:a} {animal} who lived {at}.
One day, it met {animal2:a}. | Every day, {animal2:a} came to visit it.
"I am hungry," said the {animal2}. | "Can you help me?" asked the {animal2}. "I have lost my way."
The {animal} gave the {animal2} some {food:s}. | The {animal} showed the {animal2} the way to the {nature2}.
From then on, the {animal} and the {animal2} were friends. | The {animal2} thanked the {animal} and went away.
| Since that day, they have lived together.
""",
        # A day at school.
        """
{n1} was late for school, because the {vehicle} did not come. | On {day}, {n1} woke up too late.
The teacher was not angry, but {n1} felt ashamed. | "Where have you been?" asked the teacher.
In the first lesson, they read {text:a} about {animal:s}.
| Then the class learned about the {nature} and its {animal:s}.
{n2} knew every answer. | {n1} forgot {his1} {text2}, so {n2} shared with {him1}.
| {n1} drew {animal2:a}, and {n2} laughed.
After school, they played {game} in the playground. | At home, {n1} did {his1} homework at once.
""",
        # A letter.
        """
{n1} wrote a letter to {n2}. | A letter came for {n2} on {day}. It was from {n1}.
"I am {at}," {n1} wrote. "The weather is fine." | In the letter, {n1} told {him2} about {his1} new {vehicle}.
{n2} read the letter twice. | {n2} was so glad that {he2} read it to {n3}.
Then {he2} answered it at once. | {He2} put it into {adj_furniture:a} drawer. | In {month}, {n2} went to see {n1}.
""",
        # The wrong thing.
        """
{n1} put on {his1} {clothing} and went to the {town}.
| At the {town}, {n1} took {adj_clothing:a} {clothing} and went home.
But it was not {his1} {clothing}. | On the way, {he1} noticed that the {clothing} was too small.
It was {n2}'s. | {n2}'s name was on it. | In it, there was {thing:a} with the name of {n2}.
{n1} went back and said sorry. | {n1} called {n2} and explained everything. | They both laughed about the mistake.
""",
        # A broken machine.
        """
{n1}'s {machine} did not work. | On {day}, the {machine} of {n1} stopped.
| The {machine} broke when {n1} turned it on.
{He1} called {person:a}. | {He1} asked {n2} for help, because {n2} knows a lot about machines.
{n2} opened it with {tool:a}. | {n2} looked at it and shook {his2} head. | {n2} cleaned it and changed the battery.
After an hour, the {machine} worked again. | "You need a new {machine}," said {n2}.
| In the end, {n1} bought a better one.
""",
        # A surprise.
        """
{n1} heard a knock at the door. | Someone knocked on {n1}'s window in the middle of the night.
{n1} was frightened and hid behind the {furniture}. | "Who is there?" asked {n1}.
Nobody answered. | {n1} took {tool:a} and opened the door slowly.
It was only {adj_animal:a} {animal}. | It was {n2} with {adj_thing:a} {thing}.
| There was nothing outside but {thing:a}.
{n1} laughed. | {n1} felt foolish and went back to bed. | It was a night that {n1} never forgot.
""",
        # The garden.
        """
In spring, {n1} planted {number} {plant:s} behind the {building}. | {n1} has a garden with {plant:s} and {plant2:s}.
{He1} watered them every morning. | Every day, {he1} works there with {his1} {tool}.
But {animal:a} came and ate the leaves. | One night, {adj_animal:a} {animal} dug up {plant:a}.
So {n1} built a fence. | {n2} had an idea and built a snowman to scare it. | {n1} was sad, but {n2} helped {him1}.
After some weeks, the garden was full of flowers. | In the end, there was enough for everyone.
""",
    )
)

DIALOGUES = tuple(
    _steps(talk)
    for talk in (
        """
"Where are you going, {n1}?" asked {n2}. | "Hello, {n1}. Where are you going?" asked {n2}.
"To the {town}," said {n1}. "I want to buy {thing:a}." | "I am going to the {nature}," answered {n1}.
"May I come with you?" | "Can you bring me {food:a}?" | "Will you take me with you?"
"Yes, of course," said {n1}. | "No, I am sorry," said {n1}. "I am late."
""",
        """
"Have you seen my {thing}?" asked {n1}. | "I can't find my {clothing}," said {n1}.
"No, I haven't," said {n2}. "Where did you put it?" | "Is it under the {furniture}?" asked {n2}.
"I left it {at}," said {n1}. | "I don't know," said {n1}.
"Then let us look for it together." | "Ask {n3}," said {n2}. | "Look, there it is!" said {n2}.
""",
        """
"What would you like to drink?" asked the waiter. "Some {drink}, please," said {n2}.
| "Are you hungry?" asked {n1}. "Yes, I would like {food:a} and some {drink}," said {n2}.
"Here you are." | "That is two pounds, please." | "That will be three pounds."
"Thank you very much," said {n2}. | "Thanks!"
""",
        """
"How was the {event}?" asked {n1}. | "Did you enjoy the {event}?" asked {n1}.
"It was {adj_event}," said {n2}. | "It was too long," said {n2}, "but {n3} was there."
"What did you do?" | "What happened then?" | "And what did you do after that?"
"We talked, and then we went to the {town}," said {n2}. | "I sat next to {person:a} and ate {number} {food:s}."
""",
        """
"Can you help me, {n1}?" asked {n2}. "My {machine} is broken." | "Can you repair this {furniture}?" asked {n2}.
"Yes, I can," said {n1}. | "What do you need?" asked {n1}. | "Of course. Give me the {tool}," said {n1}.
"You are very kind," said {n2}. | "Be careful!" said {n2}. | "Thank you, {n1}."
""",
        """
"What is this?" asked {n1}. | "Look at that!" said {n1}.
"It is {adj_animal:a} {animal}," said {n2}. | "That is {animal:a}. It lives near the {nature}," said {n2}.
"Is it dangerous?" | "Is it old?" | "Can it swim?"
"I don't think so," said {n2}. | "I have no idea," said {n2}. | "Yes, so don't go too near."
""",
        """
"When is the {event}?" asked {n1}. "On {day2}," said {n2}, "at {number} o'clock."
| "Shall we play {game} on {day}?" asked {n1}. "Yes, at {number} o'clock," said {n2}.
"Then I will see you there." | "I will bring my {thing}," said {n1}. | "That is very late," said {n1}.
"Don't forget your {clothing}," said {n2}. | "I must visit {n3} first," said {n2}. "But then I will come."
""",
    )
)
