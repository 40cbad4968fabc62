import { count, Type } from '../../kit/json-schema.ts'
import { enumerations } from './enumerations.ts'
import { matchComponents } from './match.ts'
import { data, int64Id, listOf, object, optional, ref } from './schema.ts'

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

/** Components that all current versions share: enumerations and envelopes (rulings: Operations). */
export const sharedComponents = {
  ...enumerations,
  Pagination,
  MergedId,
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
  MatchResponse: object({ data: data(ref('MatchResult')) }),
  RecommendationsResponse: object({ data: data(ref('Recommendation')) }),
}

/** Bodies of 200 responses that all current versions share; each version defines the components of the records. */
export const responses = {
  getLocation: ref('LocationResponse'),
  getLocations: ref('LocationsResponse'),
  searchLocations: ref('SearchResponse'),
  nearbyLocations: ref('NearbyResponse'),
  listReviews: ref('ReviewsResponse'),
  getCatalogLocation: ref('CatalogLocationResponse'),
  searchCatalog: ref('CatalogSearchResponse'),
  nearbyCatalog: ref('CatalogNearbyResponse'),
  matchLocation: ref('MatchResponse'),
  searchRecommendations: ref('RecommendationsResponse'),
}
