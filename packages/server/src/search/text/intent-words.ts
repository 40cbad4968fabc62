import type { TripType } from '../../domain/review.ts'
import { fold } from '../../kit/fold.ts'
import { tokens } from '../../kit/tokens.ts'

/**
 * Words for trip types in English, Spanish, French, German, Italian, Portuguese, Dutch, Russian, Chinese, Japanese and
 * Korean.
 */
const trips: Readonly<Record<Exclude<TripType, 'NONE'>, string>> = {
  COUPLES:
    'romantic romance couple couples honeymoon anniversary girlfriend boyfriend husband wife romántico romántica pareja parejas aniversario ' +
    'romantique romantiques couple amoureux anniversaire romantisch romantische romantisches romantischer paar paare flitterwochen hochzeitsreise ' +
    'romantico romantica coppia coppie anniversario romântico romântica casal casais koppel koppels huwelijksreis ' +
    'романтический романтичный романтика пара пары пар 浪漫 情侣 情侶 蜜月 恋人 カップル ロマンチック デート 커플 로맨틱 신혼',
  FAMILY:
    'family families kid kids child children toddler toddlers baby babies familia familiar familias niño niños niña niñas famille familles familial enfant enfants ' +
    'familie familien kinder kindern familienfreundlich famiglia famiglie bambini bambino família famílias crianças criança gezin gezinnen kinderen ' +
    'семья семьи семьей семейный дети детьми детей 家族 家庭 亲子 親子 孩子 子供 子連れ 가족 아이',
  BUSINESS:
    'business conference meeting coworking negocios trabajo reunión conferencia affaires travail réunion geschäftlich geschäftsreise dienstreise tagung ' +
    'lavoro affari riunione negócios trabalho zakelijk zakenreis vergadering деловой командировка бизнес конференция 商务 出差 商務 出張 ビジネス 비즈니스 출장',
  FRIENDS:
    'friend friends mates group groups buddies amigos amigas amigo amiga grupo amis amies ami groupe freunde freunden freundinnen gruppe amici amiche gruppo ' +
    'amizade vrienden vriendinnen groep друзья друзьями друзей компания 朋友 友達 友人 仲間 친구 단체',
  SOLO: 'solo alone myself solitario seul seule solitaire allein alleine alleinreisende alleinreisender sozinho sozinha alleen один одна 独自 单人 獨自 一人 ひとり 혼자',
}

/** Words for occasions, by the top-level category that they select: "dinner" asks for restaurants. */
const occasions: Readonly<Record<string, string>> = {
  RESTAURANT:
    'dinner lunch breakfast brunch supper meal meals food eat eats eating dine dining menu menus gourmet tasting michelin cuisine cena cenar almuerzo almorzar desayuno comida comer menú menús degustación ' +
    'dîner déjeuner manger repas abendessen mittagessen frühstück essen speisen colazione pranzo mangiare jantar almoço diner avondeten eten ' +
    'ужин обед завтрак поесть 晚餐 午餐 早餐 美食 夕食 昼食 朝食 ディナー ランチ 저녁 점심 아침',
  HOTEL:
    'stay sleep overnight apartment apartments flat loft lofts studio accommodation alojarse dormir apartamento apartamentos séjour dormir appartement appartements ' +
    'übernachten übernachtung ferienwohnung zimmer wohnung soggiorno dormire appartamento ficar overnachten 住宿 公寓 宿泊 숙박',
}

/** Words for rooms and houses to stay in. */
const stays =
  'room rooms suite suites villa villas cottage cottages cabin cabins chalet chalets bungalow bungalows habitación habitaciones ' +
  'chambre chambres zimmer ferienhaus ferienhäuser camera camere quarto quartos kamer pokój номер комната 客房 部屋 방'
/** Words that mean a house to stay in at the beginning, in front of one of `stayLinks`: "house with a pool". */
const houses = 'house home casa maison haus huis dom дом'
const stayLinks = 'with for near close con para cerca avec pour mit für nahe bei com met voor'

/** Words without meaning for an intent, in the languages of the category words. */
const stopWords =
  'a an the and or of for to with without in on at by from near around close some any my our your me us we i is are it its this that where which what who how ' +
  'good great best nice top cool really very not too looking want would like need find recommend recommendation recommended please something place places spot spots somewhere ' +
  'el la los las un una unos unas y o de del al con sin en por para cerca mi mis nuestro que donde buen bueno buena buenos mejor mejores muy lugar lugares sitio sitios ' +
  'le les des du d l et ou au aux avec sans dans sur pour pres mon ma mes notre nos qui bon bonne bons meilleur meilleurs meilleure tres endroit endroits lieu ' +
  'der die das den dem ein eine einen einem einer und oder mit ohne im am um zu zum zur von vom fur auf bei nahe mein unser gut gute guter gutes beste bester bestes besten sehr ort orte ' +
  'il lo gli i uno e con senza nel nella nei per vicino mio nostro che buon buono migliore migliori molto posto posti di da ' +
  'os as um uma com sem no na nos nas em perto meu nosso bom boa melhor melhores muito ' +
  'de het een en of met zonder op voor bij mijn ons goed goede beste heel erg plek ' +
  'и или с со без в во на для около мой наш хороший лучший лучшие очень место где ' +
  'w z na i dla koło blisko med och för i på nära ile ve için yakın ' +
  'out off up down over about am be been was were do does doing done did can could should will just there here when while if go goes going went see seeing get getting take make visit visits visiting try enjoy explore discover spend day days time way thing things anything kind stuff lot ' +
  'ser está están hay hacer haciendo ver ir voy vamos visitar visita visitas si cuando mientras poder puedo pasar tener tiene cosa cosas algo día días tiempo ' +
  'est sont fait faire faites voir aller va visite visites visiter si quand lorsque peut avoir passer chose choses quelque jour jours temps ' +
  'ist sind war waren gibt was wie wo wer wenn wann tun machen mache sehen gehen besuchen besuch können kann werden etwas tag tage zeit man es ' +
  'è sono fare fatto vedere andare visitare visita se quando può avere passare cosa cose qualcosa giorno giorni tempo ' +
  'ser está fazer ver ir visitar visita se quando pode ter passar coisa coisas algo dia dias tempo ' +
  'is zijn was doen zien gaan bezoeken bezoek als wanneer kan iets dag dagen tijd ' +
  'jest są być robić zobaczyć iść jeśli kiedy coś dzień это есть был сделать делать посмотреть посетить если когда можно что день ' +
  '地方 可以 什么 哪里 一个 一下 場所 一緒 楽し 곳 곳은 수 할 것 좋은'

/** Returns the tokens of a list of words, word by word, because `tokens` limits their number per text. */
const tokensOf = (list: string): string[] => list.split(' ').flatMap(tokens)

const stopWordTokens: ReadonlySet<string> = new Set(tokensOf(stopWords))

const stayWords: ReadonlySet<string> = new Set(tokensOf(stays))
const houseWords: ReadonlySet<string> = new Set(tokensOf(houses))
const afterHouse: ReadonlySet<string> = new Set(tokensOf(stayLinks))

/** Returns true if a text asks for rooms or a house to stay in. */
export function asksForStay(all: readonly string[]): boolean {
  const house = all.findIndex(word => houseWords.has(word))
  const isStay = house >= 0 && house <= 1 && afterHouse.has(all[house + 1] ?? '')
  return isStay || all.some(word => stayWords.has(word))
}

/** Checks for a stop word. */
export const isStopWord = (token: string): boolean => stopWordTokens.has(token)

/** Tokens by trip type. */
export const tripTokens: Readonly<Record<TripType, readonly string[]>> = {
  COUPLES: tokensOf(trips.COUPLES),
  FAMILY: tokensOf(trips.FAMILY),
  BUSINESS: tokensOf(trips.BUSINESS),
  FRIENDS: tokensOf(trips.FRIENDS),
  SOLO: tokensOf(trips.SOLO),
  NONE: [],
}

/** Folded words by trip type, as they are in texts. */
export const tripForms: Readonly<Record<TripType, readonly string[]>> = {
  COUPLES: formsOf(trips.COUPLES),
  FAMILY: formsOf(trips.FAMILY),
  BUSINESS: formsOf(trips.BUSINESS),
  FRIENDS: formsOf(trips.FRIENDS),
  SOLO: formsOf(trips.SOLO),
  NONE: [],
}

function formsOf(list: string): string[] {
  return [...new Set(list.split(' ').map(fold))]
}

const tripTypes = new Map(
  Object.entries(tripTokens).flatMap(([type, list]) => list.map(word => [word, type as TripType] as const)),
)
const occasionCategories = new Map(
  Object.entries(occasions).flatMap(([category, list]) => tokensOf(list).map(word => [word, category] as const)),
)

/** Returns the trip type that a token denotes. */
export const tripTypeOf = (token: string): TripType | undefined => tripTypes.get(token)

/** Returns the top-level category that an occasion selects. */
export const occasionFor = (token: string): string | undefined => occasionCategories.get(token)
