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
  'How the author rated one aspect.',
)

const ReviewUser = closed(
  {
    username: optional(text('Name.')),
    avatar_url: optional(described('AnyImage', 'Picture.')),
    geo: optional(text('Where the author is from.')),
    geo_id: optional(long('Id of where the author is from.')),
  },
  'The author.',
)

const OwnerResponse = closed(
  {
    id: optional(long('Id of the response.')),
    text: listOf(ref('LocalizedText'), 'The response.'),
    publish_date: optional(date('When it was published.')),
    username: optional(text('Who wrote it.')),
  },
  'What the owner of the place answered.',
)

const Review = closed(
  {
    id: long('64-bit integer; store it as one.'),
    location_id: long('Id of the reviewed location.'),
    publish_ts: optional(dateTime('When it was published.')),
    travel_date: optional(text('When the author was there: YYYY-MM or YYYY-MM-DD.')),
    trip_type: optional(oneOf(tripTypes, 'The kind of trip.')),
    rating: optional(rating('The rating, 1 to 5.')),
    rating_icon: optional(described('ImageUrl', 'Icon for the rating; present whenever a rating exists.')),
    title: optional(listOf(ref('LocalizedText'), 'Title.')),
    text: optional(listOf(ref('LocalizedText'), 'Text.')),
    url: optional(text('The review at its source.')),
    user: optional(ref('ReviewUser')),
    subratings: optional(listOf(ref('ReviewSubrating'), 'The ratings of single aspects.')),
    traveler_ratings: optional(described('ReviewTravelerRatings', 'Ratings of the reviewed location.')),
    owner_response: optional(ref('OwnerResponse')),
  },
  'A review of a location (SPEC §2.3).',
)

export const reviewSchemas = { Review, ReviewSubrating, ReviewUser, OwnerResponse }
