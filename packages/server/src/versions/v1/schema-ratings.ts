import { closed, count, described, listOf, optional, rating, ref, text, webAddress } from '../primitives/schema.ts'

const ImageUrl = closed({ key: text('Key of the image.'), url: webAddress('Address of the image.') }, 'An image.')

/** `icon` differs: a URL in a location, an ImageUrl in a review (SPEC §2.1 and §2.3). */
const overall = (icon: ReturnType<typeof webAddress> | ReturnType<typeof ref>) =>
  closed(
    {
      rating: optional(rating('Average rating.')),
      count: optional(count('Number of ratings.')),
      icon_url: optional(icon),
    },
    'Overall rating summary.',
  )

const subrating = (icon: ReturnType<typeof webAddress> | ReturnType<typeof ref>) =>
  closed(
    {
      type: text('Subrating category key.'),
      rating: rating('Average rating.'),
      count: optional(count('Number of ratings.')),
      icon_url: icon,
      type_name: text('Human-readable name of the type. Added in v1.'),
    },
    'Ratings of one aspect.',
  )

/** From v1 on everything but `overall` stands beside it; in v0 it stood inside (SPEC §9.5). */
const ratings = (names: { overall: string; subrating: string }) =>
  closed(
    {
      overall: optional(ref(names.overall)),
      subratings: optional(
        listOf(ref(names.subrating), 'By aspect. At the top level of traveler_ratings from v1, inside overall in v0.'),
      ),
      breakdowns: optional(
        listOf(
          ref('RatingBreakdown'),
          'By rating, best first. At the top level of traveler_ratings from v1, inside overall in v0.',
        ),
      ),
      language_counts: optional(
        listOf(
          ref('LanguageCount'),
          'Reviews by language. At the top level of traveler_ratings from v1, inside overall in v0.',
        ),
      ),
    },
    'Ratings by travelers.',
  )

export const ratingSchemas = {
  ImageUrl,
  TravelerRatings: ratings({ overall: 'OverallRating', subrating: 'Subrating' }),
  OverallRating: overall(webAddress('Icon for the rating; there whenever a rating is.')),
  Subrating: subrating(webAddress('Icon of the category. Added in v1.')),
  ReviewTravelerRatings: ratings({ overall: 'ReviewOverallRating', subrating: 'ReviewedSubrating' }),
  ReviewOverallRating: overall(described('ImageUrl', 'Icon for the rating; there whenever a rating is.')),
  ReviewedSubrating: subrating(described('ImageUrl', 'Icon of the category. Added in v1.')),
  RatingBreakdown: closed(
    {
      rating: rating('The rating.'),
      count: count('How often it was given.'),
      rating_name: optional(text('The rating in words.')),
    },
    'How often a rating was given.',
  ),
  LanguageCount: closed(
    { language: text('Language, with an underscore before its region.'), count: count('Number of reviews.') },
    'How many reviews are written in a language.',
  ),
}
