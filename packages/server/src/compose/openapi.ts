import type { Config } from '../config/load.ts'
import { openApiDocument } from '../http/openapi/document.ts'
import { documentedVersions } from '../http/openapi/documented-versions.ts'
import { feedDocument } from '../http/openapi/feed-document.ts'
import { systemClock } from '../kit/clock.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'

/** Returns the OpenAPI document of the feeds. */
export const getFeedOpenApi = (config: Config): object => feedDocument(publicUrlOf(config))

/**
 * Returns the OpenAPI document of a version (`1`, `v1`, `beta`; default: the latest stable one), or the names of the
 * documented versions when it is not among them.
 */
export function getOpenApi(
  config: Config,
  version?: string,
): { readonly document: object } | { readonly documented: readonly string[] } {
  const versions = documentedVersions(resolveLifecycle(config), systemClock.nowMs())
  const requested = version?.toLowerCase()
  const found =
    requested === undefined
      ? versions.findLast(({ entry }) => entry.status === 'stable')
      : versions.find(({ name, entry }) => requested === name || requested === entry.name)
  if (!found) return { documented: versions.map(({ entry }) => entry.name) }
  return { document: openApiDocument(found.entry.version, { publicUrl: publicUrlOf(config) }) }
}

function publicUrlOf({ server }: Config): string {
  const { host, port, publicUrl = `http://${host}:${port}` } = server
  return publicUrl.replace(/\/+$/, '')
}
