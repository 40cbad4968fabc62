import type { Config } from '../config/load.ts'
import { findDocument, getFeedDocument, listVersionDocuments } from '../http/openapi/served-documents.ts'
import { systemClock } from '../kit/clock.ts'
import { getDefaultVersion, resolveLifecycle } from '../versions/lifecycle.ts'
import { composeDocs } from './docs-settings.ts'
import { getServiceUrl } from './service-url.ts'

/** Returns the OpenAPI document of the feeds. */
export const getFeedOpenApi = (config: Config): object =>
  getFeedDocument(resolveLifecycle(config), documentSettings(config), systemClock.nowMs())

/**
 * Returns the OpenAPI document of a version (`1`, `v1`, `beta`; default: the latest stable one), or the names of the
 * versions that have a document if it is not among them.
 */
export function getOpenApi(
  config: Config,
  version?: string,
): { readonly document: object } | { readonly documented: readonly string[] } {
  const [lifecycle, nowMs] = [resolveLifecycle(config), systemClock.nowMs()]
  const name = version ?? getDefaultVersion(lifecycle, nowMs).name
  const document = findDocument(lifecycle, documentSettings(config), name, nowMs)
  return document ? { document } : { documented: listVersionDocuments(lifecycle, nowMs).map(({ entry }) => entry.name) }
}

const documentSettings = (config: Config) => ({ publicUrl: getServiceUrl(config.server), docs: composeDocs(config) })
