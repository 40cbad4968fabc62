import type { LocalText, LocationEntry } from '../../domain/location.ts'
import type { OwnerResponse, Review, ReviewUser } from '../../domain/review.ts'
import { toLongJson } from '../../kit/long-json.ts'
import { formatTimestamp, getRatingIconUrl, type PresentContext } from '../primitives/format.ts'
import { list, orEmpty, orNull } from './absent.ts'
import { image, longId } from './location.ts'
import { createImageIcon, travelerRatings } from './ratings.ts'
import { localizedText } from './text.ts'

/** Presents a review in v0 (SPEC §2.3, §9.5); `of` is the reviewed location. */
export function review(r: Review, of: LocationEntry, options: { originalsOnly: boolean }, context: PresentContext) {
  const texts = (values: readonly LocalText[] | undefined) =>
    list(
      values?.filter(text => !options.originalsOnly || text.primary),
      localizedText,
    )
  return {
    // A string in v0, a 64-bit integer from v1 on (SPEC §9.5, R-21).
    id: r.id.toString(),
    location_id: toLongJson(r.locationId),
    publish_ts: r.publishedMs === undefined ? null : formatTimestamp(r.publishedMs),
    travel_date: orNull(r.travelDate),
    trip_type: orNull(r.tripType),
    rating: orNull(r.rating),
    rating_icon_url: r.rating === undefined ? null : getRatingIconUrl(context.publicUrl, r.rating),
    title: texts(r.title),
    text: texts(r.text),
    url: orNull(r.url),
    user: orEmpty(r.user, user),
    subratings: list(r.subratings, ({ type, rating }) => ({ type, rating })),
    traveler_ratings: orEmpty(of.ratings(), ratings => travelerRatings(ratings, createImageIcon(context.publicUrl))),
    owner_response: orEmpty(r.ownerResponse, ownerResponse),
  }
}

const user = (u: ReviewUser) => ({
  username: orNull(u.username),
  avatar_url: orEmpty(u.avatarUrl, image),
  geo: orNull(u.geo),
  geo_id: longId(u.geoId),
})

const ownerResponse = (o: OwnerResponse) => ({
  id: longId(o.id),
  text: list(o.text, localizedText),
  publish_date: orNull(o.publishDate),
  username: orNull(o.username),
})
