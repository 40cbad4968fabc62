import type { ChangeLog } from '../domain/stores.ts'
import type { LocationCache } from './location-cache.ts'

/** Above this many changes at once, clearing the cache is cheaper than reading them. */
const maxChanges = 10_000

/**
 * Returns a function that removes from the cache what has changed since its last call. It clears the whole cache on the
 * first call, and when there are more changes than it reads.
 */
export function followChanges(log: ChangeLog, cache: LocationCache): () => Promise<void> {
  let seen: number | undefined
  return async () => {
    const changes = seen === undefined ? undefined : await log.after(seen, maxChanges)
    if (changes === undefined || changes.length === maxChanges) {
      // In this order: what is loaded after the clearing is at least as new as the number that was read before it.
      const newest = await log.lastSeq()
      cache.clear()
      seen = newest
      return
    }
    for (const change of changes) if (change.kind === 'location') cache.forget(change.id)
    seen = changes.at(-1)?.seq ?? seen
  }
}
