import { count, type TSchema } from '../../kit/json-schema.ts'
import { object, rating, ref, string, uri } from '../primitives/schema.ts'
import { list, orNull } from './schema-absent.ts'

/**
 * Returns the schema of a rating summary, which contains everything; subratings have no icon_url or type_name (SPEC
 * §9.5).
 */
const overall = (icon: TSchema) =>
  object(
    {
      rating: orNull(rating('Average rating.')),
      count: orNull(count('Number of ratings.')),
      icon_url: orNull(icon),
      subratings: list(ref('Subrating'), 'Ratings by aspect.'),
      breakdowns: list(ref('RatingBreakdown'), 'Number of ratings of each value, highest first.'),
      language_counts: list(ref('LanguageCount'), 'Number of reviews by language.'),
    },
    'Overall rating summary.',
  )

export const ratingSchemas = {
  ImageUrl: object({ key: string('Key of the image.'), url: uri('URL of the image.') }, 'An image.'),
  TravelerRatings: object({ overall: ref('OverallRating') }, 'Ratings by travelers.'),
  OverallRating: overall(uri('Icon of the rating.')),
  ReviewTravelerRatings: object({ overall: ref('ReviewOverallRating') }, 'Ratings by travelers.'),
  ReviewOverallRating: overall(ref('ImageUrl')),
  Subrating: object(
    {
      type: string('Key of the subrating type.'),
      rating: rating('Average rating.'),
      count: orNull(count('Number of ratings.')),
    },
    'Average rating of an aspect.',
  ),
  RatingBreakdown: object(
    {
      rating: rating('Rating value.'),
      count: count('Number of ratings with this value.'),
      rating_name: orNull(string('Name of the rating value.')),
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
