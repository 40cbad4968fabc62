import { type IndexPart, isRankedBefore } from '../index/index-view.ts'

/**
 * Visits ascending lists of documents, one for each part, in the order of ranks over all parts: as ranges of the list
 * of a part, `to` exclusive. Ends when `visit` returns false.
 */
export function eachRunByRank(
  parts: readonly IndexPart[],
  lists: readonly ArrayLike<number>[],
  visit: (part: number, from: number, to: number) => boolean,
): void {
  const next = lists.map(() => 0)
  const hasNext = (part: number) => next[part]! < lists[part]!.length
  const isBefore = (part: number, at: number, other: number) =>
    isRankedBefore(parts[part]!.segment, lists[part]![at]!, parts[other]!.segment, lists[other]![next[other]!]!)
  for (;;) {
    let [first, second] = [-1, -1]
    for (let part = 0; part < lists.length; part++) {
      if (!hasNext(part)) continue
      if (first < 0 || isBefore(part, next[part]!, first)) [first, second] = [part, first]
      else if (second < 0 || isBefore(part, next[part]!, second)) second = part
    }
    if (first < 0) return
    const from = next[first]!
    const { length } = lists[first]!
    let to = second < 0 ? length : from + 1
    while (to < length && isBefore(first, to, second)) to++
    next[first] = to
    if (!visit(first, from, to)) return
  }
}

/** Returns how many documents at the start of each list are among the first `limit` of all lists by rank. */
export function firstByRank(
  parts: readonly IndexPart[],
  lists: readonly ArrayLike<number>[],
  limit: number,
): readonly number[] {
  const lengths = lists.map(({ length }) => length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  if (total <= limit) return lengths
  if (lists.length === 1) return [limit]
  const ends = lists.map(() => 0)
  let left = limit
  eachRunByRank(parts, lists, (part, from, to) => {
    ends[part] = Math.min(to, from + left)
    left -= ends[part]! - from
    return left > 0
  })
  return ends
}
