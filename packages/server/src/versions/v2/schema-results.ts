import { closedObject, int64Id, listOf, number, oneOf, optional, ref, string } from '../primitives/schema.ts'

const MatchedValue = closedObject(
  {
    language: optional(string('BCP 47 language tag of the name.')),
    value: string('The name.'),
  },
  'The name that matched the query.',
)

const searchResult = (location: string) =>
  closedObject(
    { location: ref(location), matched_value: optional(ref('MatchedValue')) },
    'A search result; `location` is the complete location object (R-33).',
  )

const nearbyResult = (location: string) =>
  closedObject(
    {
      location: ref(location),
      bearing: number('Initial bearing from the centre in degrees; 0 is north.', { minimum: 0, maximum: 360 }),
      distance_kilometers: number('Distance from the centre in kilometres.', { minimum: 0 }),
      distance_miles: number('Distance from the centre in miles.', { minimum: 0 }),
    },
    'A nearby result; `location` is the complete location object (R-33).',
  )

const ReviewSource = closedObject(
  {
    id: int64Id('Id of the review.'),
    snippet: string('Excerpt of the review that supports the recommendation; omissions are marked with … (R-43).'),
  },
  'A review that supports a recommendation.',
)

const Recommendation = closedObject(
  {
    type: oneOf(['location'], 'Type of the recommended object.'),
    location: ref('Location'),
    review_sources: optional(
      listOf(ref('ReviewSource'), 'Up to three reviews that support the recommendation, most relevant first.'),
    ),
  },
  'A recommended place; `location` is the complete location object (R-33).',
)

export const resultSchemas = {
  MatchedValue,
  SearchResult: searchResult('Location'),
  CatalogSearchResult: searchResult('CatalogLocation'),
  Recommendation,
  ReviewSource,
  NearbyResult: nearbyResult('Location'),
  CatalogNearbyResult: nearbyResult('CatalogLocation'),
}
