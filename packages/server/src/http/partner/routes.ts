import type { LimitedBucket } from '../../domain/limit-bucket.ts'
import type { Meter, Operation } from '../../domain/operation.ts'
import type { Permission } from '../../domain/package.ts'

/** The limits that apply to a call; feed downloads have separate ones. */
export type Bucket = LimitedBucket | 'feeds'

/**
 * One row of the route table: a path, the permission that it requires, and its cost. All are GET (SPEC §4), except
 * matches of several records, which do not fit into a URL.
 */
export interface Route {
  readonly operation: Operation
  readonly path: string
  readonly permission: Permission
  readonly bucket: Bucket
  /** The default meter; the configuration can override it. */
  readonly meter: Meter
  /** Undefined for GET and HEAD. */
  readonly method?: 'POST'
}

const toRoute = (operation: Operation, path: string, permission: Permission, bucket: Bucket, meter: Meter): Route => ({
  operation,
  path,
  permission,
  bucket,
  meter,
})

/** The route table (SPEC §4; rulings: Operations). Literal paths precede those with parameters. */
export const routes: readonly Route[] = [
  toRoute('searchLocations', '/locations/search', 'locations', 'search', 'call'),
  toRoute('nearbyLocations', '/locations/nearby', 'locations', 'search', 'call'),
  toRoute('matchLocation', '/locations/match', 'locations', 'package', 'call'),
  {
    ...toRoute('matchLocations', '/locations/match', 'locations', 'package', 'entity'),
    method: 'POST',
  },
  toRoute('autocompleteLocations', '/locations/autocomplete', 'locations', 'autocomplete', 'session'),
  toRoute('getLocations', '/locations', 'locations', 'package', 'entity'),
  toRoute('getLocation', '/locations/:id', 'locations', 'package', 'call'),
  toRoute('listReviews', '/locations/:id/reviews', 'reviews', 'package', 'call'),
  toRoute('listPhotos', '/locations/:id/photos', 'locations', 'package', 'call'),
  toRoute('searchCatalog', '/catalog/locations/search', 'locations', 'search', 'call'),
  toRoute('nearbyCatalog', '/catalog/locations/nearby', 'locations', 'search', 'call'),
  toRoute('getCatalogLocation', '/catalog/locations/:id', 'locations', 'package', 'call'),
  toRoute('listCategories', '/categories', 'locations', 'package', 'call'),
  toRoute('getGeo', '/geos/:id', 'locations', 'package', 'call'),
  toRoute('listChanges', '/changes', 'locations', 'package', 'call'),
  toRoute('searchRecommendations', '/recommendations/search', 'recommendations', 'package', 'call'),
  toRoute('listFeeds', '/feeds', 'feeds', 'package', 'none'),
  toRoute('getLatestFeedManifest', '/feeds/:feed/latest', 'feeds', 'package', 'none'),
  toRoute('listFeedDeltas', '/feeds/:feed/deltas', 'feeds', 'package', 'none'),
  toRoute('listFeedSnapshots', '/feeds/:feed/snapshots', 'feeds', 'package', 'none'),
  toRoute('getFeedManifest', '/feeds/:feed/snapshots/:snapshot/manifest.json', 'feeds', 'package', 'none'),
  toRoute('downloadFeedFile', '/feeds/:feed/snapshots/:snapshot/files/:name', 'feeds', 'feeds', 'none'),
]

/** Maximum size of the body of an operation that reads one: 100 records of 1.2 KB. */
export const maxBatchBytes = 128 * 1024

/** First folders of the routes' paths: `locations`, `catalog` and others. */
export const topFolders: readonly string[] = [...new Set(routes.map(({ path }) => path.split('/')[1]!))]
