import type { Meter, Operation } from '../../domain/operation.ts'
import type { Permission } from '../../domain/package.ts'

/** Which limits a call spends; downloads of feeds have their own. */
export type Bucket = 'package' | 'search' | 'feeds'

/** One row of THE table: a path, what it asks of a key, and what it costs. All are GET (SPEC §4). */
export interface Route {
  readonly operation: Operation
  readonly path: string
  readonly permission: Permission
  readonly bucket: Bucket
  /** Unless the config says otherwise. */
  readonly meter: Meter
}

const row = (operation: Operation, path: string, permission: Permission, bucket: Bucket, meter: Meter): Route => ({
  operation,
  path,
  permission,
  bucket,
  meter,
})

/** SPEC §4 and rulings: Operations. More exact paths stand before those with parameters. */
export const routes: readonly Route[] = [
  row('searchLocations', '/locations/search', 'locations', 'search', 'call'),
  row('nearbyLocations', '/locations/nearby', 'locations', 'search', 'call'),
  row('getLocations', '/locations', 'locations', 'package', 'entity'),
  row('getLocation', '/locations/:id', 'locations', 'package', 'call'),
  row('listReviews', '/locations/:id/reviews', 'reviews', 'package', 'call'),
  row('searchCatalog', '/catalog/locations/search', 'locations', 'search', 'call'),
  row('nearbyCatalog', '/catalog/locations/nearby', 'locations', 'search', 'call'),
  row('getCatalogLocation', '/catalog/locations/:id', 'locations', 'package', 'call'),
  row('searchRecommendations', '/recommendations/search', 'recommendations', 'package', 'call'),
  row('listFeeds', '/feeds', 'feeds', 'package', 'none'),
  row('getLatestFeedManifest', '/feeds/:feed/latest', 'feeds', 'package', 'none'),
  row('listFeedDeltas', '/feeds/:feed/deltas', 'feeds', 'package', 'none'),
  row('listFeedSnapshots', '/feeds/:feed/snapshots', 'feeds', 'package', 'none'),
  row('getFeedManifest', '/feeds/:feed/snapshots/:snapshot/manifest.json', 'feeds', 'package', 'none'),
  row('downloadFeedFile', '/feeds/:feed/snapshots/:snapshot/files/:name', 'feeds', 'feeds', 'none'),
]
