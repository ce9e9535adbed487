/**
 * Common passwords, lower-case: the long ones as they are, the short ones as words that a common
 * password is lengthened from. From the frequency list of @zxcvbn-ts/language-common (MIT) and Spanish
 * words of the same kind.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
010203040506 012345678910 014702580369 01telemike01 050605rostik 098765432109 102030405060 1111111111zz
111222333000 111222333444555 112233445566 122333444455555 123123qweqwe 123321123321 123321456654
123321qweewq 123456123456 123456654321 12345677654321 123456782000 1234567887654321 123456789000
12345678900987654321 123456789012 1234567890123 12345678901234 123456789012345 1234567890123456
1234567890987654321 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty 1234567890zzz 123456789101
123456789123 1234567892000 12345678987654321 123456789987654321 123456789aaa 123456789abc 123456789asd
123456789qaz 123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789zxc 1234567qwertyu
123456qwerty 123456zxcvbn 1234qwerasdf 1234qwerasdfzxcv 123ewqasdcxz 123qwe123qwe 123qwe456rty 123qweasdzxc
123qwerty123 12qw34er56ty 159753159753 159753456852 193570356033 19960610ilja 1a2a3a4a5a6a 1a2s3d4f5g6h
1q2w3e4r5t6y 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qazxsw23edcvfr4
23176djivanfros 23wkoa0fp78dk 31217221027711 32615948worms 41d8cd98f00b 420842084208555 4815162342lf
4815162342lost 541233432442 59382113kevinp 6215mila6215 742617000027 89063032220m 89231243658s
89876065093rax 89semtsriuty a1s2d3f4g5h6 aardvark aaron abc123456789 abcdefghijkl abcdefghijklm
abcdefghijklmnop aberdeen abgrtyu abigail acceso access accord account achilles action active adam adgjmptw
adidas admin admin18533362 administrador administrator adrian aezakmi africa aggies airborne airforce
airplane aksjdlasdakj89879 alabama alan alaska albert alberto alejandr alejandra alejandro aleksandr alex
alexande alexander alexandr alexandra alexis alfred alice alicia aliens alison allen allison alpha
alpha135792468 alpine always alyssa amadeus amadeusptfcor amanda amateur amazon amber amelia america
american amsterdam an83546921an13 anakin anal analsex anarchy anastasia anders anderson andre andrea andreas
andrei andrew andrewjackie andrey andy angel angela angelica angelina angelo angels animal anime anna
annette annie antananarivu anthony anton antonio anubis anything anytimetoday apache apollo apple apples
april aquarius aragorn archer archie argentina arizona arnold arsenal arthur artist asd123asd123 asdasd asdf
asdfasdf asdfg asdfgh asdfgh123456 asdfghj asdfghjk asdfghjkl asdfghjkl123 asdfghjklqwe asdfghjklñqwe asdzxc
ashley ashton asian aspirine assass assassin assfuck asshole assman asterix astros athena atlanta atlantic
atlantis atomic attack auburn auckland2010 audrey august aurora aussie austin australia autumn avalon avatar
avenger avrillavigne awesome azamat azerty babe babes babies baby babyboy babydoll babygirl babylon bacon
badass badboy badger badiman28200 baggins bailey ball baller balls bambam banana bananas bandit bang bangkok
banshee barbara barbie barcelon barcelona barkley barney bart baseball basket basketba basketball bass
bassman bastard batman battle baxter beach beagle bear beast beatles beatrice beautiful beauty beaver beavis
beckham beefcake beer beetle belinda bell bella bender benjamin bennett benson bentley berlin bernard bernie
bertha bethany bhrh0h2oof6xbqjeh bianca bienvenida bienvenido bigballs bigboobs bigboy bigcock bigdaddy
bigdick bigdog bigfoot bigger biggie bigguy bigmac bigman bigone bigred bigtits bill billie billy billybob
bingo bird birdie birdman birthday biscuit bishop bitch bitches biteme blabla black blackcat blackdog
blackie blackjac blackman blacks blacksonblon blacky blade blades blahblah blake blaster blazer blessed
blizzard blonde blondes blondie blood blowjob blowme bltynbabrfwbz blue bluebird blueeyes bluemoon blues
bluesky boat bobafett bobbie bobbob bobby bobcat boeing bogdan bohica bollocks bollox bomber bond bondage
bone bonehead boner bones bonjour bonnie boobies booboo boobs booger boogie boomer booty boris bosco boss
bossman boston bottom bowler bowling boy4u2ownnyc bpgjldsgjldthnf bradley brandi brando brandon brandy
brasil braves brazil breeze brenda brendan brian brianna bridge bridget britney brittany broken bronco
broncos brooke brooklyn brooks brother brothers brown brownie browns bruce brucelee bruins bruno brutus
bryan bubba bubble bubbles buck buckeye buckeyes buddha buddy budlight budman buffalo buffett buffy bugger
bull bulldog bulldogs bullet bullnuts2003 bullshit bunghole bunny burger burton bush business businessbabe
buster butch butler butt butter butterfl butterfly butthead butthole buttons byteme cactus cadillac caesar
caitlin caliente californ california callie calvin camaro cambiame cambiamepronto camel camelot camels
camera cameron camille campbell canada cancer candy candyman cannon cantona capital captain cardinal carlo
carlos carlton carmen carol carolina caroline carolyn carpet carrie carrot carson carter cartman caserta
casey cash casino casper cassidy cassie castle catalina catdog catfish catherin cats cavalier ccbill
cdtnkfyf celeste celica celine celtic celtics center central cessna champion champs chance chandler chang
change changeme changemeplease chaos charger chargers charles charlie charlott charlotte charly charmed
chase check cheese cheeseburger chelsea cherokee cherry cheryl chester chesterfield chevelle chevrole chevy
cheyenne chicago chichi chicken chickenwing101 chicks chiefs children chipper chloe chocolat chopper chris
chrissy christ christia christian christin christine christop christopher1 christy chronic chubby chuck
chucky church cindy civilization cjdthitycndj cjkysirj cjkywt claire clancy clarence classic claude claudia
clave clayton clifford clinton clitoris clover cnfc35762209 cobra cocacola cock cody coffee colleen college
collins colombia colorado colors coltrane columbia combat123654 command commando compaq computer concrete
condor configuratio connect connie connor conrad construction consumer content contortionist contrasena
contrasena123 contraseña contraseña123 control cookie cookies cool cooldude cooler coolio coolman cooper
copper corona corperfmonsy corvette cosmopolitan cosmos cosworth cotton cougar counterstrike country
courtney cowboy cowboys coyote cracker crash crazy cream creampie creative cricket crimson cristina crusader
crystal cthutq cuddles cumming cumshot cunt cupcake curious curtis cutter cxfcnmt cynthia daddy dagger daisy
dakota dale dallas dalton damian damien dance dancer danger daniel daniela danielle daniil danni danny
dannyboy dark darkness darkside darkstar darling darren darwin dave david dawg daytona dbrnjhbz dead
deadhead deadman deanna death debbie december deedee defender defiant deftones delete delta denis denise
dennis denver derrick desert design designer desire destiny detroit devil devildog devilmaycry4 devils
dexter dfvgbh diablo diamond diamonds diana dick dickhead diesel dietcoke digger digital digitalprodu
dilbert dilligaf dillon dima dingdong director dirty discover disney dixie dkflbvbh dkflbvbhjdbx
dkflbvbhjdyf doberman doctor dodge dodger dodgeram dodgers dogg doggie doggy dogman dogs dollar dolphin
dolphins domainlock2005 dominic domino donald donkey donnie doobie doodle dookie dorothy double doughboy
douglas drago dragon dragons drake dream dreamer dreams driver drizzt drowssap drpepper drummer dthjybrf
dublin ducati duck dude dudley duke dumbass duncan durango dustin dusty dylan eagle eagles eatme eatshit
eclipse eddie eduard edward edwardcullen eileen einstein ekaterina elaine electric element elena elephant
elijah elizabet elizabeth elliot elliott elvis elwood emerald emily eminem emmanuel empire energy engine
engineer england english enigma enjoy enter enterpri enterprise entertainment entrar eric ernest erotic
escape escort espana españa esther eternity eugene evelyn everton excalibu exigen exigent explorer express
extreme faith falcon falcons fallen family fantasy farmer farside faster fatass fatboy fatcat father
fatima753357 fatman felix fender fernando ferrari ferret fetish ficken fighter filter finalfantasy
findaupair007 finger finish fire fireball firebird firefly firefox fireman fish fisher fishing fitness
fkmnthyfnbdf fktrcfylh fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf fktrctq flames flamingo flash flatron
fletcher flight flipper florence florida flower flowers fluffy flvbybcnhfnjh flyboy flyers foobar football
ford forest forever foreveryoung forget forgot formula forrest fossil foster foxtrot france frances francis
francisco franco frank frankie franklin franky freak freaky freckles fred freddie freddy frederic
frederiksberg fredfred free freedom freeman freepass freeuser french friday friend friends frog frogger
froggy frontier frosty fuck fucked fucker fuckers fuckface fuckfuck fucking fuckit fuckme fuckoff
fucktheworld fuckyou fuckyoubitch funny funtime fusion future fyfcnfcbz fylhtq fynfyfyfhbde gabriel galaxy
galina galore gambit gandalf gangbang gangsta gangster garbage garcia garden garfield garrett gary gateway
gator gators gbpltw geheim gemini general genesis genius george georgia gerald gerard german germany
geronimo getsome gfhfktkjuhfv gfhjkm gfhjkmgfhjkm ghbdtn ghbdtnbr ghbdtnghbdtn ghbdtnrfrltkf ghhh47hj7649
ghjatccbjyfk ghjcnj ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt ghost
ghtdtlvtldtl giants gibson gilbert gillian ginger giovanni girl girls gizmo gizmodo gjkbyf gjkysqgbpltw
global gloria goblin goblue goddess godsmack godzilla goforit gold goldberg golden goldfish goldie golf
golfball golfer golfing goober good goodbye goodluck goodtime google goose gordon gorilla gotcha gothic
grace gracie graham granny grateful great green greenday greenlantern greg gregory gremlin grendel griffey
griffin grizzly groovy grover gthtrfnbgjkt gtnhjpfdjlcr guardian guinness guitar gundam gunner gustav hacker
halflife hallo hamburg hamilton hamlet hammer hamster handsome hannah hannibal hansolo happy hard hardcore
harder hardon harley harmony harold harris harrison harry harvey hastings hawaii hawk hawkeye hayden
hd764nw5d7e1vb1 hd764nw5d7e1vbv head hearts heather heaven hector hedimaptfcor helena hell hellfire hello
help helpme hendrix henry hentai herbert herbie hercules herman hermes hershey hesoyam hidden highland
hiphop history hitler hitman hjvfirf hobbes hobbit hockey hola holahola holden holiday holland holly
hollywoo holmes home homer homers homerun honda honey hongkong hooker hooters hoover horndog hornet horney
horny horse horses hosting hotboy hotdog hotrod hotsex hotstuff hottie house houses houston howard hudson
hummer hungry hunter hunting hurrican husker huskers iampurehaha2 ibanez icecream iceman iforgot igor iguana
ihateyou iloveboobies ilovemyfamily ilovesex iloveu iloveyou imagine immortal impala imperial incubus indian
indiana indians indigo infantry inferno infiniti infinity ingodwetrust insane inside installdevic
installsqlst integra intelligence international internet intrepid invierno ipo54tj45uy856 ireland irina
irish ironman isabel isabella isabelle iseedeadpeople island israel italia ivan ivanov iverson iwantu jack
jackal jackass jackie jackoff jackson jacob jaguar jake jamaica james jamesbond007 jamie jammer janice
janine january japan jasmin jasmine jason jasper javier jazz jeep jeff jeffrey jennie jennifer jenny
jeremiah jeremy jericho jerome jerry jersey jesse jessica jessie jester jesus jethro jimbo jimbob jimmy
joanna joanne joejoe joey john johnjohn johnny johnson joker jonathan jones jordan jose joseph josephphone7
josh joshua jrcfyf juan judith juice julia julian julie juliet jumper jungle junior jupiter justdoit justice
justin justinbieber justme juventus kaiser kaktus kamikaze kangaroo kansas karate karen karina kasper katana
katerina kathleen katie katrin katrina kawasaki keeper keith kelley kelly kelsey kennedy kenneth kenny
kentucky kenwood kermit kevin keyboard keystone kicker killer killme kimberly king kingdom kingkong kingpin
kingston kirill kiss kisses kissme kitkat kitten kitty kittycat klaster knicks knight knights kodiak kolobok
kotenok kramer krishna kristen kristi kristin kristina ktjynsq40147 kyle labrador labtec lacrosse ladies
lady ladybug laguna lakers lancelot lancer laptop larisa larry lasvegas latin latino laura lauren laurie
lawrence lawyer leader leather leavemealone ledzep legacy legend legion legolas lemons lennon leonard
leonardo leopard lesbian lesbians leslie lespaul lestat lester letmein letsgo lexmark lhbjkjubz2957704
liberty lick licker lickme life lifehack light lightnin lights lincoln linda lindsay lindsey liquid lisa
little liverpoo liverpool lizard lizzie lobster logan logitech lolita lollipop lollol london lonely lonestar
lonewolf long longhorn looker looking lorenzo lorraine loser lost4815162342 louise loulou love love777321777
loveit lovelove lovely loveme lover loverboy lovers loveyou loving lowrider lucas lucifer lucky luckydog
lucy ludwig luke luther lvbnhbq lytdybrbdfvgbhf lytghjgtnhjdcr machine madden maddie maddog madison madman
madmax madness madonna madrid maestro maggie magic magnolia magnum magnus maiden mailcreated5240 makaveli
maksim malcolm malibu mallard manager manchester mandingo mandy maniac manson manuel manutd maprchem56458
marathon marcel marco marcus margaret margarita maria mariah marian marie marilyn marina marinamarina marine
mariners marines marino mario marion mark markus marlboro marley marlin marshall martha martin martina
martinez martini marvel marvin mary maryjane maryland mason massimiliano massive master masterbaiting
masterbating masters masturbation matilda matrix matt matthew mature maurice maurolarastefy maverick maxima
maximus maxine maxmax maxwell maynard megadeth megaman megan melanie melinda melissa melody melvin member
memphis mercedes mercury meridian merlin mersedes metal metallic metallica method mevefalkcakk mexico miami
michael michaeljackson michel michele michelle michigan mickey microsoft midnight miguel mike mikey milano
miles miller millie million milton mine minecraft minecraft123 minnesota_hp minnie mirage miranda mission
missy mister mistress misty mitchell mobile mollie molly moloko molson momoney momsanaladventure monday
money moneys mongoose monica monika monique monitor monkey monkeys monopoly monroe monster montana montreal
moocow mookie moomoo moon moose morgan morganstanley morpheus morris morrison mortalkombat moscow mother
motherfucker motorola mountain mouse movie mozart msoracle32re msorcloledbr muffin mulder munchkin muppet
murphy murray muscle mushroom music musicman mustang mustangs mylove mypass myself mystery mystic nadine
naked napass napoleon naruto nascar nasty nastya nastyanastya natali natalia natalie natasha nathalie nathan
national naughty navidad ne_e_pod_chehyl nebraska necronomicon needforspeed nellie nelson nemesis
nemvxyheqdd5oqxyxyzi neptune network networkingpe nevada newlife newman newpass newport newproject2004
newton newyork nfnmzyf nhbujyjvtnhbz nhecsyfujkjdt nhfdvfnjkju123 nhfycajhvths nicholas nick nick1234-rem936
nicola nicolas nicole nigger night nightcrawler nikita nikki nimrod niners ninja nintendo nipple nipples
nirvana nissan nofear nokia nolimit nondriversig none noodle noodles nookie nopass norman norton nothing
november ntktdbpjh1994 nugget nuttertools nylons nymets oakland oakley obiwan oblivion october odessa office
ohyeah oilers oklahoma oksana olcrackmaster oldman olga oliver olivia omega onelove online ontheoutside open
openup oracle orange orion orlando oscar osiris otoño outlaw overlord oxford pacific packard packers pacman
painter pakistan palace paladin palmer pamela panama panasonic pancho panda pandora panel pantera panther
panthers panties panzer paradise paradox paraklast1974 paris parker parola parrot party pascal pass passat
passion passport passwor password password1234 passwordassword passwordpassword passwordstandard passwort
patches patricia patrick patriot patriots patton paul pauline pavilion payton peace peaches peanut
peanutbutter peanuts pearljam pebbles peekaboo peewee pegasus pencil penelope penguin penguins penis penny
pentium people pepper pepsi perfect personal pervert pete peter peterpan peugeot pfqwtd27121988 phantom
philadelphia philip philips phillies phillip philly phoebe phoenix photo photos phpbb picard picasso pickle
pickles pics picture pierre piglet pikachu pimp pimpin pineappl ping pink pinkfloy pioneer pirate pirates
pistol pitbull pizza planet plastic platinum playboy player playstation2 playstation3 playtime please
pleasure plumber plymouth poison pokemon polaris police polina polniypizdec0211 polniypizdec1102
polniypizdec110211 polo pontiac pooh poohbear pookie poop pooper poopie poopoo popcorn popeye porkchop porn
porno pornographic pornstar porsche porter portland portugal possum postal potato potter powder power powers
precious predator prelude presario preston pretty primavera primus prince princes princess printer private
privet prodigy professional psycho ptybnxtvgbjy pumpkin punisher punkin punkrock punksnotdead puppies puppy
purple pussies pussy pussycat pussys putter pyramid python q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8
q1w2e3r4t5y6u7i8o9p0 qawsed qawsedrf qawsedrftgyh qaz123wsx456 qazqaz qazwsx qazwsx123456 qazwsxed qazwsxedc
qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazwsxqazwsx qazxsw qazxswedc qazxswedc123 qazxswedcvfr quality
queen qwaszx qwaszxerdfcv qwe123qwe123 qweasd qweasdzxc qweasdzxc123 qweqwe qwerasdf qwerasdfzxcv qwert
qwertasdfgzxcvb qwerty qwerty123456 qwerty123456789 qwertyasdfgh qwertyu qwertyui qwertyuio qwertyuiop
qwertyuiop10 qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyuiopas qwertyuiopasdf qwertyuiopasdfgh
qwertyytrewq rabbit racecar racerx rachel racing rafael ragnarok raider raiders rainbow raistlin rammstein
ramona randall random randy ranger rangers raptor rascal raven ravens raymond razz rbhbkk reality realmadrid
reaper rebecca rebel rebels redalert redbull reddog redhead redman redneck redrum redskins redsox redwings
reggie regina remember renegade rescue research residentevil review rfnthbyf rfnthbyf1988 rfrfirf rhbcnbyf
rhonda ricardo richard richie richmond rick ripper river rjntyjr robbie robert roberto roberts robin
robinson rock rocker rocket rockon rocks rockstar rocky rodney roger rogers roland roller rolltide roman
romashka romeo rommel ronald ronaldinho10 ronaldo ronnie rookie rooster rootbeer roscoe rose rosebud
rosemary roxanne rubber rulez runner ruslan russell russia russian rusty ryan sabbath sabina sabine sabrina
sadie safety sailboat sailing sailor saints sakura sally salmon samantha sammie sammy sampson samson samsung
samuel samurai sanchez sandiego sandman sandra sandy sanfrancisco santiago santos sapphire sara sarah sasha
satan satisfaction saturn saun24865709 savage savannah scandinavian scarface scarlet scarlett school
schoolgirlie scooby scoobydo scooter scorpio scorpion scotland scott scotty scrappy scream scruffy scully
sdicmt7seytn search seattle sebastia sebastian secret secreto security seemnemaailm seinfeld select seminole
semperfi septembe september serega serena serenity sergei sergey sergio server service servidor sesame seven
sevilla sexsex sexual sexy shadow shaggy shalom shaman shamrock shane shannon shaolin shark sharks sharon
shasta shaved shazam sheena sheila shelby shelley shelly shemale sherlock sherman sherry shiloh shirley shit
shithead shitty shogun shooter shopping short shorty shotgun showme showtime sidney siemens sierra silver
silvia simba simon simone simple simpson simpsons singer single sinner sirius sister sithlord skater skeeter
skiing skinny skipper skippy skittles skyline skywalke slappy slapshot slayer sleepy slick slipknot slut
sluts smile smiles smiley smith smitty smoke smoker smokey smokin smooth smudge snake snakes snapper snatch
snickers sniper snoopy snow snowball snowman snuggles sobaka soccer socrates softball software sojdlg123aljg
soldier soleil solomon sommer sonnenschein sonyericsson sooner sooners sophia sophie southern space spanking
spankme spanky sparky spartak spartan spartans speaker special specialinsta spectrum speed speedy spencer
spider spiderma spiderman spidey spike spirit spitfire splash spooky sports spring springer sprint sprite
spunky spyder squirrel squirt srinivas stacey stalker stallion standard stanley star starbuck starcraft
stardust starfish stargate stars startrek starwars stealth steelers stefan stella stephani stephanie stephen
sterling steve steven stevie stewart stick stickdaddy77 sticky stimpy stinger stingray stinky stinkyfinger
stocking stone stonecol stoner stones storm stormy stranger stratocaster street strider strike striker
stripper strong stuart stud student studio stuff stupid subaru sublime success suck sucker suckit suckme
sucks sugar summer sundance sunday sunny sunrise sunset sunshine super superfly superman supernatural
support surfer surfing susan suzanne suzuki svetik svetlana swallow sweet sweetie sweetpea sweets sweety
swimming swinger swingers swordfis swordfish sydney sylvia syracuse system systemofadown tacobell tacoma
tamara tanker tanner tanya tardis target tarheel tarheels tarzan tatiana tattoo tatyana taurus taylor tazman
tdutybq teacher teamo technics techno teddy teen teens telefon tempest temple temppassword tennis tequiero
tequila teresa terminator terror terry test tester testing testtest texas thailand thanks thankyou
thecakeisalie thegame theking theman theone therock thomas thompson throat thuglife thumper thunder
ticketmaster tickle tiffany tiger tigers tigger timber time timmy timothy tina tinker tintin titanic titans
titleist tits tobias today tomcat tommy tomtom tony topcat topdog topgun topper tornado toronto toshiba
tottenha toyota tracey tractor trains trance transam transformers travel travis trebor trevor trfnthbyf
tricky trigger trinity tristan triton triumph trixie trojan trojans trombone trooper trouble truck trucker
trucks trumpet trunks tucker tuesday turbo turkey turner turtle tweety twilight twister tyler tyrone
ultimate unbelievable unicorn united unknown unreal usuario vacation vader vagina valencia valentin
valentina valera valerie valhalla valley vampire vanessa vanhalen vanilla vanyarespekt vectra vegeta velvet
verano verbatim veritas verona veronica veronika vertigo vette vfhbyf vfhbyfvfhbyf vfhecz vfrcbv vfrcbvrf
vfrcbvvfrcbv vfvfvskfhfve vfvjxrf victor victoria victory video viking vikings viktor viktoria vincent
violet viper vipers virgin virginia vision vivian vkontakte vladik vladimir vladimirovna volume voodoo
vortex voyager vulcan walker wallace walnut walter wanker warcraft warhammer40k warlock warren warrior
warriors water waterloo waters watson wayne wazzkaprivet weasel weather webmaster websolutions
websolutionssu webster webuivalidat weed weezer weihnachtsbau weihnachtsbaum welcome werewolf wesley western
westham westside wetpussy whatever wheels whiskey white whitney whocares whore whosyourdaddy whynot wicked
wildcat wildcats william williams willie willis willow willy wilson window windows winner winnie winston
winter wisdom wizard wolf wolfgang wolfman wolfpack wolverin wolverine wolves wombat women wonder woody
wookie wordpass world wrangler wright writer wutang xanadu xavier xfiles xxxp455w0rd5 yamaha yankee yankees
ybrbnf yellow yfnfif yomama young yourmom yvonne z1x2c3v4b5n6 z1x2c3v4b5n6m7 zachary zaphod zaq12wsxcde3
zaq1xsw2cde3 zaqwsx zaqwsxcderfv zcfvfzkexifz zeppelin zidane zipper zombie zqjphsyf6ctifgu zvezda
zxcasdqwe123 zxcvbn zxcvbn123456 zxcvbnm zxcvbnm123456789 zxcvbnmasdfg zxcvbnmmnbvcxz
`
    .trim()
    .split(/\s+/),
)
