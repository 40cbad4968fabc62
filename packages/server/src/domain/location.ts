import type { TopLevelCategory } from './category.ts'
import type { Id } from './id.ts'
import type { OpeningHours } from './opening-hours.ts'
import type { Photo } from './photo.ts'
import type { RatingSummary } from './ratings.ts'

/** Values of a location's status (SPEC §3). */
export const statusValues = ['OPEN', 'CLOSED', 'TEMPORARILY_CLOSED'] as const
export type StatusValue = (typeof statusValues)[number]

/** A status with ISO 8601 calendar dates. OPEN has no date; `reopenDate` requires TEMPORARILY_CLOSED. */
export interface Status {
  readonly value: StatusValue
  readonly closedDate?: string
  readonly reopenDate?: string
}

/** Text in a language (BCP 47 tag with hyphens); a name in an unknown language has no tag. */
export interface LocalText {
  readonly language?: string
  readonly value: string
  readonly primary?: true
}

export interface Address {
  readonly language?: string
  readonly streetAddress?: string
  readonly streetAddress2?: string
  readonly city?: string
  readonly state?: string
  readonly postalCode?: string
  readonly countryName?: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode?: string
  readonly formatted?: string
}

export interface Category {
  readonly id: string
  readonly displayName: string
  readonly hierarchy?: readonly string[]
  readonly topLevelCategory: TopLevelCategory
}

/**
 * Ids of attributes whose name is a value of the record, such as a date. They are shown, but no search finds or filters
 * by them: each value would be a label of its own.
 */
export const valueAttributes: ReadonlySet<string> = new Set(['confidence', 'date_refreshed'])

export interface Attribute {
  readonly id: string
  readonly name: string
  readonly type?: string
  readonly typeId?: string
}

export interface Price {
  readonly currency?: string
  readonly minRate?: number
  readonly maxRate?: number
}

export interface Accommodation {
  readonly brand?: string
  readonly chain?: string
  readonly starRating?: number
  readonly roomCount?: number
  readonly prices?: readonly Price[]
}

export interface ImageUrl {
  readonly key?: string
  readonly url?: string
}

export interface Award {
  readonly type?: string
  readonly name?: string
  readonly category?: string
  readonly geo?: string
  readonly year?: number
  readonly image?: ImageUrl
}

export interface LocationRanking {
  readonly rank?: number
  readonly total?: number
  readonly category?: string
  readonly geo?: string
  readonly geoId?: string
  readonly displayText?: string
}

export const priceLevels = ['CHEAP', 'MODERATE', 'EXPENSIVE', 'LUXURY'] as const
export type PriceLevel = (typeof priceLevels)[number]

/**
 * The canonical location, from which every version renders (rulings: Operations). Missing members have no value; empty
 * strings, arrays and objects do not occur. All `geoId`s are decimal int64 as strings, so that the record is plain
 * JSON.
 */
export interface Location {
  readonly names: readonly LocalText[]
  readonly descriptions?: readonly LocalText[]
  readonly geo?: string
  readonly geoId?: string
  readonly status?: Status
  readonly addresses?: readonly Address[]
  readonly coordinates: { readonly latitude: number; readonly longitude: number }
  readonly categories: readonly Category[]
  readonly attributes?: readonly Attribute[]
  readonly openingHours?: OpeningHours
  readonly phoneNumbers?: readonly { readonly type?: string; readonly value: string }[]
  readonly officialEmail?: string
  readonly urls?: { readonly official?: string; readonly menu?: string }
  readonly priceLevel?: PriceLevel
  readonly accommodation?: Accommodation
  readonly recommendedVisitLength?: string
  readonly photos?: { readonly totalCount: number }
  /** The photos of the record itself, which responses with the location do not have. */
  readonly photoList?: readonly Photo[]
  readonly attributions?: readonly { readonly source?: string; readonly license?: string; readonly url?: string }[]
  readonly neighborhoods?: readonly { readonly geoId?: string; readonly name: string }[]
  readonly awards?: readonly Award[]
  readonly rankings?: readonly LocationRanking[]
  readonly externalIds?: readonly { readonly source: string; readonly id: string }[]
  /** Ratings of the record itself; R-23 decides when they are served. */
  readonly ownRatings?: RatingSummary
  /** Names for search that are not part of responses. */
  readonly alternateNames?: readonly string[]
  readonly population?: number
  readonly nearestCity?: string
  readonly timezone?: string
  /** State or province by ISO 3166-2 code, found by a name in the record or by the coordinates. */
  readonly region?: { readonly code: string; readonly from: 'record' | 'point' }
}

/** The members of a location that scopes restrict. */
export interface ScopeFacts {
  readonly source: string
  readonly country?: string
  readonly category: TopLevelCategory
}

/**
 * A location as returned by a store: the members for scopes are parsed, the rest of the stored text is parsed when it
 * is rendered. Immutable, so that values derived from it can be cached with it.
 */
export interface LocationEntry extends ScopeFacts {
  readonly id: Id
  /** Time of the last change of the record, in milliseconds since 1970. */
  readonly updatedMs: number
  /** Parses the record; each call parses it again. */
  location(): Location
  /** Returns the served ratings, if any. Passing the parsed record saves parsing it again. */
  ratings(record?: Location): RatingSummary | undefined
  /** Returns the result of `make`, which runs once for each variant; the result is cached with the entry. */
  derive<T>(variant: string, make: () => T): T
}
