import type { ChangeLog } from '../domain/data-stores.ts'
import type { LocationCache } from './location-cache.ts'

/** Number of changes above which clearing the cache is cheaper than reading them. */
const maxChanges = 10_000

/**
 * Returns a function that evicts the entries that have changed since its last call. It clears the whole cache on the
 * first call, and if there are more changes than it reads.
 */
export function followChanges(
  log: Pick<ChangeLog, 'after' | 'lastSeq'>,
  cache: Pick<LocationCache, 'evict' | 'clear'>,
): () => Promise<void> {
  let lastSeq: number | undefined
  return async () => {
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
}
