import type { Config } from '../config/load.ts'
import { createOpenApiDocument } from '../http/openapi/document.ts'
import { listDocumentedVersions } from '../http/openapi/documented-versions.ts'
import { createFeedDocument } from '../http/openapi/feed-document.ts'
import { systemClock } from '../kit/clock.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'

/** Returns the OpenAPI document of the feeds. */
export const getFeedOpenApi = (config: Config): object => createFeedDocument(getPublicUrl(config))

/**
 * Returns the OpenAPI document of a version (`1`, `v1`, `beta`; default: the latest stable one), or the names of the
 * documented versions if it is not among them.
 */
export function getOpenApi(
  config: Config,
  version?: string,
): { readonly document: object } | { readonly documented: readonly string[] } {
  const versions = listDocumentedVersions(resolveLifecycle(config), systemClock.nowMs())
  const requested = version?.toLowerCase()
  const found =
    requested === undefined
      ? versions.findLast(({ entry }) => entry.status === 'stable')
      : versions.find(({ name, entry }) => requested === name || requested === entry.name)
  if (!found) return { documented: versions.map(({ entry }) => entry.name) }
  return { document: createOpenApiDocument(found.entry.version, { publicUrl: getPublicUrl(config) }) }
}

function getPublicUrl({ server }: Config): string {
  const { host, port, publicUrl = `http://${host}:${port}` } = server
  return publicUrl.replace(/\/+$/, '')
}
