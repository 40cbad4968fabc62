import type { Id } from './id.ts'
import type { PriceLevel } from './location.ts'
import type { TripType } from './review.ts'

/** Kinds of readings of a query. */
export const readingKinds = [
  'name',
  'name_in_place',
  'category',
  'category_in_place',
  'category_near',
  'place',
  'address',
  'postal_code',
  'partial',
] as const
export type ReadingKind = (typeof readingKinds)[number]

/** Preferences of a text: they take nothing from places that do not agree. */
export interface Wants {
  readonly priceLevels: readonly PriceLevel[]
  readonly stars?: number
  readonly openNow: boolean
  readonly nearMe: boolean
  readonly tripType?: TripType
  /** Words of labels: "pool". */
  readonly labels: readonly string[]
}

/** Relation of results to the place that a query names. */
export const placeRoles = ['in', 'near'] as const
export type PlaceRole = (typeof placeRoles)[number]

/** Place that a query names. */
export interface InterpretedPlace {
  /** Id of its location; undefined for a country, a state or an area without a location. */
  readonly id?: Id
  /** Undefined for a state or province without a location. */
  readonly name?: string
  readonly role: PlaceRole
  readonly countryCode?: string
  /** ISO 3166-2 code. */
  readonly regionCode?: string
}

/** Answers in place of what the text asks for, if nothing matches it. */
export const fallbacks = ['kind_widened', 'address', 'place_only', 'partial'] as const
export type Fallback = (typeof fallbacks)[number]

/** Meaning that a search has read in its text. */
export interface Interpretation {
  readonly kind: ReadingKind
  readonly categoryIds: readonly string[]
  /** Undefined if the text names none, or one outside the scope of the key. */
  readonly place?: InterpretedPlace
  readonly wants: Wants
  /** Words that name nothing and were left out. */
  readonly ignored: readonly string[]
  readonly fallbacks: readonly Fallback[]
  /** Words that the first result has in another spelling. */
  readonly corrected: readonly Correction[]
  /** Other places of the name of `place`. */
  readonly alternatives: readonly InterpretedPlace[]
  /** Facts that would lead to a better answer. */
  readonly needs: readonly Need[]
  /** Operation that answers such a text better. */
  readonly suggest?: 'recommendations'
}

/** Words of a query, and those of the first result that they are taken for. */
export interface Correction {
  readonly from: string
  readonly to: string
}

/** Information that a search lacks: `location` is the position of the user, for "near me". */
export type Need = 'location'
