import { type Authenticator, createAuthenticator } from '../access/authenticate.ts'
import type { Config } from '../config/load.ts'
import type { KeyReader } from '../domain/key-stores.ts'
import type { Engine } from '../domain/stores.ts'
import type { Logger } from '../kit/log.ts'
import type { Layout } from '../store/folder/layout.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import { followChanges } from '../store/follow-changes.ts'
import { createLocationCache, type LocationCache } from '../store/location-cache.ts'

/** Caches of the records that requests read most often. */
export interface ServingCaches {
  readonly locations: LocationCache
  readonly authenticator: Authenticator
  /** Stops the updates. */
  close(): Promise<void>
}

/** Creates the caches of locations and keys, and keeps them up to date with the writes of other processes. */
export function openCaches(engine: Engine, layout: Layout, config: Config, log: Logger): ServingCaches {
  const locations = createLocationCache(engine.locations, config.cache.locations)
  const keys = createAuthenticator(engine.keys, loadPepper(layout))
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'Could not read the changes of other processes; will retry.')
  const watches = [
    engine.watch('keys', { changed: followKeys(engine.keys, keys), failed }),
    engine.watch('data', { changed: followChanges(engine.changes, locations), failed }),
  ]
  return {
    locations,
    authenticator: keys,
    close: async () => {
      await Promise.all(watches.map(watch => watch.stop()))
    },
  }
}

/**
 * Returns a function that clears the key cache if a key or partner has changed, but not if only the fold has written.
 */
function followKeys(keys: KeyReader, cached: Authenticator): () => Promise<void> {
  let lastRevision: number | undefined
  return async () => {
    const now = await keys.revision()
    if (now !== lastRevision) cached.clearCache()
    lastRevision = now
  }
}
