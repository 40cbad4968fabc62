import { closed, listOf, long, number, oneOf, optional, ref, text } from '../primitives/schema.ts'

const MatchedValue = closed(
  {
    language: optional(text('Language of the name, with an underscore before its region.')),
    value: text('The name.'),
  },
  'The name that matched the query.',
)

const found = (location: string) =>
  closed(
    { location: ref(location), matched_value: optional(ref('MatchedValue')) },
    'A result of a search; `location` is the unmodified object (R-33).',
  )

const near = (location: string) =>
  closed(
    {
      location: ref(location),
      bearing: number('Initial bearing from the centre in degrees, 0 is north.', { minimum: 0, maximum: 360 }),
      distance_kilometers: number('Distance from the centre.', { minimum: 0 }),
      distance_miles: number('Distance from the centre.', { minimum: 0 }),
    },
    'A place nearby; `location` is the unmodified object (R-33).',
  )

const ReviewSource = closed(
  { id: long('Id of the review.'), snippet: text('The part of its text that says why; cut with … (R-43).') },
  'A review that says why a place is recommended.',
)

const Recommendation = closed(
  {
    type: oneOf(['location'], 'What is recommended.'),
    location: ref('Location'),
    review_sources: optional(listOf(ref('ReviewSource'), 'Up to three, the most telling first.')),
  },
  'A place that answers the wish; `location` is the unmodified object (R-33).',
)

export const resultSchemas = {
  MatchedValue,
  SearchResult: found('Location'),
  CatalogSearchResult: found('CatalogLocation'),
  Recommendation,
  ReviewSource,
  NearbyResult: near('Location'),
  CatalogNearbyResult: near('CatalogLocation'),
}
