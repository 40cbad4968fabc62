import type { Id } from '../../domain/id.ts'
import type { IndexData } from './index-data.ts'
import { Lexicon, type LexiconData, partsOf } from './lexicon.ts'
import { type PlaceArrays, Segment, type SegmentData, statusCode } from './segment.ts'

/** Segment of a view, with the documents that a later segment replaces or that no longer exist. */
export interface IndexPart {
  readonly segment: Segment
  /** 1 for each dead document; undefined if all documents are live. */
  readonly dead?: Uint8Array
  /** The dead documents; collected as they are marked, because a scan of a large segment takes milliseconds. */
  readonly deadDocs?: Uint32Array
}

/**
 * Consistent state of the index: its parts, then the overlay if there are changes. Every id is live in at most one
 * part. A query reads one view from start to end.
 */
export interface IndexView {
  readonly parts: readonly IndexPart[]
  /** Number of parts without the overlay. */
  readonly mains: number
  /** Terms of all parts without the overlay. */
  readonly lexicon: Lexicon
  /** Change-log sequence number up to which the view includes the changes of the store. */
  readonly revision: number
}

/** Plain data of a view. Posting it to a worker shares the memory of segments and `dead` instead of copying it. */
export interface IndexViewData {
  readonly parts: readonly (Omit<IndexPart, 'segment'> & { readonly data: SegmentData })[]
  /** Undefined if there is one part without the overlay. */
  readonly lexicon?: LexiconData
  readonly revision: number
}

/** Opens a view from its plain data. */
export function openIndexView({ parts, lexicon, revision }: IndexViewData): IndexView {
  const opened = parts.map(({ data, ...dead }) => ({ segment: new Segment(data), ...dead }))
  if (lexicon !== undefined) return { parts: opened, mains: partsOf(lexicon), lexicon: Lexicon.open(lexicon), revision }
  return { parts: opened, mains: 1, lexicon: Lexicon.of(opened[0]!.segment), revision }
}

/** Returns the plain data of a view. */
export const indexViewData = ({ parts, lexicon, revision }: IndexView): IndexViewData => ({
  parts: parts.map(({ segment: { facts, arrays }, ...dead }) => ({ data: { facts, arrays }, ...dead })),
  ...(lexicon.data !== undefined && { lexicon: lexicon.data }),
  revision,
})

/** Opens a view of an index without changes. */
export const viewOfIndex = ({ facts, parts, lexicon }: IndexData): IndexView =>
  openIndexView({ parts: parts.map(data => ({ data })), ...(lexicon && { lexicon }), revision: facts.revision })

/** Columns that the rank of a document depends on. */
interface Ranked {
  readonly arrays: Pick<PlaceArrays, 'status' | 'prominence' | 'id'>
}

/** Compares documents of two segments by rank: CLOSED ones last, then by prominence, then by id. */
export function isRankedBefore({ arrays: of }: Ranked, a: number, { arrays: other }: Ranked, b: number): boolean {
  const closed = Number(of.status[a] === statusCode.CLOSED) - Number(other.status[b] === statusCode.CLOSED)
  if (closed !== 0) return closed < 0
  const prominence = of.prominence[a]! - other.prominence[b]!
  return prominence !== 0 ? prominence > 0 : of.id[a]! < other.id[b]!
}

/**
 * Returns the order of ranks over all parts. The order compares results by their index in the columns `parts` (index
 * into `all`) and `docs` (document of that part).
 */
export function rankOrder(
  all: readonly IndexPart[],
  parts: ArrayLike<number>,
  docs: ArrayLike<number>,
): (a: number, b: number) => boolean {
  return (a, b) => {
    const [docA, docB] = [docs[a]!, docs[b]!]
    if (parts[a] === parts[b]) return docA < docB
    return isRankedBefore(all[parts[a]!]!.segment, docA, all[parts[b]!]!.segment, docB)
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
