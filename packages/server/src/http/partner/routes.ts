import type { Meter, Operation } from '../../domain/operation.ts'
import type { Permission } from '../../domain/package.ts'

/** The limits that a call spends; feed downloads have their own. */
export type Bucket = 'package' | 'search' | 'feeds'

/** One row of the route table: a path, the permission that it requires, and its cost. All are GET (SPEC §4). */
export interface Route {
  readonly operation: Operation
  readonly path: string
  readonly permission: Permission
  readonly bucket: Bucket
  /** The default; the configuration may name another. */
  readonly meter: Meter
}

const row = (operation: Operation, path: string, permission: Permission, bucket: Bucket, meter: Meter): Route => ({
  operation,
  path,
  permission,
  bucket,
  meter,
})

/** The route table (SPEC §4; rulings: Operations). Literal paths precede those with parameters. */
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
