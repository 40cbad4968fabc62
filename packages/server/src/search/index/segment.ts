import type { Id } from '../../domain/id.ts'
import { Terms } from '../text/terms.ts'
import type { GroupIndex } from './groups.ts'
import { Points } from './points.ts'

/** Which kind of text a run of terms in `texts` is. */
export const textKind = { name: 0, address: 1, code: 2 } as const

/** Document status in one byte. */
export const statusCode = { OPEN: 1, CLOSED: 2, TEMPORARILY_CLOSED: 3 } as const

/** What a segment keeps beside its arrays. */
export interface SegmentFacts {
  /** Documents. */
  readonly count: number
  /** The change-log sequence number up to which the store's changes are in it. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly builtMs: number
  readonly countries: readonly string[]
  readonly sources: readonly string[]
  readonly zones: readonly string[]
}

/**
 * The arrays of a segment and what they hold. A document's number is its rank: places that are not CLOSED first, then
 * by popularity, then by id; so posting lists are popularity-ordered and a reader can stop early (docs/decisions/002-search-index.md). The
 * places where lists begin (`…Start`) have one more entry than there are lists.
 */
export const arrayTypes = {
  id: BigUint64Array,
  /** Documents in order of id. */
  byId: Uint32Array,
  /** 1e-7 degrees. */
  latitude: Int32Array,
  longitude: Int32Array,
  /** Index into topLevelCategories. */
  category: Uint8Array,
  /** 0 where there is none. */
  status: Uint8Array,
  /** Index into priceLevels + 1. */
  price: Uint8Array,
  /** Index into `countries` + 1. */
  country: Uint16Array,
  source: Uint16Array,
  /** Hundredths; 0 where there is none. */
  rating: Uint16Array,
  weightedRating: Float32Array,
  popularity: Float32Array,
  /** Term of the postal code + 1. */
  postal: Uint32Array,
  area: Uint32Array,
  labels: Uint32Array,
  /** Where the encoded hours begin; 0 where they are unknown. */
  hours: Uint32Array,
  /** Time zone (index into `zones`), count, numbers of `encodeHours`. */
  hoursData: Uint16Array,
  /** Per document: for each text its header (kind, place in the list of names, length), then its terms. */
  textStart: Uint32Array,
  texts: Uint32Array,
  termStart: Uint32Array,
  termUnits: Uint16Array,
  /** How telling a term is, 0 (in every name) to 255 (in one). */
  weight: Uint8Array,
  /** Posting lists: documents whose names hold the term, whose addresses hold it. */
  nameStart: Uint32Array,
  nameDocs: Uint32Array,
  addressStart: Uint32Array,
  addressDocs: Uint32Array,
  /** Areas (sets of surroundings that documents share): by term, their documents, their names as runs of terms. */
  areaTermStart: Uint32Array,
  areaTermAreas: Uint32Array,
  /** Running totals of the documents in the areas of each term. */
  areaTermDocs: Uint32Array,
  areaDocStart: Uint32Array,
  areaDocs: Uint32Array,
  areaTextStart: Uint32Array,
  areaTexts: Uint32Array,
  /** The place that an area is named after + 1. */
  areaPlace: Uint32Array,
  /** Label sets (categories and attributes that documents share): by term, and their documents. */
  labelTermStart: Uint32Array,
  labelTermSets: Uint32Array,
  labelTermDocs: Uint32Array,
  labelDocStart: Uint32Array,
  labelDocs: Uint32Array,
  /** Documents with a name that consists of common words only: sorted hashes of the name's terms, and documents. */
  commonHash: Uint32Array,
  commonDocs: Uint32Array,
  /** Documents of each country, as numbered in `country`. */
  countryStart: Uint32Array,
  countryDocs: Uint32Array,
  spellStart: Uint32Array,
  spellGroups: Uint32Array,
  points: Uint8Array,
  ratingPeaks: Float32Array,
} as const

export type ArrayName = keyof typeof arrayTypes
type InSharedMemory<A> = A extends Uint8Array
  ? Uint8Array
  : A extends Uint16Array
    ? Uint16Array
    : A extends Uint32Array
      ? Uint32Array
      : A extends Int32Array
        ? Int32Array
        : A extends Float32Array
          ? Float32Array
          : BigUint64Array
export type SegmentArrays = { readonly [K in ArrayName]: InSharedMemory<InstanceType<(typeof arrayTypes)[K]>> }

/** An immutable part of the index. Its arrays live in shared memory; `SegmentData` can be posted to a worker. */
export interface SegmentData {
  readonly facts: SegmentFacts
  readonly arrays: SegmentArrays
}

/** A segment, ready to be asked. */
export class Segment {
  readonly facts: SegmentFacts
  readonly arrays: SegmentArrays
  readonly terms: Terms
  readonly points: Points
  readonly areas: GroupIndex
  readonly labels: GroupIndex

  constructor({ facts, arrays }: SegmentData) {
    this.facts = facts
    this.arrays = arrays
    this.terms = new Terms(arrays)
    this.points = new Points(arrays)
    this.areas = {
      termStart: arrays.areaTermStart,
      termGroups: arrays.areaTermAreas,
      termDocs: arrays.areaTermDocs,
      docStart: arrays.areaDocStart,
      docs: arrays.areaDocs,
    }
    this.labels = {
      termStart: arrays.labelTermStart,
      termGroups: arrays.labelTermSets,
      termDocs: arrays.labelTermDocs,
      docStart: arrays.labelDocStart,
      docs: arrays.labelDocs,
    }
  }

  get count(): number {
    return this.facts.count
  }

  /** The number of a document, or -1. */
  find(id: Id): number {
    const { id: ids, byId } = this.arrays
    let low = 0
    let high = byId.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (ids[byId[middle]!]! < id) low = middle + 1
      else high = middle
    }
    return low < byId.length && ids[byId[low]!] === id ? byId[low]! : -1
  }
}

/** The header of a text in `texts`. */
export const textHeader = (kind: number, name: number, length: number): number =>
  ((kind << 30) | (name << 8) | length) >>> 0
