import type { LocalText, LocationEntry } from '../../domain/location.ts'
import type { OwnerResponse, Review, ReviewUser } from '../../domain/review.ts'
import { subratingName } from '../../domain/subratings.ts'
import { toLongJson } from '../../kit/long-json.ts'
import { formatTimestamp, type PresentContext } from '../primitives/format.ts'
import { labelled } from './labels.ts'
import { longId } from './location.ts'
import { createImageIcons, travelerRatings } from './ratings.ts'
import { localizedText } from './text.ts'

/** Presents a review in v2 (rulings: Operations); `of` is the reviewed location. */
export function review(r: Review, of: LocationEntry, options: { originalsOnly: boolean }, context: PresentContext) {
  const icons = createImageIcons(context.publicUrl)
  const ratings = of.ratings()
  const texts = (list: readonly LocalText[] | undefined) =>
    list?.filter(text => !options.originalsOnly || text.primary).map(localizedText)
  return {
    id: toLongJson(r.id),
    location_id: toLongJson(r.locationId),
    publish_ts: r.publishedMs === undefined ? undefined : formatTimestamp(r.publishedMs),
    travel_date: r.travelDate,
    trip_type: r.tripType,
    rating: r.rating,
    rating_icon: r.rating === undefined ? undefined : icons.rating(r.rating),
    title: texts(r.title),
    text: texts(r.text),
    url: r.url,
    user: r.user && user(r.user),
    subratings: r.subratings?.map(({ type, rating }) => ({
      type: labelled(type, subratingName),
      rating,
      icon_url: icons.subrating(type),
    })),
    traveler_ratings: ratings && travelerRatings(ratings, icons),
    owner_response: r.ownerResponse && ownerResponse(r.ownerResponse),
  }
}

const user = (u: ReviewUser) => ({
  username: u.username,
  avatar_url: u.avatarUrl && { key: u.avatarUrl.key, url: u.avatarUrl.url },
  geo: u.geo,
  geo_id: longId(u.geoId),
})

const ownerResponse = (o: OwnerResponse) => ({
  id: longId(o.id),
  text: o.text.map(localizedText),
  publish_date: o.publishDate,
  username: o.username,
})
