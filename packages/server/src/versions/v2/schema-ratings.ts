import { closed, count, described, listOf, optional, rating, ref, text, webAddress } from '../primitives/schema.ts'

const ImageUrl = closed({ key: text('Key of the image.'), url: webAddress('URL of the image.') }, 'An image.')

/** Returns the schema of a rating summary. `icon` is a URL in a location and an ImageUrl in a review (SPEC §2.1, §2.3). */
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
    'Rating of one aspect.',
  )

const ratings = (names: { overall: string; subrating: string }) =>
  closed(
    {
      overall: optional(ref(names.overall)),
      subratings: optional(listOf(ref(names.subrating), 'Ratings by aspect.')),
      breakdowns: optional(listOf(ref('RatingBreakdown'), 'Number of ratings by value, best first.')),
      language_counts: optional(listOf(ref('LanguageCount'), 'Number of reviews by language.')),
    },
    'Ratings by travelers.',
  )

export const ratingSchemas = {
  SubratingType: closed(
    { id: text('Key.'), display_name: text('Human-readable name.') },
    'An aspect that travelers rate.',
  ),
  ImageUrl,
  TravelerRatings: ratings({ overall: 'OverallRating', subrating: 'Subrating' }),
  OverallRating: overall(webAddress('Icon for the rating; present whenever a rating exists.')),
  Subrating: subrating(webAddress('Icon of the category.')),
  ReviewTravelerRatings: ratings({ overall: 'ReviewOverallRating', subrating: 'ReviewedSubrating' }),
  ReviewOverallRating: overall(described('ImageUrl', 'Icon for the rating; present whenever a rating exists.')),
  ReviewedSubrating: subrating(described('ImageUrl', 'Icon of the category.')),
  RatingBreakdown: closed(
    {
      rating: rating('Rating value.'),
      count: count('Number of ratings with this value.'),
      rating_name: optional(text('Name of the rating value.')),
    },
    'Number of ratings with one value.',
  ),
  LanguageCount: closed(
    { language: text('BCP 47 language tag.'), count: count('Number of reviews.') },
    'Number of reviews written in one language.',
  ),
}
