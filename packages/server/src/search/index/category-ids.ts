import { topLevelCategories } from '../../domain/category.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import type { Segment } from './segment.ts'
import { lowerBound } from './typed-arrays.ts'

const topLevels: ReadonlySet<string> = new Set(topLevelCategories)

/** Returns a category id of a document below the top level; undefined if it has none. */
export function subcategoryIdOf({ arrays, terms }: Segment, doc: number): string | undefined {
  const { labels, labelTermStart, labelTermSets } = arrays
  const [from, to] = terms.range(reservedTerm.category(''))
  for (let term = from; term < to; term++) {
    const end = labelTermStart[term + 1]!
    const at = lowerBound(labelTermSets, labels[doc]!, labelTermStart[term]!, end)
    if (at === end || labelTermSets[at] !== labels[doc]) continue
    const id = terms.text(term).slice(1)
    if (!topLevels.has(id)) return id
  }
  return undefined
}
