import { type Authenticator, createAuthenticator } from '../access/authenticate.ts'
import type { Config } from '../config/load.ts'
import type { ChangeLog } from '../domain/data-stores.ts'
import type { Id } from '../domain/id.ts'
import type { KeyReader } from '../domain/key-stores.ts'
import type { Engine } from '../domain/stores.ts'
import type { Logger } from '../kit/log.ts'
import type { Layout } from '../store/folder/layout.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import { type FollowedChanges, followChanges } from '../store/follow-changes.ts'
import { createLocationCache, type LocationCache } from '../store/location-cache.ts'
import { createStaleness } from './staleness.ts'

/** Caches of the records that requests read most often. */
export interface ServingCaches {
  readonly locations: LocationCache
  readonly authenticator: Authenticator
  /** Returns the number of the newest change of records that was followed; undefined before the first reading. */
  followedSeq(): number | undefined
  /** Returns a reason why the service is not ready; undefined while it is. */
  reason(): string | undefined
  /** Stops the updates. */
  close(): Promise<void>
}

/** Receives the changes that the caches follow. */
export interface CacheListener {
  /** Keys or partners have changed. */
  keysChanged(): void
  /** These locations have changed, or any. */
  locationsChanged(ids: readonly Id[] | 'any'): void
}

/** Creates the caches of locations and keys, and keeps them up to date with the writes of other processes. */
export function openCaches(
  engine: Engine,
  {
    layout,
    config,
    log,
    listener,
  }: { layout: Layout; config: Config; log: Logger; listener: CacheListener | undefined },
): ServingCaches {
  const locations = createLocationCache(engine.reads.locations, config.cache.locations)
  const keys = createAuthenticator(engine.keys, loadPepper(layout))
  const staleness = createStaleness(config.storeMaxStaleSeconds, () => {
    keys.clearCache()
    locations.clear()
    listener?.keysChanged()
    listener?.locationsChanged('any')
  })
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'Could not read the changes of other processes; will retry.')
  const onServer = (text: string) => log.warn(text)
  const followed = followLocations(engine.reads.changes, locations, listener)
  const watches = [
    engine.watch('keys', {
      changed: followKeys(engine.keys, keys, listener),
      checked: staleness.followed('keys'),
      failed,
    }),
    engine.reads.watch({ changed: followed.follow, checked: staleness.followed('places'), failed }, onServer),
  ]
  return {
    locations,
    authenticator: keys,
    followedSeq: () => followed.lastSeq,
    reason: staleness.reason,
    close: async () => {
      staleness.close()
      await Promise.all(watches.map(watch => watch.stop()))
    },
  }
}

/** Creates a reader that removes changed locations from the cache, and reports them. */
function followLocations(
  changes: Pick<ChangeLog, 'after' | 'lastSeq'>,
  cache: LocationCache,
  listener: CacheListener | undefined,
): FollowedChanges {
  let changed: Id[] | 'any' = []
  const followed = followChanges(changes, {
    evict: id => {
      cache.evict(id)
      if (changed !== 'any') changed.push(id)
    },
    clear: () => {
      cache.clear()
      changed = 'any'
    },
  })
  const follow = async () => {
    await followed.follow()
    if (changed === 'any' || changed.length > 0) listener?.locationsChanged(changed)
    changed = []
  }
  return {
    follow,
    get lastSeq() {
      return followed.lastSeq
    },
  }
}

/**
 * Returns a function that clears the key cache if a key or partner has changed, but not if only the fold has written.
 */
function followKeys(keys: KeyReader, cached: Authenticator, listener: CacheListener | undefined): () => Promise<void> {
  let lastRevision: number | undefined
  return async () => {
    const now = await keys.revision()
    if (now !== lastRevision) {
      listener?.keysChanged()
      cached.clearCache()
    }
    lastRevision = now
  }
}
