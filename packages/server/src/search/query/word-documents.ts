import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { Bitmap } from './bitmap.ts'
import { spendOnWord } from './candidates.ts'
import type { Matcher } from './matcher.ts'
import { levelOfCategory, levelsByImpact, type WordMatch } from './quality-levels.ts'
import { strength } from './weights.ts'

/** Documents of the only word of a query by name; valid until the next query of the segment. */
export interface WordDocuments {
  readonly listed: Bitmap
  /** Upper bound of the quality of each listed document, in levels; see quality-levels.ts. */
  readonly levels: Uint16Array
}

/** Levels of each segment; they are only defined for the documents that a query lists. */
const scratch = new WeakMap<Segment, Uint16Array>()

/** Returns the documents of the only word of a query by name, with their levels. */
export function documentsOfWord(
  segment: Segment,
  matcher: Matcher,
  { looksLikeCode, shortness }: { readonly looksLikeCode: boolean; readonly shortness: number },
  budget: Budget,
): WordDocuments {
  spendOnWord(segment, matcher, budget)
  const { nameStart, nameDocs, nameImpacts } = segment.arrays
  const { exact, same, from, to, similar, word, labels } = matcher
  const levels = scratch.get(segment) ?? new Uint16Array(segment.count)
  scratch.set(segment, levels)
  const listed = Bitmap.of(segment, 'listed')
  const add = (first: number, last: number, match: WordMatch) => {
    const [begin, end] = [nameStart[first]!, nameStart[last]!]
    if (end > begin)
      listed.addLevels(nameDocs, begin, end, levels, {
        codes: nameImpacts,
        table: levelsByImpact(match, shortness),
      })
  }
  if (exact >= 0) add(exact, exact + 1, { strength: strength.exact, isPrefix: false, isCode: looksLikeCode })
  for (const term of same) add(term, term + 1, { strength: strength.same, isPrefix: false, isCode: false })
  // The word itself is the first term that starts with it; all others are longer.
  const { length } = word.text
  const longest = strength.prefix + (strength.prefixGain * length) / (length + 1)
  const firstLonger = exact >= 0 ? exact + 1 : from
  if (to > firstLonger) add(firstLonger, to, { strength: longest, isPrefix: true, isCode: false })
  for (const [term, edits] of similar?.entries() ?? [])
    add(term, term + 1, { strength: strength.edits[edits]!, isPrefix: false, isCode: false })
  labels.eachRange((docs, begin, end) => listed.addLevel(docs, begin, end, levels, levelOfCategory))
  return { listed, levels }
}
