import { PullFailed, type Transient } from './outcome.ts'

/** Waits, or throws when the signal says that it is no longer needed. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>

const mostTries = 6
const firstWaitMs = 250
/** A cut now and then is nobody's concern. */
const saidAfter = 3
/** What a service asks for beyond this is not waited out: a daily limit, most likely. */
const longestWaitMs = 600_000

/**
 * How long to go on with one thing that fails: a few tries without progress, ever further apart. What the service asks
 * to wait is waited, ten minutes in all, and counts as no try.
 */
export class Patience {
  #tries = 0
  #waitedMs = 0
  readonly #wait: Wait
  readonly #say: (sentence: string) => void
  readonly #signal: AbortSignal | undefined

  constructor(wait: Wait, say: (sentence: string) => void, signal?: AbortSignal) {
    this.#wait = wait
    this.#say = say
    this.#signal = signal
  }

  progressed(): void {
    this.#tries = 0
  }

  /** Waits for the next try. Throws PullFailed when there is none. */
  async after(trouble: Transient): Promise<void> {
    this.#signal?.throwIfAborted()
    if (trouble.retryAfterMs !== undefined) return this.#asAsked(trouble.message, trouble.retryAfterMs)
    if (++this.#tries >= mostTries) throw new PullFailed(`${trouble.message} It was tried ${mostTries} times.`)
    if (this.#tries === saidAfter) this.#say(`${trouble.message} Trying again.`)
    await this.#wait(firstWaitMs * 2 ** (this.#tries - 1), this.#signal)
  }

  async #asAsked(message: string, retryAfterMs: number): Promise<void> {
    // Nought seconds would be asked again at once.
    const waitMs = Math.max(retryAfterMs, firstWaitMs)
    this.#waitedMs += waitMs
    if (this.#waitedMs > longestWaitMs)
      throw new PullFailed(`${message} The service asks to come back in ${inWords(retryAfterMs)}: run it again then.`)
    this.#say(`${message} Waiting ${inWords(waitMs)}, as the service asks.`)
    await this.#wait(waitMs, this.#signal)
  }
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}
