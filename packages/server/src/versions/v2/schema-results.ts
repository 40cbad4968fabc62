import { count } from '../../kit/json-schema.ts'
import { int64Id, listOf, number, object, oneOf, optional, ref, string } from '../primitives/schema.ts'

const MatchedValue = object(
  {
    language: optional(string('BCP 47 language tag of the name.')),
    value: string('The name.'),
  },
  'The name that matched the query.',
)

const searchResult = (location: string) =>
  object(
    { location: ref(location), matched_value: optional(ref('MatchedValue')) },
    'A search result; `location` is the complete location object.',
  )

const nearbyResult = (location: string) =>
  object(
    {
      location: ref(location),
      bearing: number('Initial bearing from the centre in degrees; 0 is north.', { minimum: 0, maximum: 360 }),
      distance_kilometers: number('Distance from the centre in kilometres.', { minimum: 0 }),
      distance_miles: number('Distance from the centre in miles.', { minimum: 0 }),
    },
    'A nearby result; `location` is the complete location object.',
  )

const ReviewSource = object(
  {
    id: int64Id('Id of the review.'),
    snippet: string('Excerpt of the review that supports the recommendation; omissions are marked with ….'),
  },
  'A review that supports a recommendation.',
)

const Recommendation = object(
  {
    type: oneOf(['location'], 'Type of the recommended object.'),
    location: ref('Location'),
    review_sources: optional(
      listOf(ref('ReviewSource'), 'Up to three reviews that support the recommendation, most relevant first.'),
    ),
  },
  'A recommended place; `location` is the complete location object.',
)

const ListedCategory = object(
  {
    id: string('Key of the category, or a top-level category.'),
    display_name: string('Name in the first requested language that has one, otherwise in English.'),
    parent_id: optional(string('Key of the category above; missing for a top-level category.')),
    top_level_category: ref('LabelledTopLevelCategory'),
    count: count('Places in the category and in those below it.'),
  },
  'A category of places.',
)

export const resultSchemas = {
  ListedCategory,
  MatchedValue,
  SearchResult: searchResult('Location'),
  CatalogSearchResult: searchResult('CatalogLocation'),
  Recommendation,
  ReviewSource,
  NearbyResult: nearbyResult('Location'),
  CatalogNearbyResult: nearbyResult('CatalogLocation'),
}
