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

/**
 * The routes of the profile: rows of the route table with their permissions, buckets and meters, below its prefix.
 * Clients of Terra send a query for recommendations in a body; with GET, it has the parameters of the service.
 */
export const terraRoutes: readonly Route[] = routes
  .filter(({ operation }) => known.has(operation))
  .map(route => ({ ...route, path: terraPrefix + route.path }))
  .flatMap(route =>
    route.operation === 'searchRecommendations' ? [route, { ...route, method: 'POST' as const }] : [route],
  )
