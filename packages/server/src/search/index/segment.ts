import { topLevelCategories } from '../../domain/category.ts'
import type { Id } from '../../domain/id.ts'
import type { GroupIndex } from './groups.ts'
import { Points } from './points.ts'
import { TermDictionary } from './term-dictionary.ts'

/** Codes of document statuses; 0 is an unknown status. */
export const statusCode = { OPEN: 1, CLOSED: 2, TEMPORARILY_CLOSED: 3 } as const

/** Value of the column `category` of cities, regions and countries. */
export const geoCategory = topLevelCategories.indexOf('GEO')

/** Metadata of a segment and the values that its columns refer to by index. */
export interface SegmentFacts {
  /** Number of documents. */
  readonly count: number
  /** Change-log sequence number up to which the segment includes the changes of the store. */
  readonly revision: number
  /** Time of the build, in milliseconds since 1970. */
  readonly builtMs: number
  /** ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly string[]
  /** ISO 3166-2 codes. */
  readonly regions: readonly string[]
  readonly sources: readonly string[]
  /** IANA time zone names. */
  readonly zones: readonly string[]
  /** Languages of names, as BCP 47 tags. */
  readonly languages: readonly string[]
}

/**
 * Arrays of a segment that depend on its documents alone, and their element types.
 *
 * A document's number is its rank: documents that are not CLOSED first, then by descending prominence, then by
 * ascending id. Posting lists are ascending and therefore ordered by prominence, so that a query can stop early
 * (docs/decisions/002-search-index.md). A term's number is its rank by UTF-16 code units.
 *
 * D is the number of documents, T of terms, A of areas, L of label sets, C of countries, R of regions. Lists of lists
 * are in compressed sparse row form: `…Start` has one entry more than there are lists, and list `i` is the range from
 * `…Start[i]` up to `…Start[i + 1]` (exclusive) of the array that belongs to it.
 *
 * A change of the meaning of an array requires a new `indexVersion` (stored-file.ts).
 */
export const placeTypes = {
  // Columns of length D.
  id: BigUint64Array,
  /** Documents in ascending order of id. */
  byId: Uint32Array,
  /** Units of 1e-7 degrees. */
  latitude: Int32Array,
  /** Units of 1e-7 degrees. */
  longitude: Int32Array,
  /** Index into `topLevelCategories`. */
  category: Uint8Array,
  /** `statusCode`; 0 if unknown. */
  status: Uint8Array,
  /** Index into `priceLevels` + 1; 0 if unknown. */
  price: Uint8Array,
  /** Stars of a place to stay in tenths; 0 if unknown. */
  stars: Uint8Array,
  /** Index into `facts.countries` + 1; 0 if unknown. */
  country: Uint16Array,
  /** Index into `facts.regions` + 1; 0 if unknown. */
  region: Uint16Array,
  /** Index into `facts.sources`. */
  source: Uint16Array,
  /** Rating in hundredths, 100 to 500; 0 without a rating. */
  rating: Uint16Array,
  /** Bayesian average of the rating, 1 to 5; 0 without a rating. */
  weightedRating: Float32Array,
  /** 0 to 1; see popularity.ts. */
  prominence: Float32Array,
  /** Term of the postal code + 1; 0 if unknown. */
  postal: Uint32Array,
  /** Area of the document, below A. */
  area: Uint32Array,
  /** Label set of the document, below L. */
  labels: Uint32Array,
  /** Offset of the document's record in `hoursData`; 0 if its opening hours are unknown. */
  hours: Uint32Array,

  /** Records of opening hours: index into `facts.zones`, number of encoded values, values of `encodeHours`. */
  hoursData: Uint16Array,
  /** Length D + 1: texts of each document in `texts`, primary name first, then other names, codes, addresses and variants. */
  textStart: Uint32Array,
  /** Headers and terms of texts; see texts.ts. */
  texts: Uint32Array,
  /** Length D + 1: served names of each document in `nameTexts`. */
  nameTextStart: Uint32Array,
  /** See name-texts.ts. */
  nameTexts: Uint8Array,

  /** Length T + 1: code units of each term in `termUnits`. */
  termStart: Uint32Array,
  termUnits: Uint16Array,

  /** Length T + 1: posting list of each term in `nameDocs`. */
  nameStart: Uint32Array,
  /** Documents with the term in a name or code. */
  nameDocs: Uint32Array,
  /** Length T + 1: posting list of each term in `addressDocs`. */
  addressStart: Uint32Array,
  /** Documents with the term in an address. */
  addressDocs: Uint32Array,

  // Areas: distinct combinations of surroundings, shared by documents (`GroupIndex`).
  /** Length A + 1: documents of each area in `areaDocs`. */
  areaDocStart: Uint32Array,
  areaDocs: Uint32Array,
  /** Length A + 1: names of each area in `areaTexts`. */
  areaTextStart: Uint32Array,
  /** Runs of terms; see texts.ts. */
  areaTexts: Uint32Array,
  /** Length A: hash of the names and the country of the area, equal in all parts. */
  areaKey: Float64Array,
  /** Length A + 1: label of each area in `areaLabels`: its city and its state as they are shown, one a line, in UTF-8. */
  areaLabelStart: Uint32Array,
  areaLabels: Uint8Array,

  // Label sets: distinct combinations of categories and attributes, shared by documents (`GroupIndex`).
  /** Length T + 1: label sets of each term in `labelTermSets`. */
  labelTermStart: Uint32Array,
  labelTermSets: Uint32Array,
  /** Length T + 1: number of documents in the label sets of all earlier terms. */
  labelTermDocs: Uint32Array,
  /** Length L: hash of the categories and attributes of the label set, equal in all parts. */
  labelKey: Float64Array,
  /** Length L: reserved term of the first category id of the label set. */
  labelKind: Uint32Array,
  /** Length L + 1: documents of each label set in `labelDocs`. */
  labelDocStart: Uint32Array,
  labelDocs: Uint32Array,

  /** Length C + 2: documents of each country in `countryDocs`, numbered as in `country`. */
  countryStart: Uint32Array,
  countryDocs: Uint32Array,
  /** Length R + 2: documents of each region in `regionDocs`, numbered as in `region`. */
  regionStart: Uint32Array,
  regionDocs: Uint32Array,

  /** Ascending hashes of the keys of documents; see external-keys.ts. */
  externalHash: Float64Array,
  /** Document of each entry of `externalHash`. */
  externalDoc: Uint32Array,

  /**
   * Length buckets + 1: entries of each hash bucket in `spellGroups`; see spelling.ts. Empty in one of several parts,
   * whose lexicon has those of all.
   */
  spellStart: Uint32Array,
  spellGroups: Uint32Array,

  /** Ascending hashes (`termBagHash`) of the names of GEO documents; see geo-names.ts. */
  geoHash: Uint32Array,
  /** Document of each entry of `geoHash`. */
  geoDocs: Uint32Array,

  /** Serialized k-d tree; see points.ts. */
  points: Uint8Array,
  ratingPeaks: Float32Array,
} as const

/** Arrays of a segment that also depend on the documents of all parts: weights of terms, and names of areas. */
export const scoreTypes = {
  // Columns of length D.
  /** Number of names and weight of the lightest; see impacts.ts. */
  nameSummaries: Uint8Array,
  /** City that a search by the name of the document means; see leaders.ts. 0 if there is no such city. */
  leader: Uint32Array,

  /** Length T: weight of each term, from 26 (in every name) to 255 (in one). */
  weight: Uint8Array,
  /** Terms in the names of more than `commonTermDocuments` documents, ascending. */
  commonTerms: Uint32Array,
  /** Impact of each entry of `nameDocs`; see impacts.ts. */
  nameImpacts: Uint8Array,
  /** Documents with a text that repeats a term, ascending. */
  repeatingDocs: Uint32Array,

  // Terms of areas, and the places that they are named after.
  /** Length T + 1: areas of each term in `areaTermAreas`. */
  areaTermStart: Uint32Array,
  areaTermAreas: Uint32Array,
  /** Length T + 1: number of documents in the areas of all earlier terms. */
  areaTermDocs: Uint32Array,
  /** Length A: place that the area is named after + 1; 0 if there is no such place. */
  areaPlace: Uint32Array,
  /** Prominence of the places that areas are named after: GEO documents of any part. */
  placePopularity: Float32Array,
  /** Coordinates of these places, in units of 1e-7 degrees. */
  placeLatitude: Int32Array,
  placeLongitude: Int32Array,
  /** Length places + 1: names of each place in `placeTexts`. */
  placeTextStart: Uint32Array,
  /** Runs of terms. */
  placeTexts: Uint32Array,

  /** Ascending hashes (`termBagHash`) of names that consist of common terms only. */
  commonHash: Uint32Array,
  /** Document of each entry of `commonHash`. */
  commonDocs: Uint32Array,

  // Best documents of words; see best-lists.ts.
  bestTerm: Uint32Array,
  bestLength: Uint8Array,
  bestTotal: Uint32Array,
  bestStart: Uint32Array,
  bestPart: Uint8Array,
  bestDocs: Uint32Array,
  bestScore: Float64Array,
  bestName: Int32Array,
} as const

/** Arrays of a segment. */
export const arrayTypes = { ...placeTypes, ...scoreTypes } as const

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
          : A extends Float64Array
            ? Float64Array
            : BigUint64Array
export type SegmentArrays = { readonly [K in ArrayName]: InSharedMemory<InstanceType<(typeof arrayTypes)[K]>> }
export type PlaceArrays = Pick<SegmentArrays, keyof typeof placeTypes>
export type ScoreArrays = Pick<SegmentArrays, keyof typeof scoreTypes>

/** Documents of a segment, before they are scored with those of all parts. */
export interface SegmentPlaces {
  readonly facts: SegmentFacts
  readonly arrays: PlaceArrays
}

/** Plain data of an immutable segment. The arrays are in shared memory, so posting it to a worker copies nothing. */
export interface SegmentData {
  readonly facts: SegmentFacts
  readonly arrays: SegmentArrays
}

/** Segment with the read access that queries use. */
export class Segment {
  readonly facts: SegmentFacts
  readonly arrays: SegmentArrays
  readonly terms: TermDictionary
  readonly points: Points
  readonly areas: GroupIndex
  readonly labels: GroupIndex
  #regionNumbers: ReadonlyMap<string, number> | undefined

  constructor({ facts, arrays }: SegmentData) {
    this.facts = facts
    this.arrays = arrays
    this.terms = new TermDictionary(arrays)
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

  /** Number of documents. */
  get count(): number {
    return this.facts.count
  }

  /** Returns true if a document is in one of some regions, given by their codes. */
  hasRegion(codes: readonly string[]): boolean {
    const { regions } = this.facts
    this.#regionNumbers ??= new Map(regions.map((code, i) => [code, i + 1]))
    return codes.some(code => this.#regionNumbers!.has(code))
  }

  /** Returns the distinct numbers of some regions, given by their codes; those without a document have no number. */
  regionNumbers(codes: readonly string[]): readonly number[] {
    if (!this.hasRegion(codes)) return []
    const numbers = codes.map(code => this.#regionNumbers!.get(code)).filter(number => number !== undefined)
    return [...new Set(numbers)]
  }

  /** Returns 1 for the number of each of some regions, given by their codes; undefined if no document is in one. */
  regionsOf(codes: readonly string[]): Uint8Array | undefined {
    const numbers = this.regionNumbers(codes)
    if (numbers.length === 0) return undefined
    const found = new Uint8Array(this.facts.regions.length + 1)
    for (const number of numbers) found[number] = 1
    return found
  }

  /** Returns the document with an id, or -1. */
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
