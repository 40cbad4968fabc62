import type { IdRange } from '../../domain/feed-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { IndexOrigin, PartFiles } from './part-files.ts'

/** All ids. */
export const allIds: IdRange = { after: 0n, upTo: 2n ** 63n - 1n }

/** Range of ids whose documents are in one part, or are divided into several. */
export interface PlannedRange extends IdRange {
  /** Files of the part if no document of the range has changed. */
  readonly unchanged?: PartFiles
  /** Maximum number of documents of a part. */
  readonly size: number
}

/** Documents that an index is planned for. */
export interface CountedDocuments {
  /** Number of all documents. */
  readonly count: number
  /** Counts the documents of a range of ids. */
  countIn(range: IdRange): Promise<number>
}

/** An index that was built before, and the ids that have changed since. */
export interface PreviousIndex {
  readonly parts: readonly PartFiles[]
  readonly changed: AsyncIterable<readonly Id[]>
}

/** Finds what has changed since an index was built; undefined if that is not known. */
export type FindChanges = (origin: IndexOrigin) => Promise<AsyncIterable<readonly Id[]> | undefined>

/** Maximum number of parts of an index: best lists number them in a byte, and each query asks all of them. */
const maxParts = 200

/**
 * Plans the parts of an index: parts of `partDocuments`, or the ranges of the previous index, whose parts remain where
 * nothing has changed and are divided where they have become too large.
 */
export async function planParts(
  previous: PreviousIndex | undefined,
  documents: CountedDocuments,
  partDocuments: number,
): Promise<readonly PlannedRange[]> {
  const size = Math.max(partDocuments, Math.ceil(documents.count / maxParts))
  const whole = [{ ...allIds, size }]
  // Documents that end leave small parts behind.
  if (previous === undefined || previous.parts.length > 2 * Math.ceil(documents.count / size)) return whole
  const { parts } = previous
  const upTo = parts.map(({ lastId }, i) => (i === parts.length - 1 ? allIds.upTo : BigInt(lastId)))
  const hasChanged = new Uint8Array(parts.length)
  for await (const ids of previous.changed) for (const id of ids) hasChanged[rangeOf(upTo, id)] = 1
  const planned: PlannedRange[] = []
  let pieces = 0
  for (const [i, files] of parts.entries()) {
    const range = { after: upTo[i - 1] ?? allIds.after, upTo: upTo[i]! }
    const isUnchanged = hasChanged[i] === 0 && files.count <= size
    const count = isUnchanged ? files.count : await documents.countIn(range)
    pieces += Math.ceil(count / size)
    if (isUnchanged) planned.push({ ...range, size, unchanged: files })
    else planned.push({ ...range, size: i === parts.length - 1 ? size : evenSize(count, size) })
  }
  return pieces > maxParts ? whole : planned
}

/** Returns the size of equal parts of at most `size` documents. New ids are mostly the last, whose part may be filled. */
const evenSize = (count: number, size: number): number => Math.ceil(count / Math.max(1, Math.ceil(count / size)))

/** Returns the number of the range that contains an id; `upTo` has the last id of each range. */
function rangeOf(upTo: readonly Id[], id: Id): number {
  let low = 0
  let high = upTo.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (upTo[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
