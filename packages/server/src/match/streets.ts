import { wordLikeness } from './names.ts'

/** Words for kinds of streets, which say little. */
const kindsOfStreets = new Set(
  (
    'street st str strasse road rd avenue ave av avenida boulevard bd blvd bvd lane ln drive dr square sq place pl plaza ' +
    'platz rue calle c via viale piazza rua weg gasse allee straat laan quai chemin route impasse cours passage way court ' +
    'ct highway hwy parkway pkwy terrace no nr'
  ).split(' '),
)

/** Compass words of streets by their abbreviations. */
const compass: ReadonlyMap<string, string> = new Map(
  Object.entries({
    n: 'north',
    s: 'south',
    e: 'east',
    w: 'west',
    ne: 'northeast',
    nw: 'northwest',
    se: 'southeast',
    sw: 'southwest',
  }),
)

/** Comparison of the streets of two addresses; undefined if they say too little. */
export interface StreetComparison {
  readonly agrees: boolean
  /** True if both have the same house number in the same street. */
  readonly sameNumber: boolean
}

/** Compares the words of two addresses; `ignored` has the words of their cities and postal codes. */
export function compareStreets(
  left: readonly string[],
  right: readonly string[],
  ignored: ReadonlySet<string>,
): StreetComparison | undefined {
  const [a, b] = [partsOf(left, ignored), partsOf(right, ignored)]
  if (a.words.length === 0 || b.words.length === 0) return undefined
  const share = commonShare(a.words, b.words)
  const hasNumbers = a.numbers.length > 0 && b.numbers.length > 0
  const sameNumber = hasNumbers && a.numbers.some(number => b.numbers.includes(number))
  if (share >= minCommon && sameNumber) return { agrees: true, sameNumber: true }
  if (share < maxForeign || (hasNumbers && !sameNumber)) return { agrees: false, sameNumber: false }
  return undefined
}

/** Share of common words from which two streets are one, and below which they are two. */
const minCommon = 0.6
const maxForeign = 0.3

function partsOf(words: readonly string[], ignored: ReadonlySet<string>) {
  const numbers = words.filter(word => /^\d+[a-z]?$/.test(word) && !ignored.has(word))
  // Streets have numbers as names: East 6th Street.
  const isName = (word: string) => /^\d+(st|nd|rd|th)$/.test(word) || !/^\d/.test(word)
  const rest = words.filter(word => isName(word) && !ignored.has(word) && !kindsOfStreets.has(word))
  return {
    numbers,
    words: rest
      .map(word => compass.get(word) ?? word.replace(/(?:strasse|str|straat|gasse)$/, ''))
      .filter(word => word !== ''),
  }
}

/** Returns the share of the words of the shorter list that the other has, too. */
function commonShare(left: readonly string[], right: readonly string[]): number {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left]
  return few.filter(word => many.some(other => wordLikeness(word, other) > 0)).length / few.length
}
