"""The words of the small world: people, places, things, and common English words for the tokenizer."""

MALE_NAMES = tuple(
    """
John Tom James Dan Martin Paul Peter Mark Bob David Michael Robert William Richard Thomas Charles Daniel
Matthew Anthony Steven Andrew Kenneth Kevin Brian George Edward Ronald Jason Jeff Ryan Jacob Gary Nick
Eric Jonathan Stephen Larry Justin Scott Brandon Ben Samuel Frank Gregory Raymond Jack Dennis Jerry Tyler
Aaron Adam Nathan Henry Doug Zach Kyle Walter Ethan Jeremy Harold Keith Christian Roger Noah Gerald
Carl Terry Sean Austin Arthur Lawrence Jesse Joe Bryan Billy Bruce Albert Willie Gabriel Logan Alan
Wayne Roy Ralph Randy Eugene Vincent Russell Louis Philip Bobby Johnny Bradley Simon Oliver Leo Oscar
Max Luke Evan Tim Fred Steve Mike Bill Jim Dave Greg Josh Matt Colin Harry Hugh Ivan
""".split()
)

FEMALE_NAMES = tuple(
    """
Mary Amy Anna Kate Lucy Jane Alice Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen
Lisa Nancy Betty Sandra Margaret Ashley Kimberly Emily Donna Michelle Carol Amanda Melissa Deborah
Stephanie Rebecca Sharon Laura Cynthia Dorothy Kathleen Angela Emma Brenda Pamela Nicole Samantha
Katherine Christine Helen Rachel Carolyn Janet Maria Catherine Heather Diane Olivia Julie Joyce Victoria
Ruth Virginia Lauren Kelly Christina Joan Judith Andrea Hannah Megan Cheryl Martha
Teresa Sara Ann Julia Grace Judy Sophia Rose Theresa Claire Fiona Clara
Molly Ellen Sally Elena
""".split()
)

NAMES = MALE_NAMES + FEMALE_NAMES

PLACES = tuple(
    """
store park school beach station restaurant garden hospital library office market museum house church farm
zoo shop bakery cafe river lake forest hotel bank theatre harbour bridge castle village kitchen gym pool
cinema airport mountain island
""".split()
)

GIFTS = tuple(
    """
drink book ring kiss bone basketball computer necklace snack flower letter present ball hat coat map key
phone ticket cake cookie sandwich cup toy picture watch pen pencil bag box lamp chair guitar camera
blanket coin card scarf bottle basket puzzle song
""".split()
)

FOODS = tuple(
    """
apple pear plum banana orange lemon cherry grape peach melon bread butter cheese milk honey rice soup cake
egg fish meat salt sugar tea coffee juice potato tomato carrot onion bean corn
""".split()
)

ANIMALS = tuple(
    """
cat dog horse cow sheep pig goat duck hen bird mouse rabbit fox wolf bear lion tiger elephant monkey snake
frog bee whale owl deer
""".split()
)

THINGS = tuple(
    """
table door window tree stone boat car train bus bicycle road wall roof clock mirror candle bell hammer
knife plate spoon rope wheel ship tower gate fence sofa bed desk
""".split()
)

COLOURS = tuple("red blue green yellow black white brown pink grey purple".split())

ADJECTIVES = tuple(
    """
good great kind clever brave quiet young old happy small big tall funny strong gentle honest friendly
careful wonderful nice smart lovely
""".split()
)

ROLES = tuple(
    """
friend teacher doctor runner singer writer cook farmer nurse painter student player driver dancer leader
neighbour person worker captain baker
""".split()
)

OTHERS = tuple(
    """
clerk teacher doctor waiter guard driver nurse farmer baker captain children dog stranger
""".split()
)

DAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
MONTHS = tuple(
    """
January February March April May June July August September October November December
""".split()
)
NUMBERS = tuple(
    """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty
""".split()
)
ORDINALS = tuple("first second third fourth fifth sixth seventh eighth ninth tenth".split())
SEASONS = tuple("spring summer autumn winter".split())
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

#: Singular nouns that head the agreement sentences, with their plurals.
AGREEMENT_NOUNS = tuple(
    pair.split(":")
    for pair in """
key:keys book:books child:children dog:dogs picture:pictures letter:letters door:doors window:windows
friend:friends teacher:teachers car:cars flower:flowers boy:boys girl:girls song:songs story:stories
cup:cups bird:birds road:roads chair:chairs box:boxes ship:ships tree:trees student:students
""".split()
)

#: Events that last from one year to another.
EVENTS = tuple(
    """
war siege voyage project journey trial search conflict reign dispute programme expedition work peace
campaign survey
""".split()
)

#: Common English words, kept whole by the tokenizer so that free text stays short.
COMMON_WORDS = tuple(
    """
the of and to a in is it you that he was for on are with as I his they be at one have this from or had by
hot but some what there we can out other were all your when up use word how said an each she which do their
time if will way about many then them would write like so these her long make thing see him two has look
more day could go come did my sound no most number who over know water than call first people may down side
been now find any new work part take get place made live where after back little only round man year came
show every good me give our under name very through just form much great think say help low line before
turn cause same mean differ move right boy old too does tell sentence set three want air well also play
small end put home read hand port large spell add even land here must big high such follow act why ask men
change went light kind off need house picture try us again animal point mother world near build self earth
father head stand own page should country found answer school grow study still learn plant cover food sun
four thought let keep eye never last door between city tree cross since hard start might story saw far sea
draw left late run while press close night real life few stop open seem together next white children begin
got walk example ease paper often always music those both mark book letter until mile river car feet care
second group carry took rain eat room friend began idea fish mountain north once base hear horse cut sure
watch colour face wood main enough plain girl usual young ready above ever red list though feel talk bird
soon body dog family direct leave song measure state product black short numeral class wind question happen
complete ship area half rock order fire south problem piece told knew pass farm top whole king size heard
best hour better true during hundred am remember step early hold west ground interest reach fast five sing
listen six table travel less morning ten simple several toward war against pattern slow centre love person
money serve appear road map science rule govern pull cold notice voice fall power town fine certain fly
unit lead cry dark machine note wait plan figure star box noun field rest correct able done beauty drive
stood contain front teach week final gave green quick develop sleep warm free minute strong special mind
behind clear tail produce fact street inch lot nothing course stay wheel full force blue object decide
surface deep moon island foot yet busy test record boat common gold possible plane age dry wonder laugh
thousand ago ran check game shape yes hot miss brought heat snow bed bring sit perhaps fill east weight
language among something because around really someone everyone already almost without another
president government tourist parliament
model layer token stream residual attention head network data computer code error user please hello thank
""".split()
)
