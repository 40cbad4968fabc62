import { tokens } from '../../kit/tokens.ts'

/** Words for streets and squares in the languages of the category words, and their abbreviations. */
const words = [
  'street st road rd avenue ave boulevard blvd drive dr lane ln highway hwy parkway pkwy square sq court terrace broadway way',
  'calle avenida av avda paseo plaza pza carretera ctra camino ronda travesía rua alameda praça travessa estrada largo',
  'rue bd quai chemin allée impasse cours route place via viale piazza corso vicolo lungomare',
  'straße str weg platz pl allee gasse ring damm ufer straat laan plein gracht kade gatan gata vägen',
  'ulica ul aleja al aleje plac osiedle os sokak sok sokağı cadde cad caddesi bulvarı mahallesi',
  'улица ул проспект пр площадь пл переулок пер набережная наб шоссе бульвар',
]
const streetWords = new Set(words.flatMap(tokens))

/** Endings of compound names of streets: "Hauptstraße", "Keizersgracht". */
const endings = /.(?:strasse|str|weg|platz|allee|gasse|damm|ufer|straat|laan|plein|gracht|kade|gatan|vagen|gade|vej)$/u

/** Words for compass points in names of streets, which addresses also write as one letter. */
const compass = new Map(
  ['north', 'south', 'east', 'west'].flatMap(word => [[word, word[0]!] as const, [word[0]!, word]]),
)

/** Returns the other form of a compass point in an address: "n" for "north", "north" for "n". */
export const otherCompassForm = (word: string): string | undefined => compass.get(word)

/**
 * Returns the words of an address without words for streets, which sources may leave out: "de Cuchilleros, 17" for
 * "Calle de Cuchilleros 17". Returns undefined if that changes nothing.
 */
export function withoutStreetWords<T extends { readonly text: string }>(found: readonly T[]): T[] | undefined {
  const kept = found.filter(({ text }) => !streetWords.has(text))
  return kept.length === found.length || kept.length < 2 ? undefined : kept
}

/** Streets in Chinese, Japanese and Korean, whose tokens do not show the last character of a word. */
const unspaced = /[路街巷弄號号]|大道|丁目|番地|通り|[로길](?=[\s\d]|$)/u

/** Returns true if a text, with its tokens, contains a word for a street. */
export const namesStreet = (text: string, found: readonly string[]): boolean =>
  found.some(word => streetWords.has(word) || endings.test(word)) || unspaced.test(text.normalize('NFC'))
