/** Every operation by name: use case, operationId, metric label, ledger column (rulings: Operations). */
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
] as const
export type Operation = (typeof operationNames)[number]

/** How a call is charged: one unit, one for each entity returned, or none; times `weight`. */
export const meterKinds = ['call', 'entity', 'none'] as const
export type Meter = (typeof meterKinds)[number]

export interface OperationMeter {
  readonly meter: Meter
  readonly weight: number
}
