import { editDistance } from '../kit/edit-distance.ts'

/** Weight of a word, 0 to 1; rare words weigh most. */
export type WordWeights = (word: string) => number

/** Share of a word that two words have in common, by the kind of their difference. */
const likeness = { equal: 1, oneEdit: 0.9, twoEdits: 0.8, abbreviation: 0.75 }

/** Lengths from which words may differ by one and by two edits. */
const minLength = { oneEdit: 4, twoEdits: 8, abbreviation: 3 }

/** Returns the similarity of the two names that are most alike, 0 to 1, and these names. */
export function bestNames(
  left: readonly (readonly string[])[],
  right: readonly (readonly string[])[],
  weightOf: WordWeights,
): { readonly similarity: number; readonly left: readonly string[]; readonly right: readonly string[] } {
  let best = { similarity: 0, left: left[0] ?? [], right: right[0] ?? [] }
  for (const a of left)
    for (const b of right) {
      const similarity = nameSimilarity(a, b, weightOf)
      if (similarity > best.similarity) best = { similarity, left: a, right: b }
    }
  return best
}

/** Returns the weighted share of words that two names have in common, in any order (Dice 1945). */
export function nameSimilarity(left: readonly string[], right: readonly string[], weightOf: WordWeights): number {
  if (left.join('') === right.join('')) return left.length === 0 ? 0 : 1
  const total = sumOf(left, weightOf) + sumOf(right, weightOf)
  if (total === 0) return 0
  const unused = new Set(right.keys())
  let common = 0
  // Equal words first, so that a similar word does not take the place of an equal one.
  const rest = left.filter(word => {
    const at = [...unused].find(i => right[i] === word)
    if (at === undefined) return true
    unused.delete(at)
    common += 2 * weightOf(word)
    return false
  })
  for (const word of rest) {
    let best = { share: 0, at: -1 }
    for (const at of unused) {
      const share = wordLikeness(word, right[at]!)
      if (share > best.share) best = { share, at }
    }
    if (best.at < 0) continue
    unused.delete(best.at)
    common += best.share * (weightOf(word) + weightOf(right[best.at]!))
  }
  return Math.min(1, common / total)
}

const sumOf = (words: readonly string[], weightOf: WordWeights): number =>
  words.reduce((sum, word) => sum + weightOf(word), 0)

/** Returns the likeness of two different words; 0 if they have nothing in common. Numbers are never alike. */
export function wordLikeness(a: string, b: string): number {
  if (a === b) return likeness.equal
  if (/\d/.test(a) || /\d/.test(b)) return 0
  const shorter = Math.min(a.length, b.length)
  if (shorter >= minLength.oneEdit) {
    const limit = shorter >= minLength.twoEdits ? 2 : 1
    const edits = editDistance(a, b, limit)
    if (edits <= limit) return edits === 1 ? likeness.oneEdit : likeness.twoEdits
  }
  const isPrefix = a.startsWith(b) || b.startsWith(a)
  return isPrefix && shorter >= minLength.abbreviation ? likeness.abbreviation : 0
}

/** Words that distinguish places of one name, by their meaning. */
const distinctions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    north: 'north northern nord norte norra noord nordre',
    south: 'south southern sud sur sul sodra zuid sondre',
    east: 'east eastern ost est este leste ostra oost',
    west: 'west western ouest oeste ovest vastra',
    upper: 'upper ober obere haut haute alto alta superior',
    lower: 'lower unter untere bas basse bajo baja baixo inferior nieder',
    one: 'i',
    station: 'station bahnhof bf hbf hauptbahnhof gare stazione estacion halte',
    airport: 'airport flughafen aeroport aeropuerto aeroporto airfield',
    two: 'ii',
    three: 'iii',
    four: 'iv',
  }).flatMap(([meaning, words]) => words.split(' ').map(word => [word, meaning] as const)),
)

/** Returns the numbers and the distinguishing words of a name, each by its meaning. */
const distinguishing = (words: readonly string[]): Set<string> =>
  new Set(words.flatMap(word => (/^\d+[a-z]?$/.test(word) ? word : (distinctions.get(word) ?? []))))

/** Returns 0 if two names have the same numbers and distinguishing words, 1 if one lacks some, 2 if they contradict. */
export function contradiction(left: readonly string[], right: readonly string[]): 0 | 1 | 2 {
  const [a, b] = [distinguishing(left), distinguishing(right)]
  const onlyLeft = [...a].filter(word => !b.has(word)).length
  const onlyRight = [...b].filter(word => !a.has(word)).length
  if (onlyLeft === 0 && onlyRight === 0) return 0
  return onlyLeft > 0 && onlyRight > 0 ? 2 : 1
}
