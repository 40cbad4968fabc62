import type { Eventual } from '../kit/chain.ts'
import type { Id } from './id.ts'
import type { Filters, Point, QueryCaller } from './search.ts'

/** Maximum number of own records of one call. */
export const maxOwnRecords = 100

/** A record of a caller that describes a place. */
export interface OwnRecord {
  readonly name: string
  readonly point?: Point
  readonly address?: string
  readonly postalCode?: string
  readonly city?: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode?: string
  readonly phone?: string
  /** An id in another source, such as `wikidata:Q1492`. */
  readonly externalId?: string
  readonly categoryId?: string
}

/** Result of a comparison: the same place, or a place that a person should look at. */
export const matchDecisions = ['same', 'possible'] as const
export type MatchDecision = (typeof matchDecisions)[number]

/** Fields that a comparison reports. */
export const matchFields = [
  'external_id',
  'name',
  'numbers',
  'distance',
  'phone',
  'website',
  'address',
  'postal_code',
  'city',
  'country_code',
  'category',
  'source',
] as const
export type MatchField = (typeof matchFields)[number]

/** One reason of a score, with the measure of its field. */
export interface MatchReason {
  readonly field: MatchField
  /** True if the field speaks for one place, false if it speaks against it. */
  readonly agrees: boolean
  /** 0 to 1; present for names only. */
  readonly similarity?: number
  /** Present for a distance only. */
  readonly meters?: number
}

/** A query for the locations that a record may describe. */
export interface CandidateQuery extends Pick<Filters, 'scope' | 'countryCode'> {
  readonly name: string
  readonly point?: Point
  /** Keys of the record (domain/external-id.ts). */
  readonly keys: readonly string[]
  /** Words that narrow a search by name where there is no point: a city. */
  readonly place?: string
}

export interface CandidateResult {
  readonly ids: readonly Id[]
  /** Weights of the words of the record and of the candidates, 0 to 1; rare words weigh most. */
  readonly weights: ReadonlyMap<string, number>
  /** Keys that several locations have: they identify none. */
  readonly sharedKeys: readonly string[]
}

/** Finds the locations that records may describe. */
export interface CandidateIndex {
  candidates(query: CandidateQuery, caller: QueryCaller): Eventual<CandidateResult>
  /** Returns the folded words of a text, as the index has them. */
  wordsOf(text: string): readonly string[]
}
