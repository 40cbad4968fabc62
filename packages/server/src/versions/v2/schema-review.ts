import { tripTypes } from '../../domain/review.ts'
import {
  closed,
  date,
  dateTime,
  described,
  listOf,
  long,
  oneOf,
  optional,
  rating,
  ref,
  text,
} from '../primitives/schema.ts'

const ReviewSubrating = closed(
  {
    type: ref('SubratingType'),
    rating: rating('Per-review value.'),
    icon_url: described('ImageUrl', 'Icon of the category.'),
  },
  "The author's rating of one aspect.",
)

const ReviewUser = closed(
  {
    username: optional(text('Name.')),
    avatar_url: optional(described('AnyImage', 'Avatar of the author.')),
    geo: optional(text('Home location of the author.')),
    geo_id: optional(long('Id of the home location of the author.')),
  },
  'The author.',
)

const OwnerResponse = closed(
  {
    id: optional(long('Id of the response.')),
    text: listOf(ref('LocalizedText'), 'Text of the response.'),
    publish_date: optional(date('Date of publication.')),
    username: optional(text('Author of the response.')),
  },
  "Response of the place's owner.",
)

const Review = closed(
  {
    id: long('Id of the review. Store it as a 64-bit integer.'),
    location_id: long('Id of the reviewed location.'),
    publish_ts: optional(dateTime('Time of publication.')),
    travel_date: optional(text('Date of the visit: YYYY-MM or YYYY-MM-DD.')),
    trip_type: optional(oneOf(tripTypes, 'Kind of trip.')),
    rating: optional(rating('Rating from 1 to 5.')),
    rating_icon: optional(described('ImageUrl', 'Icon for the rating; present whenever a rating exists.')),
    title: optional(listOf(ref('LocalizedText'), 'Title.')),
    text: optional(listOf(ref('LocalizedText'), 'Text.')),
    url: optional(text('URL of the review at its source.')),
    user: optional(ref('ReviewUser')),
    subratings: optional(listOf(ref('ReviewSubrating'), 'Ratings of single aspects.')),
    traveler_ratings: optional(described('ReviewTravelerRatings', 'Ratings of the reviewed location.')),
    owner_response: optional(ref('OwnerResponse')),
  },
  'A review of a location (SPEC §2.3).',
)

export const reviewSchemas = { Review, ReviewSubrating, ReviewUser, OwnerResponse }
