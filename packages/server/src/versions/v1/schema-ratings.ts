import { count } from '../../kit/json-schema.ts'
import { describedRef, listOf, object, optional, rating, ref, string, uri } from '../primitives/schema.ts'

const ImageUrl = object({ key: string('Key of the image.'), url: uri('URL of the image.') }, 'An image.')

/**
 * Returns the schema of a rating summary. `icon` is a URL in a location and an ImageUrl in a review (SPEC §2.1, §2.3).
 */
const overall = (icon: ReturnType<typeof uri> | ReturnType<typeof ref>) =>
  object(
    {
      rating: optional(rating('Average rating.')),
      count: optional(count('Number of ratings.')),
      icon_url: optional(icon),
    },
    'Overall rating summary.',
  )

const subrating = (icon: ReturnType<typeof uri> | ReturnType<typeof ref>) =>
  object(
    {
      type: string('Key of the subrating type.'),
      rating: rating('Average rating.'),
      count: optional(count('Number of ratings.')),
      icon_url: icon,
      type_name: string('Human-readable name of the type. Added in v1.'),
    },
    'Average rating of an aspect.',
  )

/**
 * Returns the schema of traveler_ratings. From v1 on the other members are next to `overall`; in v0 they were inside it
 * (SPEC §9.5).
 */
const ratings = (names: { overall: string; subrating: string }) =>
  object(
    {
      overall: optional(ref(names.overall)),
      subratings: optional(
        listOf(
          ref(names.subrating),
          'Ratings by aspect. At the top level of traveler_ratings from v1 on; inside overall in v0.',
        ),
      ),
      breakdowns: optional(
        listOf(
          ref('RatingBreakdown'),
          'Number of ratings of each value, highest first. At the top level of traveler_ratings from v1 on; inside overall in v0.',
        ),
      ),
      language_counts: optional(
        listOf(
          ref('LanguageCount'),
          'Number of reviews by language. At the top level of traveler_ratings from v1 on; inside overall in v0.',
        ),
      ),
    },
    'Ratings by travelers.',
  )

export const ratingSchemas = {
  ImageUrl,
  TravelerRatings: ratings({ overall: 'OverallRating', subrating: 'Subrating' }),
  OverallRating: overall(uri('Icon of the rating; present if a rating exists.')),
  Subrating: subrating(uri('Icon of the subrating type. Added in v1.')),
  ReviewTravelerRatings: ratings({ overall: 'ReviewOverallRating', subrating: 'ReviewedSubrating' }),
  ReviewOverallRating: overall(describedRef('ImageUrl', 'Icon of the rating; present if a rating exists.')),
  ReviewedSubrating: subrating(describedRef('ImageUrl', 'Icon of the subrating type. Added in v1.')),
  RatingBreakdown: object(
    {
      rating: rating('Rating value.'),
      count: count('Number of ratings with this value.'),
      rating_name: optional(string('Name of the rating value.')),
    },
    'Number of ratings with a given value.',
  ),
  LanguageCount: object(
    {
      language: string('Language tag with an underscore before the region, such as es_MX.'),
      count: count('Number of reviews.'),
    },
    'Number of reviews in a language.',
  ),
}
