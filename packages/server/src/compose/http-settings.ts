import { testQuota } from '../access/grant.ts'
import type { Config } from '../config/load.ts'
import type { HttpSettings } from '../http/server.ts'
import type { DemoSite } from '../http/site/landing-demo.ts'
import { adminErrorDocs } from '../management/error-docs.ts'
import { composeDocs } from './docs-settings.ts'
import { metersOf } from './meters.ts'
import { composeSite } from './site.ts'

/** Address of the partner port; empty until it listens. */
export interface PublicAddress {
  publicUrl: string
  /** URL of a management server with a port of its own; its pages may call the API. */
  managementUrl?: string | undefined
}

/** Creates the settings of the partner port. */
export const createHttpSettings = (
  config: Config,
  demo: DemoSite | false,
  address: Readonly<PublicAddress>,
): HttpSettings => ({
  get publicUrl() {
    return address.publicUrl
  },
  basePath: config.server.basePath.replace(/\/+$/, ''),
  trustedProxies: config.server.trustedProxies,
  keysInQuery: config.keys.inQuery,
  get corsOrigins() {
    return listOrigins(config.cors.origins, address.managementUrl)
  },
  corsMaxAgeSeconds: config.cors.maxAgeSeconds,
  maxAgeSeconds: config.cache.maxAgeSeconds,
  endedFeedVersions: config.feeds.endedVersions,
  docs: composeDocs(config),
  meters: metersOf(config),
  offer: { packages: config.packages, search: config.search },
  searchCountsTowardPackage: config.search.countsTowardPackage,
  feedLimits: config.feeds,
  testQuota,
  adminErrors: config.management.enabled
    ? adminErrorDocs.map(([code, [status, cause, remedy]]) => ({ code, status, cause, remedy }))
    : [],
  demo,
  site: composeSite(config, demo !== false),
})

let listed: { readonly of: readonly string[]; readonly url: string; readonly all: readonly string[] } | undefined

/** Returns the origins of CORS with that of the management server. Every response reads the list, so it is kept. */
function listOrigins(of: readonly string[], url: string | undefined): readonly string[] {
  if (url === undefined) return of
  if (listed?.of !== of || listed.url !== url) listed = { of, url, all: [...of, new URL(url).origin] }
  return listed.all
}
