/** Interval between checks of the age, in milliseconds. */
const checkEveryMs = 1000

/** The age of what a service knows about changes of its database. */
export interface Staleness {
  /** Records that the changes were read. */
  followed(): void
  /** Returns a reason why the service is not ready; undefined while it is. */
  reason(): string | undefined
  close(): void
}

/**
 * Calls `forget` when no changes were read for too long. It forgets all keys and places, so that revoked keys and erased
 * texts end everywhere: calls then need the database, and are 503 without it.
 */
export function createStaleness(maxSeconds: number, forget: () => void): Staleness {
  let lastMs = performance.now()
  let isStale = false
  const check = (): void => {
    if (isStale || performance.now() - lastMs < maxSeconds * 1000) return
    isStale = true
    forget()
  }
  const timer = setInterval(check, checkEveryMs).unref()
  return {
    followed: () => {
      lastMs = performance.now()
      isStale = false
    },
    reason: () =>
      isStale ? `The changes of the database could not be read for ${maxSeconds} s, so calls are refused.` : undefined,
    close: () => clearInterval(timer),
  }
}
