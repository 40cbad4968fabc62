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
      type: ref('SubratingType'),
      rating: rating('Average rating.'),
      count: optional(count('Number of ratings.')),
      icon_url: icon,
    },
    'Average rating of an aspect.',
  )

const ratings = (names: { overall: string; subrating: string }) =>
  object(
    {
      overall: optional(ref(names.overall)),
      subratings: optional(listOf(ref(names.subrating), 'Ratings by aspect.')),
      breakdowns: optional(listOf(ref('RatingBreakdown'), 'Number of ratings of each value, highest first.')),
      language_counts: optional(listOf(ref('LanguageCount'), 'Number of reviews by language.')),
    },
    'Ratings by travelers.',
  )

export const ratingSchemas = {
  SubratingType: object(
    { id: string('Key.'), display_name: string('Human-readable name.') },
    'An aspect that travelers rate.',
  ),
  ImageUrl,
  TravelerRatings: ratings({ overall: 'OverallRating', subrating: 'Subrating' }),
  OverallRating: overall(uri('Icon of the rating; present if a rating exists.')),
  Subrating: subrating(uri('Icon of the subrating type.')),
  ReviewTravelerRatings: ratings({ overall: 'ReviewOverallRating', subrating: 'ReviewedSubrating' }),
  ReviewOverallRating: overall(describedRef('ImageUrl', 'Icon of the rating; present if a rating exists.')),
  ReviewedSubrating: subrating(describedRef('ImageUrl', 'Icon of the subrating type.')),
  RatingBreakdown: object(
    {
      rating: rating('Rating value.'),
      count: count('Number of ratings with this value.'),
      rating_name: optional(string('Name of the rating value.')),
    },
    'Number of ratings with a given value.',
  ),
  LanguageCount: object(
    { language: string('BCP 47 language tag.'), count: count('Number of reviews.') },
    'Number of reviews in a language.',
  ),
}
