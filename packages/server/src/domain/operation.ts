/** Names of all operations, as use case, operationId, metric label and ledger column (rulings: Operations). */
export const operationNames = [
  'searchLocations',
  'nearbyLocations',
  'getLocations',
  'getLocation',
  'listReviews',
  'searchCatalog',
  'nearbyCatalog',
  'getCatalogLocation',
  'searchRecommendations',
  'listFeeds',
  'listFeedSnapshots',
  'getFeedManifest',
  'getLatestFeedManifest',
  'listFeedDeltas',
  'downloadFeedFile',
  'matchLocation',
  'autocompleteLocations',
  'matchLocations',
  'listCategories',
  'listChanges',
  'listPhotos',
  'getGeo',
] as const
export type Operation = (typeof operationNames)[number]

/** The operations that share the bucket of searches. */
export const searchOperations: readonly string[] = [
  'searchLocations',
  'nearbyLocations',
  'searchCatalog',
  'nearbyCatalog',
] satisfies Operation[]

/** The operation that has a bucket of its own. */
export const autocompleteOperation = 'autocompleteLocations' satisfies Operation

/**
 * Units of charge of a call: one unit, one unit for each returned entity, one unit for the calls of a session
 * or no unit; times the weight.
 */
export const meters = ['call', 'entity', 'session', 'none'] as const
export type Meter = (typeof meters)[number]

/** The charge of one operation. */
export interface OperationMeter {
  readonly meter: Meter
  readonly weight: number
}
