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
      type: ref('SubratingType'),
      rating: rating('Average rating.'),
      count: optional(count('Number of ratings.')),
      icon_url: icon,
    },
    'Ratings of one aspect.',
  )

const ratings = (names: { overall: string; subrating: string }) =>
  closed(
    {
      overall: optional(ref(names.overall)),
      subratings: optional(listOf(ref(names.subrating), 'By aspect.')),
      breakdowns: optional(listOf(ref('RatingBreakdown'), 'By rating, best first.')),
      language_counts: optional(listOf(ref('LanguageCount'), 'Reviews by language.')),
    },
    'Ratings by travelers.',
  )

export const ratingSchemas = {
  SubratingType: closed({ id: text('Key.'), display_name: text('Human-readable name.') }, 'An aspect that is rated.'),
  ImageUrl,
  TravelerRatings: ratings({ overall: 'OverallRating', subrating: 'Subrating' }),
  OverallRating: overall(webAddress('Icon for the rating; there whenever a rating is.')),
  Subrating: subrating(webAddress('Icon of the category.')),
  ReviewTravelerRatings: ratings({ overall: 'ReviewOverallRating', subrating: 'ReviewedSubrating' }),
  ReviewOverallRating: overall(described('ImageUrl', 'Icon for the rating; there whenever a rating is.')),
  ReviewedSubrating: subrating(described('ImageUrl', 'Icon of the category.')),
  RatingBreakdown: closed(
    {
      rating: rating('The rating.'),
      count: count('How often it was given.'),
      rating_name: optional(text('The rating in words.')),
    },
    'How often a rating was given.',
  ),
  LanguageCount: closed(
    { language: text('BCP 47 tag of the language.'), count: count('Number of reviews.') },
    'How many reviews are written in a language.',
  ),
}
