/** Interval between checks of the age, in milliseconds. */
const checkEveryMs = 1000

/** The changes that a service follows: of keys and partners, or of places. */
type Followed = 'keys' | 'places'

/** The age of what a service knows about changes of its database. */
export interface Staleness {
  /** Returns a function that records that the changes were read. */
  followed(what: Followed): () => void
  /** Returns a reason why the service is not ready; undefined while it is. */
  reason(): string | undefined
  close(): void
}

/**
 * Calls `forget` when changes of keys or places were not read for too long. It forgets all of both, so that revoked keys
 * and erased texts end everywhere: calls then need the database, and are 503 without it.
 */
export function createStaleness(maxSeconds: number, forget: () => void): Staleness {
  const lastMs: Record<Followed, number> = { keys: performance.now(), places: performance.now() }
  let isStale = false
  const isOld = () => performance.now() - Math.min(lastMs.keys, lastMs.places) >= maxSeconds * 1000
  const check = (): void => {
    if (isStale || !isOld()) return
    isStale = true
    forget()
  }
  const timer = setInterval(check, checkEveryMs).unref()
  return {
    followed: what => () => {
      lastMs[what] = performance.now()
      if (!isOld()) isStale = false
    },
    reason: () =>
      isStale ? `The changes of the database could not be read for ${maxSeconds} s, so calls are refused.` : undefined,
    close: () => clearInterval(timer),
  }
}
