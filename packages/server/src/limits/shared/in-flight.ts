import type { Scheduler } from './scheduler.ts'

/** Maximum wait for a reply of the cache, in milliseconds. */
const maxReplyMs = 250
/** Lateness of a timer from which on the node itself was stopped, and the time that it then reads replies for. */
const stoppedMs = 20
/** Age from which on a reply does not count in any case, in microseconds. */
const maxAgeUs = 1_000_000

/** Requests to the cache that have been sent. Each is concluded once: by its reply, or by undefined without one. */
export class InFlight {
  readonly #scheduler: Scheduler
  #open = 0
  #waiting: (() => void)[] = []

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  send<T>(request: Promise<T>, conclude: (reply: T | undefined) => void): void {
    const scheduler = this.#scheduler
    const sentUs = scheduler.monotonicUs()
    this.#open++
    let isOpen = true
    const end = (reply: T | undefined): void => {
      if (!isOpen) return
      isOpen = false
      cancel()
      conclude(reply)
      if (--this.#open === 0) this.#resolveWaiting()
    }
    let cancel = scheduler.after(maxReplyMs, () => {
      const lateMs = (scheduler.monotonicUs() - sentUs) / 1000 - maxReplyMs
      // If this process was stopped, the reply may have arrived and not been read yet.
      if (lateMs < stoppedMs) end(undefined)
      else cancel = scheduler.after(stoppedMs, () => end(undefined))
    })
    request.then(
      reply => end(scheduler.monotonicUs() - sentUs > maxAgeUs ? undefined : reply),
      () => end(undefined),
    )
  }

  /** Resolves when every request that has been sent is concluded. */
  settled(): Promise<void> {
    if (this.#open === 0) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  #resolveWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
