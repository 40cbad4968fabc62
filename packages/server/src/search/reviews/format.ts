import type { StorePosition } from '../../domain/feed-stores.ts'
import { tripTypes } from '../../domain/review.ts'
import type { StoredArray } from '../../kit/stored-arrays.ts'

/** Version of the format, of folding and of tokens. Files of other versions are built again. */
export const reviewsFormat = 2
export const magic = 'PERIREVS'
/** Size of the end of a file: length and CRC-32 of the header, format (32-bit little-endian each), and `magic`. */
export const trailerBytes = 20

/** Trip types by their number in a file; 0 is unknown. */
export const tripNumbers: ReadonlyMap<string, number> = new Map(tripTypes.map((type, i) => [type, i + 1]))

/**
 * Arrays of a segment, which are held in memory: 16 bytes for each review, and the terms. The lists of reviews by term
 * stay in the file.
 */
export const segmentTypes = {
  termStart: Uint32Array,
  termUnits: Uint16Array,
  /** Length terms + 1: start of the list of each term, in bytes. */
  listStart: Uint32Array,
  listCrc: Uint32Array,
  /** Number of sentences with each term. */
  sentences: Uint32Array,
  /** Ids of the places with reviews, ascending. */
  placeIds: BigUint64Array,
  /** Ids of the reviews, ascending. */
  reviewIds: BigUint64Array,
  /** For each review, the index of its place. */
  place: Uint32Array,
  /** For each review, the day of its publication since 1970. */
  day: Uint16Array,
  /** For each review, the number of its language in `ReviewsFacts.languages`, from 1; 0 if it is unknown. */
  language: Uint8Array,
  /** For each review, its trip type; see `tripNumbers`. */
  trip: Uint8Array,
  /** Length reviews + 1: number of vectors of earlier reviews. */
  vectorStart: Uint32Array,
} as const

type ArrayOf<Type> = Type extends typeof Uint32Array
  ? Uint32Array
  : Type extends typeof Uint16Array
    ? Uint16Array
    : Type extends typeof BigUint64Array
      ? BigUint64Array
      : Uint8Array

export type SegmentArrays = { readonly [Name in keyof typeof segmentTypes]: ArrayOf<(typeof segmentTypes)[Name]> }

/** Facts of a file. */
export interface ReviewsFacts {
  readonly storeId: string
  /** The state of the store from which the file was built. */
  readonly position: StorePosition
  readonly reviews: number
  readonly sentences: number
  /** Primary subtags of languages. */
  readonly languages: readonly string[]
  /** Undefined without vectors of sentences. */
  readonly vectors?: VectorFacts
}

/** Origin of the vectors of a file. */
export interface VectorFacts {
  /** Path of the module that made them. */
  readonly module: string
  readonly dimensions: number
}

/** A segment in a file: the vectors of its sentences, the lists of its terms, then its arrays. */
export interface StoredSegment {
  readonly vectorsAt: number
  readonly listsAt: number
  readonly arraysAt: number
  readonly arrays: readonly StoredArray<keyof typeof segmentTypes>[]
}

/** Header of a file, as JSON before the trailer. */
export interface ReviewsHeader {
  readonly facts: ReviewsFacts
  readonly segments: readonly StoredSegment[]
}
