import { count, Type } from '../../kit/json-schema.ts'
import { changeComponents } from './changes.ts'
import { enumerations } from './enumerations.ts'
import { geoComponents } from './geos.ts'
import { matchComponents } from './match.ts'
import { photoComponents } from './photos.ts'
import { data, int64Id, listOf, number, object, oneOf, optional, ref, string } from './schema.ts'

/** The member `pagination`, next to `data` in every list. */
const Pagination = object(
  {
    page: Type.Integer({ minimum: 1, description: 'Page number of this response; the first page is 1.' }),
    size: Type.Integer({ minimum: 1, description: 'Elements per page.' }),
    total_elements: count('Number of elements on all pages. Search ranks at most 10,000.'),
    total_pages: count('Number of pages.'),
  },
  'Position of this response among all pages.',
)

/** A requested id that was merged into another location. */
const MergedId = object(
  { from: int64Id('The requested id.'), to: int64Id('Id of the location that it was merged into.') },
  'A requested id that was merged into another location.',
)

/** Returns the schema of a response with one object. */
const one = (name: string) => object({ data: ref(name) })

/** Returns the schema of a response with one page of a list. */
const page = (name: string) => object({ data: data(ref(name)), pagination: ref('Pagination') })

const Highlight = object(
  {
    start: count('Start of the part, in UTF-16 code units.'),
    length: Type.Integer({ minimum: 1, description: 'Length of the part, in UTF-16 code units.' }),
  },
  'A part of a name that matches the typed text. It starts and ends between characters as users see them.',
)

const suggestedName = {
  language: optional(string('Language tag of the name.')),
  value: string('The name.'),
}
const highlights = (of: string) => optional(listOf(ref('Highlight'), `Parts of ${of} that match.`))

const SuggestedName = object(suggestedName, 'Name of a location.')
const TypedName = object(
  { ...suggestedName, highlights: highlights('that name') },
  'The name that was typed, if another is shown.',
)
const Suggestion = object(
  {
    type: oneOf(['location', 'category'], '`location`: a place. `category`: a kind of place, in an area or anywhere.'),
    id: optional(int64Id('Id of the location.')),
    name: optional(ref('SuggestedName')),
    highlights: highlights('the name'),
    matched: optional(ref('TypedName')),
    secondary_text: optional(string('City, state and country of the location.')),
    category_id: optional(string('Category of the location.')),
    coordinates: optional(ref('Coordinates')),
    distance_kilometers: optional(number('Distance from `lat` and `lon` in kilometres.', { minimum: 0 })),
    text: optional(string('The kind of place and its area, as a query for a search.')),
    category_ids: optional(listOf(string('Category.'), 'Categories of the kind.')),
    geo_id: optional(int64Id('Id of the area.')),
  },
  'A suggestion for the typed text. A location has `id`, `name` and `category_id`; a category has `text` and `category_ids`.',
)

/** Components that all current versions share: enumerations and envelopes (rulings: Operations). */
export const sharedComponents = {
  ...enumerations,
  Pagination,
  MergedId,
  Highlight,
  SuggestedName,
  TypedName,
  Suggestion,
  AutocompleteResponse: object({ data: data(ref('Suggestion')) }),
  LocationResponse: one('Location'),
  LocationsResponse: object({
    data: data(ref('Location')),
    missing_ids: optional(listOf(int64Id('Id of a location.'), 'Ids without a location.')),
    merged_ids: optional(listOf(ref('MergedId'), 'Ids of merged locations; `data` contains the surviving locations.')),
  }),
  SearchResponse: page('SearchResult'),
  NearbyResponse: page('NearbyResult'),
  ReviewsResponse: page('Review'),
  CatalogLocationResponse: one('CatalogLocation'),
  CatalogSearchResponse: page('CatalogSearchResult'),
  CatalogNearbyResponse: page('CatalogNearbyResult'),
  ...matchComponents,
  MatchesResponse: object({
    data: Type.Array(data(ref('MatchResult')), {
      description: 'The candidates of each record, in the order of the records.',
    }),
  }),
  MatchResponse: object({ data: data(ref('MatchResult')) }),
  RecommendationsResponse: object({ data: data(ref('Recommendation')) }),
  CategoriesResponse: object({ data: data(ref('ListedCategory')) }),
  ...changeComponents,
  ...geoComponents,
  ...photoComponents,
  PhotosResponse: page('Photo'),
}

/** Bodies of 200 responses that all current versions share; each version defines the components of the records. */
export const responses = {
  getLocation: ref('LocationResponse'),
  getLocations: ref('LocationsResponse'),
  searchLocations: ref('SearchResponse'),
  nearbyLocations: ref('NearbyResponse'),
  autocompleteLocations: ref('AutocompleteResponse'),
  listReviews: ref('ReviewsResponse'),
  getCatalogLocation: ref('CatalogLocationResponse'),
  searchCatalog: ref('CatalogSearchResponse'),
  nearbyCatalog: ref('CatalogNearbyResponse'),
  matchLocation: ref('MatchResponse'),
  matchLocations: ref('MatchesResponse'),
  searchRecommendations: ref('RecommendationsResponse'),
  listCategories: ref('CategoriesResponse'),
  listChanges: ref('ChangesResponse'),
  getGeo: ref('GeoResponse'),
  listPhotos: ref('PhotosResponse'),
}
