import type { ChangeLog } from '../domain/data-stores.ts'
import type { LocationCache } from './location-cache.ts'

/** Number of changes above which clearing the cache is cheaper than reading them. */
const maxChanges = 10_000

/** Evicts what has changed from a cache. */
export interface FollowedChanges {
  /**
   * Evicts the entries that have changed since the last call. Clears the whole cache in the first call, and if there
   * are more changes than it reads.
   */
  follow(): Promise<void>
  /** Number of the newest change that was followed; undefined before the first call. */
  readonly lastSeq: number | undefined
}

/** Creates a reader of the changes of cached entries. */
export function followChanges(
  log: Pick<ChangeLog, 'after' | 'lastSeq'>,
  cache: Pick<LocationCache, 'evict' | 'clear'>,
): FollowedChanges {
  let lastSeq: number | undefined
  const follow = async () => {
    const changes = lastSeq === undefined ? undefined : await log.after(lastSeq, maxChanges)
    if (changes === undefined || changes.length === maxChanges) {
      // Read the number before clearing: entries that are loaded afterwards are at least as new as that number.
      const newest = await log.lastSeq()
      cache.clear()
      lastSeq = newest
      return
    }
    for (const change of changes) if (change.kind === 'location') cache.evict(change.id)
    lastSeq = changes.at(-1)?.seq ?? lastSeq
  }
  return {
    follow,
    get lastSeq() {
      return lastSeq
    },
  }
}
