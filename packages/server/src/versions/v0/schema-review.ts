import { dateTime, Type } from '../../kit/json-schema.ts'
import { date, int64Id, object, rating, ref, reviewRating, string, uri } from '../primitives/schema.ts'
import { list, orEmpty, orNull } from './schema-absent.ts'

/** The schema of a review in v0 (SPEC §2.3, §9.5). */
const Review = object(
  {
    id: Type.String({
      pattern: '^[1-9][0-9]*$',
      description: 'Id of the review: a string in v0, a 64-bit integer from v1 on.',
    }),
    location_id: int64Id('Id of the reviewed location.'),
    publish_ts: orNull(dateTime('Time of publication.')),
    travel_date: orNull(string('Date of the visit: YYYY-MM or YYYY-MM-DD.')),
    trip_type: orNull(ref('TripType')),
    rating: orNull(reviewRating('Rating from 1 to 5.')),
    rating_icon_url: orNull(uri('Icon of the rating.')),
    title: list(ref('MarkedText'), 'Title, by language.'),
    text: list(ref('MarkedText'), 'Text, by language.'),
    url: orNull(string('URL of the review at its source.')),
    user: orEmpty(ref('ReviewUser')),
    subratings: list(ref('ReviewSubrating'), 'Ratings of individual aspects.'),
    traveler_ratings: orEmpty(ref('ReviewTravelerRatings')),
    owner_response: orEmpty(ref('OwnerResponse')),
  },
  'A review of version 0.',
)

const ReviewUser = object(
  {
    username: orNull(string('Display name of the author.')),
    avatar_url: orEmpty(ref('AnyImage')),
    geo: orNull(string('Home location of the author.')),
    geo_id: orNull(int64Id('Id of the home location of the author.')),
  },
  'Author of the review.',
)

const ReviewSubrating = object(
  { type: string('Key of the subrating type.'), rating: rating('Rating of this aspect.') },
  "The author's rating of an aspect.",
)

const OwnerResponse = object(
  {
    id: orNull(int64Id('Id of the response.')),
    text: list(ref('MarkedText'), 'Text of the response.'),
    publish_date: orNull(date('Date of publication.')),
    username: orNull(string('Author of the response.')),
  },
  "Response of the place's owner.",
)

export const reviewSchemas = { Review, ReviewUser, ReviewSubrating, OwnerResponse }
