import type { Id } from '../../domain/id.ts'
import type { Point } from '../../domain/search.ts'
import { unitsPerDegree } from './regions.ts'
import { Segment, type SegmentData, statusCode } from './segment.ts'

/** A segment and which of its documents are gone or replaced by a later segment (1 where dead). */
export interface Part {
  readonly segment: Segment
  readonly dead?: Uint8Array
}

/** One consistent state of the index: the main segment, then the overlay. Queries read one view from start to end. */
export interface IndexView {
  readonly parts: readonly Part[]
  /** The change-log sequence number up to which the store's changes can be found. */
  readonly revision: number
}

/** What a view is made of, as it is posted to a worker: memory is shared, not copied. */
export interface IndexViewData {
  readonly parts: readonly { readonly data: SegmentData; readonly dead?: Uint8Array }[]
  readonly revision: number
}

export const openIndexView = ({ parts, revision }: IndexViewData): IndexView => ({
  parts: parts.map(({ data, dead }) => ({ segment: new Segment(data), ...(dead && { dead }) })),
  revision,
})

/** The same view in a form that can be posted. */
export const indexViewData = ({ parts, revision }: IndexView): IndexViewData => ({
  parts: parts.map(({ segment: { facts, arrays }, dead }) => ({ data: { facts, arrays }, ...(dead && { dead }) })),
  revision,
})

/**
 * The order of popularity over all parts: CLOSED places last, then popularity, then id. Places are given by their
 * index in `parts` and `docs`.
 */
export function rankedBefore(
  all: readonly Part[],
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

/** Where a place is, to within 1e-7 degrees; undefined where the index does not hold it. */
export function coordinatesOf(view: IndexView, id: Id): Point | undefined {
  for (const { segment, dead } of view.parts) {
    const doc = segment.find(id)
    if (doc < 0 || dead?.[doc] === 1) continue
    const { latitude, longitude } = segment.arrays
    return { latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree }
  }
  return undefined
}
