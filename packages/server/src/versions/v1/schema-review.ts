import { dateTime } from '../../kit/json-schema.ts'
import {
  date,
  describedRef,
  int64Id,
  listOf,
  object,
  optional,
  rating,
  ref,
  reviewRating,
  string,
  uri,
} from '../primitives/schema.ts'

const ReviewSubrating = object(
  {
    type: string('Key of the subrating type.'),
    rating: rating('Rating of this aspect.'),
    icon_url: describedRef('ImageUrl', 'Icon of the subrating type. Added in v1.'),
    type_name: string('Human-readable name of the type. Added in v1.'),
  },
  "The author's rating of an aspect.",
)

const ReviewUser = object(
  {
    username: optional(string('Display name of the author.')),
    avatar_url: optional(describedRef('AnyImage', 'Avatar of the author.')),
    geo: optional(string('Home location of the author.')),
    geo_id: optional(int64Id('Id of the home location of the author.')),
  },
  'Author of the review.',
)

const OwnerResponse = object(
  {
    id: optional(int64Id('Id of the response.')),
    text: listOf(ref('LocalizedText'), 'Text of the response.'),
    publish_date: optional(date('Date of publication.')),
    username: optional(string('Author of the response.')),
  },
  "Response of the place's owner.",
)

const Review = object(
  {
    id: int64Id('Id of the review: a 64-bit integer from v1 on, a string in v0. Store it as a 64-bit integer.'),
    location_id: int64Id('Id of the reviewed location.'),
    publish_ts: optional(dateTime('Time of publication.')),
    travel_date: optional(string('Date of the visit: YYYY-MM or YYYY-MM-DD.')),
    trip_type: optional(ref('TripType')),
    rating: optional(reviewRating('Rating from 1 to 5.')),
    rating_icon_url: optional(uri('Icon of the rating; from v1 on always present if a rating exists.')),
    title: optional(listOf(ref('LocalizedText'), 'Title, by language.')),
    text: optional(listOf(ref('LocalizedText'), 'Text, by language.')),
    url: optional(string('URL of the review at its source.')),
    user: optional(ref('ReviewUser')),
    subratings: optional(listOf(ref('ReviewSubrating'), 'Ratings of individual aspects.')),
    traveler_ratings: optional(describedRef('ReviewTravelerRatings', 'Ratings of the reviewed location.')),
    owner_response: optional(ref('OwnerResponse')),
  },
  'A review of a location.',
)

export const reviewSchemas = { Review, ReviewSubrating, ReviewUser, OwnerResponse }
