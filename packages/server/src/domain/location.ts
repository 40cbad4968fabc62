import type { TopLevelCategory } from './category.ts'
import type { Id } from './id.ts'
import type { OpeningHours } from './opening-hours.ts'
import type { RatingSummary } from './ratings.ts'

/** SPEC §3: the only state-like value. */
export const statusValues = ['OPEN', 'CLOSED', 'TEMPORARILY_CLOSED'] as const
export type StatusValue = (typeof statusValues)[number]

/** Dates are ISO 8601 calendar dates. OPEN carries none; `reopenDate` only with TEMPORARILY_CLOSED. */
export interface Status {
  readonly value: StatusValue
  readonly closedDate?: string
  readonly reopenDate?: string
}

/** Text in a language (BCP 47 tag, dashed); a name in an unknown language has none. */
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

export interface Ranking {
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
 * The canonical location: what every version renders from (rulings: Operations). Absent members have no value; empty strings,
 * arrays and objects do not occur. `geoId` and `geo_id`s within are decimal int64 as strings, so that the record is
 * plain JSON.
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
  readonly attributions?: readonly { readonly source?: string; readonly license?: string; readonly url?: string }[]
  readonly neighborhoods?: readonly { readonly geoId?: string; readonly name: string }[]
  readonly awards?: readonly Award[]
  readonly rankings?: readonly Ranking[]
  readonly externalIds?: readonly { readonly source: string; readonly id: string }[]
  /** What the record itself says of its ratings; R-23 decides whether it is served. */
  readonly ownRatings?: RatingSummary
  /** Not served: found by search only. */
  readonly alternateNames?: readonly string[]
  readonly population?: number
  readonly nearestCity?: string
  readonly timezone?: string
}

/** What a grant's scope looks at. */
export interface ScopeFacts {
  readonly source: string
  readonly country?: string
  readonly category: TopLevelCategory
}

/**
 * A location as a store hands it out: what permission needs is there at once, the rest is read from the stored text
 * only when somebody renders it. Immutable, so that what is derived from it may be kept as long as it lives.
 */
export interface LocationEntry extends ScopeFacts {
  readonly id: Id
  /** Milliseconds since 1970 of the last change of the record. */
  readonly updatedMs: number
  /** The record, parsed anew on each call. */
  location(): Location
  /** R-23, chosen between record and reviews; undefined where there is no rating. Handing in the parsed record spares a parse. */
  ratings(record?: Location): RatingSummary | undefined
  /** What `make` gives, made once per `variant` and kept as long as the entry itself. */
  derive<T>(variant: string, make: () => T): T
}
