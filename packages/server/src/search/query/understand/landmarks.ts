import { topLevelCategories } from '../../../domain/category.ts'
import type { Point } from '../../../domain/search.ts'
import type { Budget } from '../../index/budget.ts'
import { type IndexPart, type IndexView, isRankedBefore } from '../../index/index-view.ts'
import { unitsPerDegree } from '../../index/regions.ts'
import { type Segment, statusCode } from '../../index/segment.ts'
import { distancesFrom } from '../../index/sphere.ts'
import { eachText, textKind } from '../../index/texts.ts'
import { areaTest } from '../area-filter.ts'
import { allOf, type Test } from '../filters.ts'
import { labelSetsBelow } from '../label-sets.ts'

/** Sight, stay, airport or station. */
export interface Landmark {
  readonly segment: Segment
  readonly doc: number
}

/** Landmark of a name. */
export interface NamedLandmark extends Landmark {
  /** Number of words of its name, or code, that were not typed. */
  readonly further: number
}

const isLandmark = new Set<number>(
  (['HOTEL', 'ATTRACTION', 'TRANSPORT'] as const).map(id => topLevelCategories.indexOf(id)),
)

/** Maximum number of compared documents of the rarest word, and of further words in a name that contains all words. */
const maxCompared = 2000
const maxFurtherWords = 3
/** Words that are whole names, but name nothing as a part of one: "by" is not the Gardens by the Bay. */
const shortWord = /^[a-z]{1,2}$/

/**
 * Finds the landmark with a name or code: of several the closest to the location bias, else the first by rank. A name
 * with further words counts if no name is exact ("Prado"). The last words may be the area: "Eiffel Tower Paris". With
 * `kinds`, only landmarks of one of these categories count.
 */
export function landmarkNamed(
  view: IndexView,
  words: readonly string[],
  near: Point | undefined,
  budget: Budget,
  kinds: readonly string[] = [],
): NamedLandmark | undefined {
  for (let length = words.length; length > 0; length--) {
    const found = findLandmark(view, { words: words.slice(0, length), area: words.slice(length), kinds }, near, budget)
    if (found !== undefined) return found
  }
  return undefined
}

function findLandmark(
  { parts }: IndexView,
  { words, area, kinds }: Readonly<Record<'words' | 'area' | 'kinds', readonly string[]>>,
  near: Point | undefined,
  budget: Budget,
): NamedLandmark | undefined {
  const found = parts.flatMap(part => {
    const { segment } = part
    const sets = kinds.length === 0 ? undefined : labelSetsBelow(segment, kinds, budget)
    const passes = allOf([
      sets && (doc => sets.has(segment.arrays.labels[doc]!)),
      area.length === 0 ? undefined : areaTest(segment, area.join(' '), budget),
    ])
    return candidatesOf(part, words, passes, budget)
  })
  const fewest = Math.min(...found.map(({ further }) => further))
  const best = found.filter(({ further }) => (fewest === 0 ? further === 0 : true))
  const distanceTo = near && distancesFrom(near)
  const km = ({ segment: { arrays }, doc }: Landmark) =>
    distanceTo?.(arrays.latitude[doc]! / unitsPerDegree, arrays.longitude[doc]! / unitsPerDegree) ?? 0
  const [first] = best.sort((a, b) => km(a) - km(b) || (isRankedBefore(a.segment, a.doc, b.segment, b.doc) ? -1 : 1))
  return first
}

/** Returns the landmarks of a part whose name or code contains all words, and the number of further words. */
function candidatesOf(
  { segment, dead }: IndexPart,
  words: readonly string[],
  passes: Test | undefined,
  budget: Budget,
): NamedLandmark[] {
  const { arrays, terms } = segment
  const numbers = words.map(word => terms.find(word))
  if (numbers.includes(-1)) return []
  const { nameStart, nameDocs, category, status } = arrays
  const size = (term: number) => nameStart[term + 1]! - nameStart[term]!
  const mayBePart = words.some(word => !shortWord.test(word))
  const rarest = numbers.reduce((a, b) => (size(b) < size(a) ? b : a))
  const end = Math.min(nameStart[rarest + 1]!, nameStart[rarest]! + maxCompared)
  const found: NamedLandmark[] = []
  for (let at = nameStart[rarest]!; at < end; at++) {
    budget.spend(0.5)
    const doc = nameDocs[at]!
    if (!isLandmark.has(category[doc]!) || dead?.[doc] === 1 || status[doc] === statusCode.CLOSED) continue
    budget.spend(2)
    const further = furtherWords(segment, doc, numbers)
    if (further <= (mayBePart ? maxFurtherWords : 0) && passes?.(doc) !== false) found.push({ segment, doc, further })
  }
  return found
}

/** Returns the number of further words in the closest name or code of a document that contains all terms. */
function furtherWords({ arrays: { texts, textStart } }: Segment, doc: number, terms: readonly number[]): number {
  let fewest = Number.POSITIVE_INFINITY
  eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
    if (kind === textKind.address || to - from - terms.length >= fewest) return
    const text = texts.subarray(from, to)
    if (terms.every(term => text.includes(term))) fewest = to - from - terms.length
  })
  return fewest
}
