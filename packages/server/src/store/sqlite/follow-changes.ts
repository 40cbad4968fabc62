import type { ChangeLog } from '../../domain/stores.ts'
import type { LocationCache } from '../location-cache.ts'

/** Beyond this many changes at once, forgetting everything is cheaper than reading them. */
const mostChanges = 10_000

/** Gives a function that forgets what has changed since it was called last. */
export function followChanges(log: ChangeLog, cache: LocationCache): () => Promise<void> {
  let seen: Promise<number> = log.lastSeq()
  return async () => {
    const from = await seen
    const changes = await log.after(from, mostChanges)
    if (changes.length === mostChanges) {
      cache.clear()
      seen = log.lastSeq()
      return
    }
    for (const change of changes) if (change.kind === 'location') cache.forget(change.id)
    seen = Promise.resolve(changes.at(-1)?.seq ?? from)
  }
}
