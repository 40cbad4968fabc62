import { PullFailed, type TransientFailure } from './outcome.ts'

/** Waits for a number of milliseconds; rejects when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>

const maxAttempts = 6
const firstDelayMs = 250
/** Number of the failed attempt that is reported to the user. */
const reportedAttempt = 3
/** Maximum total of the delays that a service requests. A longer delay is most likely a daily limit. */
const maxRequestedDelayMs = 600_000

/**
 * Retry policy of one operation: exponential delays, and at most six attempts without progress. Delays that the service
 * requests (Retry-After) are honoured up to ten minutes in total and do not count as attempts.
 */
export class RetryPolicy {
  #attempts = 0
  #requestedMs = 0
  readonly #wait: Wait
  readonly #say: (message: string) => void
  readonly #signal: AbortSignal | undefined

  constructor(wait: Wait, say: (message: string) => void, signal?: AbortSignal) {
    this.#wait = wait
    this.#say = say
    this.#signal = signal
  }

  /** Resets the number of attempts after progress. */
  recordProgress(): void {
    this.#attempts = 0
  }

  /** Waits until the next attempt. Throws PullFailed if the limit is reached. */
  async waitAfter(failure: TransientFailure): Promise<void> {
    this.#signal?.throwIfAborted()
    if (failure.retryAfterMs !== undefined) return this.#waitAsRequested(failure.message, failure.retryAfterMs)
    if (++this.#attempts >= maxAttempts)
      throw new PullFailed(`${failure.message} Gave up after ${maxAttempts} attempts.`)
    if (this.#attempts === reportedAttempt) this.#say(`${failure.message} Retrying.`)
    await this.#wait(firstDelayMs * 2 ** (this.#attempts - 1), this.#signal)
  }

  async #waitAsRequested(message: string, retryAfterMs: number): Promise<void> {
    // A delay of zero would repeat the request without a pause.
    const delayMs = Math.max(retryAfterMs, firstDelayMs)
    this.#requestedMs += delayMs
    if (this.#requestedMs > maxRequestedDelayMs)
      throw new PullFailed(
        `${message} The service asks to retry in ${formatDuration(retryAfterMs)}. Run the command again after that.`,
      )
    this.#say(`${message} Waiting ${formatDuration(delayMs)} as the service requests.`)
    await this.#wait(delayMs, this.#signal)
  }
}

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}
