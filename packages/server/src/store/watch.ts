import type { Watch, WatchListener } from '../domain/stores.ts'
import { Backoff } from '../kit/backoff.ts'

/** Interval between checks for commits of other processes, in milliseconds (ARCHITECTURE.md). */
export const watchEveryMs = 250

/**
 * Maximum delay after failed checks, in milliseconds. Short, because a revoked key stays valid until a check succeeds.
 */
const defaultMaxRetryMs = 10_000

export interface WatchOptions {
  readonly everyMs: number
  /** Reads a value that differs after each change. */
  readonly read: () => unknown
  /** The value that the caller has read before; without it, the first check calls the listener. */
  readonly handled?: unknown
  /** Maximum delay after failed checks, in milliseconds. */
  readonly maxRetryMs?: number
}

/**
 * Calls `listener.changed` after the watched value has changed. One call runs at a time. A failed check or call is
 * reported, and repeated with increasing delays.
 */
export function watchValue(
  { everyMs, read, handled, maxRetryMs = defaultMaxRetryMs }: WatchOptions,
  listener: WatchListener,
): Watch {
  const backoff = new Backoff({ firstMs: everyMs, maxMs: maxRetryMs }, () => performance.now())
  let running: Promise<void> | undefined
  const check = async (): Promise<void> => {
    try {
      const now = await read()
      if (now !== handled) await listener.changed()
      handled = now
      listener.checked?.()
      backoff.succeeded()
    } catch (error) {
      backoff.failed()
      listener.failed(error)
    }
  }
  const timer = setInterval(() => {
    if (backoff.isDue)
      running ??= check().finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
