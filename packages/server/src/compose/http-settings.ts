import { testQuota } from '../access/grant.ts'
import type { Config } from '../config/load.ts'
import type { HttpSettings } from '../http/server.ts'
import type { DemoSite } from '../http/site/landing-demo.ts'
import { adminErrorDocs } from '../management/error-docs.ts'
import { composeDocs } from './docs-settings.ts'
import { metersOf } from './meters.ts'
import { composeSite } from './site.ts'

/** Address of the partner port, and what follows from it. */
export interface PublicAddress {
  /** Empty until the service listens. */
  publicUrl: string
  /** Origins whose pages may call the API; set when the service listens. */
  corsOrigins?: readonly string[]
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
    return address.corsOrigins ?? config.cors.origins
  },
  corsMaxAgeSeconds: config.cors.maxAgeSeconds,
  maxAgeSeconds: config.cache.maxAgeSeconds,
  autocomplete: config.autocomplete.enabled,
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

/**
 * Returns the configured origins, and that of a management server at an address of its own, whose explorer calls the
 * API.
 */
export function listCorsOrigins(
  config: Config,
  publicUrl: string,
  managementUrl: string | undefined,
): readonly string[] {
  const { origins } = config.cors
  if (managementUrl === undefined) return origins
  const { origin } = new URL(managementUrl)
  return origin === new URL(publicUrl).origin ? origins : [...origins, origin]
}
