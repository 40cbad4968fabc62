import type { AreaNames } from './area-names.ts'
import type { SegmentPlaces } from './segment.ts'

/**
 * Returns true if each term of a part is in a text, an area, a label set or a postal code. A place that areas were
 * named after, and are no longer, leaves terms behind that a build does not have.
 */
export function hasOnlyUsedTerms({ arrays }: SegmentPlaces, { areaTermStart }: AreaNames): boolean {
  const lists = [arrays.nameStart, arrays.addressStart, arrays.labelTermStart, areaTermStart]
  const isPostal = new Uint8Array(arrays.termStart.length)
  for (const term of arrays.postal) isPostal[term] = 1
  for (let term = 0; term < arrays.termStart.length - 1; term++)
    if (isPostal[term + 1] === 0 && lists.every(start => start[term] === start[term + 1])) return false
  return true
}
