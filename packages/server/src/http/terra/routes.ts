import type { Operation } from '../../domain/operation.ts'
import { type Route, routes } from '../partner/routes.ts'

/** Path below which the profile answers, after the base path: that of Terra's server. */
export const terraPrefix = '/api'

/** The operations that the field's counterpart has. */
const known: ReadonlySet<Operation> = new Set<Operation>([
  'searchLocations',
  'nearbyLocations',
  'getLocations',
  'getLocation',
  'listReviews',
  'listPhotos',
  'searchCatalog',
  'nearbyCatalog',
  'getCatalogLocation',
  'getGeo',
  'searchRecommendations',
])

/** The routes of the profile: rows of the route table with their permissions, buckets and meters, below its prefix. */
export const terraRoutes: readonly Route[] = routes
  .filter(({ operation }) => known.has(operation))
  .map(route => ({
    ...route,
    path: terraPrefix + route.path,
    // Terra sends the query in a body.
    ...(route.operation === 'searchRecommendations' && { method: 'POST' as const }),
  }))
