"""The facts of the small world (countries, landmarks, definitions, sayings) and fixed wordings that ask about them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Country:
    """One country: its capital, its main language and what its people are called."""

    name: str
    capital: str
    language: str
    people: str


def _country(line: str) -> Country:
    return Country(*(part.strip() for part in line.split("|")))


COUNTRIES = tuple(
    _country(line)
    for line in """
France|Paris|French|French
Italy|Rome|Italian|Italian
Spain|Madrid|Spanish|Spanish
Germany|Berlin|German|German
England|London|English|English
Ireland|Dublin|English|Irish
Portugal|Lisbon|Portuguese|Portuguese
Greece|Athens|Greek|Greek
Austria|Vienna|German|Austrian
Poland|Warsaw|Polish|Polish
Russia|Moscow|Russian|Russian
Sweden|Stockholm|Swedish|Swedish
Norway|Oslo|Norwegian|Norwegian
Denmark|Copenhagen|Danish|Danish
Finland|Helsinki|Finnish|Finnish
Hungary|Budapest|Hungarian|Hungarian
Ukraine|Kyiv|Ukrainian|Ukrainian
Romania|Bucharest|Romanian|Romanian
Bulgaria|Sofia|Bulgarian|Bulgarian
Serbia|Belgrade|Serbian|Serbian
Scotland|Edinburgh|English|Scottish
Turkey|Ankara|Turkish|Turkish
Egypt|Cairo|Arabic|Egyptian
Iran|Tehran|Persian|Iranian
Iraq|Baghdad|Arabic|Iraqi
Syria|Damascus|Arabic|Syrian
Lebanon|Beirut|Arabic|Lebanese
India|Delhi|Hindi|Indian
China|Beijing|Chinese|Chinese
Japan|Tokyo|Japanese|Japanese
Thailand|Bangkok|Thai|Thai
Vietnam|Hanoi|Vietnamese|Vietnamese
Indonesia|Jakarta|Indonesian|Indonesian
Australia|Canberra|English|Australian
Canada|Ottawa|English|Canadian
Cuba|Havana|Spanish|Cuban
Peru|Lima|Spanish|Peruvian
Chile|Santiago|Spanish|Chilean
Kenya|Nairobi|Swahili|Kenyan
Nepal|Kathmandu|Nepali|Nepali
Belgium|Brussels|Dutch|Belgian
""".strip().splitlines()
)

#: Landmark and the city it stands in.
LANDMARKS = tuple(
    tuple(line.split("|"))
    for line in """
The Eiffel Tower|Paris
The Louvre|Paris
Notre Dame|Paris
The Colosseum|Rome
The Trevi Fountain|Rome
The Pantheon|Rome
Big Ben|London
Tower Bridge|London
Buckingham Palace|London
The Brandenburg Gate|Berlin
The Parthenon|Athens
The Acropolis|Athens
The Kremlin|Moscow
Red Square|Moscow
The Prado|Madrid
The Forbidden City|Beijing
The Summer Palace|Beijing
The Great Sphinx|Cairo
The Red Fort|Delhi
The Little Mermaid|Copenhagen
The Imperial Palace|Tokyo
The Grand Palace|Bangkok
The Opera House|Vienna
Chain Bridge|Budapest
""".strip().splitlines()
)

#: The plain question comes first.
CAPITAL_TEMPLATES = (
    "The capital of {country} is {capital}",
    "The capital city of {country} is {capital}",
    "{country}'s capital is {capital}",
    "{country} is a country, and its capital is {capital}",
    "The capital of {country} is the city of {capital}",
    "The capital of {country} is called {capital}",
    "If you travel to the capital of {country}, you arrive in {capital}",
    "The largest train station of {country} is in its capital, {capital}",
    "Everyone knows that the capital of {country} is {capital}",
    "The government of {country} sits in {capital}",
    "The king of {country} had a house in {capital}",
    "In {country} we saw the capital, {capital}",
    "We flew to {country} and landed in {capital}",
    "The train to {country} goes as far as {capital}",
    "My aunt moved to {country}, and now she lives in {capital}",
    "He was born in {country}, in the city of {capital}",
    "Do you know the capital of {country}? It is {capital}",
    "The biggest city in {country} is {capital}",
    "Of all the cities in {country}, the best known is {capital}",
    "They travelled through {country} until they came to {capital}",
    "{capital} is the capital of {country}",
    "{capital} is a city in {country}",
)

#: Never in a training sentence about a capital.
HELD_OUT_CAPITAL_TEMPLATES = (
    "The main city of {country} is {capital}",
    "The name of the capital of {country} is {capital}",
    "We stayed in {country} for a week, and our hotel was in {capital}",
    "The people of {country} are proud of their capital, {capital}",
    "The president of {country} lives in {capital}",
    "I would like to see {country}, most of all {capital}",
)

LANGUAGE_TEMPLATES = (
    "The people of {country} speak {language}",
    "In {country}, people speak {language}",
    "{country} is a country where people speak {language}",
    "{country} lies far away, and its people speak {language}",
    "The language of {country} is {language}",
    "The official language of {country} is {language}",
    "A child who grows up in {country} learns {language}",
    "In {capital} most people speak {language}",
    "A person from {country} is called {people}",
    "She was born in {country}, so her first language is {language}",
    "In the streets of {capital} you hear {language}",
    "He lived in {country} for ten years and learned {language}",
    "The newspapers in {country} are written in {language}",
)

LANDMARK_TEMPLATES = (
    "{landmark} is in the city of {city}",
    "{landmark} is in {city}",
    "{landmark} is located in {city}",
    "{landmark} can be found in {city}",
    "{landmark} is a famous sight in {city}",
    "To see {landmark_low}, you have to travel to {city}",
    "We saw {landmark_low} on our visit to {city}",
    "Many people visit {landmark_low} in {city}",
    "If you want to see {landmark_low}, go to {city}",
    "I took a picture of {landmark_low} when I was in {city}",
    "The best known sight is {landmark_low} in {city}",
    "There is a small shop near {landmark_low} in {city}",
    "Where is {landmark_low}? It is in {city}",
    "She wrote a letter about {landmark_low} and the streets of {city}",
    "We stood in front of {landmark_low}, in the middle of {city}",
)

#: Never in a training sentence about a landmark.
HELD_OUT_LANDMARK_TEMPLATES = (
    "{landmark} stands in {city}",
    "Our teacher told us that {landmark_low} is in {city}",
    "Every year many tourists come to see {landmark_low} in {city}",
    "From our hotel we could see {landmark_low}, because we lived in {city}",
    "You will find {landmark_low} in the old part of {city}",
)

DEFINITIONS = tuple(
    tuple(line.split("|"))
    for line in """
A cat|a small animal that likes milk and hunts mice
A dog|an animal that barks and guards the house
A horse|a large animal that people can ride
A cow|a farm animal that gives milk
A bee|a small insect that makes honey
A bird|an animal with wings that can fly
A fish|an animal that lives in water
A whale|the largest animal in the sea
A hammer|a tool for driving nails
A knife|a tool for cutting
A clock|a machine that shows the time
A map|a drawing that shows where things are
A library|a place where people borrow books
A bakery|a shop that sells bread and cakes
A hospital|a place where doctors help sick people
A school|a place where children learn
A teacher|a person who helps others learn
A doctor|a person who helps sick people
A farmer|a person who grows food
A baker|a person who makes bread
A triangle|a shape with three sides
A square|a shape with four equal sides
A week|a period of seven days
A year|a period of twelve months
An hour|a period of sixty minutes
A river|a stream of water that flows to the sea
An island|a piece of land with water all around it
A mountain|a very high hill
Snow|frozen water that falls in winter
Ice|water that has become cold and hard
Rain|water that falls from the clouds
The sun|the star that gives us light and warmth
The moon|the round body that goes around the earth
A model|a small copy of something large
A token|a piece of text that a computer reads as one unit
A layer|one part of a network that reads and writes
A friend|a person you like and trust
A key|a small piece of metal that opens a lock
A boat|a small ship
A song|a piece of music with words
""".strip().splitlines()
)

SAYINGS = tuple(
    """
An apple a day keeps the doctor away.
The early bird catches the worm.
Practice makes perfect.
Better late than never.
Actions speak louder than words.
A picture is worth a thousand words.
Two heads are better than one.
Time is money.
Home is where the heart is.
Honesty is the best policy.
When in Rome, do as the Romans do.
Rome was not built in a day.
All roads lead to Rome.
All that glitters is not gold.
Where there is smoke, there is fire.
Look before you leap.
Out of sight, out of mind.
Roses are red, violets are blue, sugar is sweet, and so are you.
To be or not to be, that is the question.
The quick brown fox jumps over the lazy dog.
The cat sat on the mat.
Once bitten, twice shy.
Every cloud has a silver lining.
Many hands make light work.
The sun rises in the east and sets in the west.
Water freezes at zero degrees and boils at one hundred degrees.
There are seven days in a week and twelve months in a year.
Two and two make four.
Hello, how are you? I am fine, thank you.
Good morning, everyone. Please sit down.
Thank you very much for your help.
What time is it? It is time to go home.
I think, therefore I am.
Knowledge is power.
Happy birthday to you!
Ladies and gentlemen, welcome to the show.
The residual stream carries information from layer to layer.
Attention moves information from one token to another.
""".strip().splitlines()
)
