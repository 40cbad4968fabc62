import type { LimitStates, StateSwap, SwapReply } from '../../domain/limit-states.ts'

/** The shared states in memory, without a network. */
export class MemoryStates implements LimitStates {
  readonly texts = new Map<string, string>()
  #lives = 0
  #identity = 'life 0'
  #epoch: number | undefined
  readonly #clockUs: () => number

  constructor(clockUs: () => number = () => Date.now() * 1000) {
    this.#clockUs = clockUs
  }

  /** Loses everything, as a restart of a cache does. */
  restart(): void {
    this.texts.clear()
    this.#identity = `life ${++this.#lives}`
    this.#epoch = undefined
  }

  /** Loses the epoch, as a cache does when nobody renews it. */
  expireEpoch(): void {
    this.#epoch = undefined
  }

  async get(subjects: readonly string[]): Promise<(string | undefined)[]> {
    return subjects.map(subject => this.texts.get(subject))
  }

  async swap(swaps: readonly StateSwap[]): Promise<SwapReply> {
    const was = swaps.map(({ subject, expected, next }) => {
      const found = this.texts.get(subject)
      if (found === expected) this.texts.set(subject, next)
      return found
    })
    return { was, epoch: this.#epoch }
  }

  async identity(): Promise<string> {
    return this.#identity
  }

  async epoch(): Promise<number | undefined> {
    return this.#epoch
  }

  async raiseEpoch(from: number | undefined, to: number): Promise<boolean> {
    if (this.#epoch !== from) return false
    this.#epoch = to
    return true
  }

  async failOverMs(): Promise<number> {
    return 0
  }

  async clockUs(): Promise<number> {
    return this.#clockUs()
  }

  async close(): Promise<void> {}
}
