import type { Id } from './id.ts'
import type { ImageUrl, LocalText } from './location.ts'
import type { Photo } from './photo.ts'

export const tripTypes = ['BUSINESS', 'COUPLES', 'FAMILY', 'FRIENDS', 'SOLO', 'NONE'] as const
export type TripType = (typeof tripTypes)[number]

export interface ReviewSubrating {
  readonly type: string
  readonly rating: number
}

export interface OwnerResponse {
  readonly id?: string
  readonly text: readonly LocalText[]
  readonly publishDate?: string
  readonly username?: string
}

export interface ReviewUser {
  readonly username?: string
  readonly avatarUrl?: ImageUrl
  readonly geo?: string
  readonly geoId?: string
}

/** The part of the canonical review that is stored as JSON (rulings: Operations): all but ids and indexed members. */
export interface ReviewBody {
  readonly travelDate?: string
  readonly title?: readonly LocalText[]
  readonly text?: readonly LocalText[]
  readonly url?: string
  readonly user?: ReviewUser
  readonly subratings?: readonly ReviewSubrating[]
  readonly ownerResponse?: OwnerResponse
  /** The photos of the review, which responses with the review do not have. */
  readonly photos?: readonly Photo[]
}

/** A review of a location. `publishedMs` is milliseconds since 1970; `rating` is 1 to 5. */
export interface Review extends ReviewBody {
  readonly id: Id
  readonly locationId: Id
  readonly publishedMs?: number
  readonly rating?: number
  readonly tripType?: TripType
  /** BCP 47 tag of the original. */
  readonly language?: string
  /** `source:user_id`, for erasure; never served. */
  readonly userKey?: string
}
