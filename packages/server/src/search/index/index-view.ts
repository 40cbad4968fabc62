import type { Id } from '../../domain/id.ts'
import { Segment, type SegmentData, statusCode } from './segment.ts'

/** Segment of a view, with the documents that a later segment replaces or that no longer exist. */
export interface IndexPart {
  readonly segment: Segment
  /** 1 for each dead document; undefined if all documents are live. */
  readonly dead?: Uint8Array
  /** The dead documents; collected as they are marked, because a scan of a large segment takes milliseconds. */
  readonly deadDocs?: Uint32Array
}

/**
 * Consistent state of the index: the main segment, then the overlay if there are changes. Every id is live in at most
 * one part. A query reads one view from start to end.
 */
export interface IndexView {
  readonly parts: readonly IndexPart[]
  /** Change-log sequence number up to which the view includes the changes of the store. */
  readonly revision: number
}

/** Plain data of a view. Posting it to a worker shares the memory of segments and `dead` instead of copying it. */
export interface IndexViewData {
  readonly parts: readonly (Omit<IndexPart, 'segment'> & { readonly data: SegmentData })[]
  readonly revision: number
}

/** Opens a view from its plain data. */
export const openIndexView = ({ parts, revision }: IndexViewData): IndexView => ({
  parts: parts.map(({ data, ...dead }) => ({ segment: new Segment(data), ...dead })),
  revision,
})

/** Returns the plain data of a view. */
export const indexViewData = ({ parts, revision }: IndexView): IndexViewData => ({
  parts: parts.map(({ segment: { facts, arrays }, ...dead }) => ({ data: { facts, arrays }, ...dead })),
  revision,
})

/**
 * Returns the order of ranks over all parts: CLOSED documents last, then by popularity, then by id. The order compares
 * results by their index in the columns `parts` (index into `all`) and `docs` (document of that part).
 */
export function rankOrder(
  all: readonly IndexPart[],
  parts: ArrayLike<number>,
  docs: ArrayLike<number>,
): (a: number, b: number) => boolean {
  return (a, b) => {
    const [docA, docB] = [docs[a]!, docs[b]!]
    if (parts[a] === parts[b]) return docA < docB
    const [of, other] = [all[parts[a]!]!.segment.arrays, all[parts[b]!]!.segment.arrays]
    const closed = Number(of.status[docA] === statusCode.CLOSED) - Number(other.status[docB] === statusCode.CLOSED)
    if (closed !== 0) return closed < 0
    const popularity = of.popularity[docA]! - other.popularity[docB]!
    return popularity !== 0 ? popularity > 0 : of.id[docA]! < other.id[docB]!
  }
}

/** Returns true if a location is live in the view. */
export const hasLocation = ({ parts }: IndexView, id: Id): boolean =>
  parts.some(({ segment, dead }) => {
    const doc = segment.find(id)
    return doc >= 0 && dead?.[doc] !== 1
  })

/** Returns the part with the documents of some ids dead, in addition to those that are dead already. */
export function markDead(part: IndexPart, ids: Iterable<Id>): IndexPart {
  const { segment, dead } = part
  let marked: Uint8Array | undefined
  const deadDocs = [...(part.deadDocs ?? [])]
  for (const id of ids) {
    const doc = segment.find(id)
    if (doc < 0) continue
    if (marked === undefined) {
      // Views are immutable: mark a copy.
      marked = new Uint8Array(new SharedArrayBuffer(segment.count))
      if (dead) marked.set(dead)
    }
    if (marked[doc] === 0) deadDocs.push(doc)
    marked[doc] = 1
  }
  return marked ? { segment, dead: marked, deadDocs: Uint32Array.from(deadDocs) } : part
}

/** Returns the number of documents of a part that are live. */
export const liveDocuments = ({ segment, deadDocs }: IndexPart): number => segment.count - (deadDocs?.length ?? 0)
