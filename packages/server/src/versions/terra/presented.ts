/** The parts of version 1 that Terra has in another form. Version 1 is frozen, so that they stay as they are. */

import type { TopLevelCategory } from '../../domain/category.ts'
import type { PriceLevel } from '../../domain/location.ts'
import type { PhotoOrigin } from '../../domain/photo.ts'
import type { RawJson } from '../../kit/long-json.ts'
import type { Json } from '../version.ts'
import type { PresentedText } from './text.ts'

export interface PresentedCategory {
  readonly id: string
  readonly display_name: string
  readonly hierarchy?: readonly string[]
  readonly top_level_category: TopLevelCategory
}

/** A location with the members of version 1. */
export interface PresentedLocation {
  readonly id: number | RawJson
  readonly names: readonly PresentedText[]
  readonly descriptions?: readonly PresentedText[]
  readonly coordinates: Json
  readonly categories: readonly PresentedCategory[]
  readonly opening_hours?: {
    readonly periods?: readonly { readonly day_of_week: string; readonly opens: string; readonly closes: string }[]
  }
  readonly phone_numbers?: readonly { readonly type?: string; readonly value: string }[]
  readonly price_level?: PriceLevel
  readonly accommodation?: { readonly star_rating?: number }
  readonly recommended_visit_length?: string
  readonly photos?: Json
  readonly attributions?: readonly Json[]
  readonly neighborhoods?: readonly { readonly geo_id?: number | RawJson; readonly name: string }[]
}

/** A location of the catalog with the members of version 1. */
export interface PresentedCatalogLocation {
  readonly names: readonly PresentedText[]
  readonly descriptions?: readonly PresentedText[]
  readonly categories: readonly PresentedCategory[]
  readonly status?: Json
  readonly traveler_ratings?: { readonly overall?: Json }
}

/** A review with the members of version 1. */
export interface PresentedReview {
  readonly rating?: number
  readonly rating_icon_url?: string
  readonly title?: readonly PresentedText[]
  readonly text?: readonly PresentedText[]
  readonly subratings?: readonly Json[]
  readonly trip_type?: string
}

/** Members of a search result next to its location. */
export interface PresentedMatch {
  readonly matched_value?: PresentedText
}

/** A photo as all versions present it. */
export interface PresentedPhoto {
  readonly id: string
  readonly url: string
  readonly width?: number
  readonly height?: number
  readonly sizes?: readonly Json[]
  readonly caption?: string
  readonly attribution?: string
  readonly license?: string
  readonly source_url?: string
  readonly origin: PhotoOrigin
  readonly review_id?: number | RawJson
}
