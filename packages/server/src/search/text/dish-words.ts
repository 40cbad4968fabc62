import { isBigram, tokens } from '../../kit/tokens.ts'
import { cuisines } from './cuisines.ts'
import { dishes } from './dishes.ts'

/** Endings of adjectives after a stem, in languages where the words in cuisines.ts are stems. */
const endings: Readonly<Record<string, readonly string[]>> = {
  de: ['', 'e', 'er', 'es', 'en', 'em'],
  nl: ['', 'e'],
  pl: ['i', 'a', 'ie', 'iej', 'iego', 'ich', 'ą'],
  sv: ['', 'a', 't'],
  ru: ['ий', 'ая', 'ое', 'ие', 'ого', 'ой', 'их', 'ую', 'ом'],
}
/** Columns of cuisines.ts. */
const languages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ru', 'cjk', 'signs']

/** Endings of the masculine singular in Spanish, Portuguese, Italian and French, and those of all forms. */
const romance: Readonly<Record<string, readonly (readonly [RegExp, readonly string[]])[]>> = {
  es: [
    [/o$/, ['o', 'a', 'os', 'as']],
    [/és$/, ['és', 'esa', 'eses', 'esas']],
    [/án$/, ['án', 'ana', 'anes', 'anas']],
    [/uz$/, ['uz', 'uza', 'uces', 'uzas']],
    [/$/, ['', 's', 'es', 'a', 'as']],
  ],
  pt: [
    [/ão$/, ['ão', 'ã', 'ães', 'ãs']],
    [/o$/, ['o', 'a', 'os', 'as']],
    [/ês$/, ['ês', 'esa', 'eses', 'esas']],
    [/$/, ['', 's']],
  ],
  it: [
    [/co$/, ['co', 'ca', 'ci', 'che', 'chi']],
    [/o$/, ['o', 'a', 'i', 'e']],
    [/e$/, ['e', 'i']],
    [/$/, ['']],
  ],
  fr: [
    [/(?<=[iïé]e)n$/, ['n', 'nne', 'ns', 'nnes']],
    [/(?<=gre|tur)c$/, ['c', 'cque', 'que', 'cs', 'cques', 'ques']],
    [/$/, ['', 'e', 's', 'es']],
  ],
}

/** Returns the forms of an adjective, given as in cuisines.ts. */
function inflect(word: string, language: string): readonly string[] {
  const [end, forms] = romance[language]?.find(([pattern]) => pattern.test(word)) ?? [/$/, endings[language] ?? ['']]
  return forms.map(form => word.replace(end, form).replaceAll('_', ' '))
}

/** Words of a row: those that ask for the dish or cuisine, and others that show it in names. */
interface Row {
  readonly asking: readonly string[]
  readonly signs: readonly string[]
}

function cuisineRow(row: string): Row {
  const forms = row.split(' | ').map((words, column) =>
    words
      .trim()
      .split(' ')
      .flatMap(word => inflect(word, languages[column]!)),
  )
  return { asking: forms.slice(0, -1).flat(), signs: forms.at(-1)! }
}

const rows: readonly Row[] = [
  ...cuisines.map(cuisineRow),
  ...dishes.map(row => ({ asking: row.split(', '), signs: [] })),
]

const phraseOf = (text: string): string => tokens(text).join(' ')

/** Words for the same dish or cuisine, each one folded token; names and labels that have one of them match. */
export type DishForms = readonly string[]

/** Forms by phrase, its tokens joined by a space. */
const formsByPhrase = new Map<string, DishForms>()
for (const { asking, signs } of rows) {
  const phrasesOf = (texts: readonly string[]) => [...new Set(texts.map(phraseOf))].filter(phrase => phrase !== '')
  const phrases = phrasesOf(asking)
  const words = phrasesOf([...asking, ...signs]).filter(phrase => !phrase.includes(' '))
  // A dish whose own name has several words is compared word by word.
  const own = phrases[0]!.includes(' ') ? phrases[0] : undefined
  for (const phrase of phrases) if (phrase !== own && !formsByPhrase.has(phrase)) formsByPhrase.set(phrase, words)
}

/** Number of tokens in the longest phrase. */
export const longestDish = Math.max(...[...formsByPhrase.keys()].map(phrase => phrase.split(' ').length))

/** Returns the words for the dish or cuisine that a phrase denotes; undefined for another phrase. */
export const dishForms = (phrase: string): DishForms | undefined => formsByPhrase.get(phrase)

/** Words for food and places to eat, which say nothing next to a dish: "thai food", "cocina italiana". */
const foodWords = new Set(
  (
    'food, foods, cuisine, dishes, eats, eatery, eateries, dining, takeaway, takeaways, take away, takeout, take out, delivery, joint, joints, ' +
    'comida, cocina, platos, casa de comidas, para llevar, a domicilio, local, locales, gastronomía, ' +
    'nourriture, manger, plats, à emporter, gastronomie, essen, küche, speisen, lokal, lokale, gerichte, zum mitnehmen, ' +
    'cibo, cucina, piatti, mangiare, da asporto, locale, locali, cozinha, comer, pratos, eten, keuken, afhaal, eetcafé, ' +
    'jedzenie, kuchnia, kuchni, dania, na wynos, mat, kök, hämtmat, yemek, yemeği, yemekleri, mutfağı, mutfak, restoranı, lokantası, ' +
    'еда, кухня, кухни, кухней, поесть, блюда, 料理, 菜, 美食, 食物, 外卖, 餐馆, 料理店, 専門店, 食べ物, 요리, 음식, 음식점, 전문점'
  )
    .split(', ')
    .map(phraseOf),
)

/** Returns true for a word or phrase for food and places to eat. */
export const isFoodWord = (phrase: string): boolean => foodWords.has(phrase)

const firstTokens = new Set([...formsByPhrase.keys(), ...foodWords].map(phrase => phrase.split(' ', 1)[0]!))

/** Returns true if a phrase for a dish, or for food, begins with a token. */
export const beginsDish = (token: string): boolean => firstTokens.has(token)

/** Dishes in scripts without spaces between words. */
export const unspacedDishes: readonly string[] = rows.flatMap(({ asking }) => asking).filter(isBigram)
