import type { BatchStore } from '../domain/usage.ts'

/** Interval of attempts while the store does not answer, in milliseconds. */
const retryAfterMs = 1000

/** Removes from the store the batches whose calls were refused: what is stored counts as recorded. */
export class Withdrawals {
  readonly #store: BatchStore
  readonly #ids = new Set<string>()
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(store: BatchStore) {
    this.#store = store
  }

  /** Removes a batch that may be stored: at once, or as soon as the store answers. */
  add(id: string): void {
    this.#ids.add(id)
    this.#start()
  }

  /** Makes a last attempt to remove what is left. */
  async close(): Promise<void> {
    await this.#running
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#start()
    await this.#running
  }

  #start(): void {
    if (this.#ids.size > 0) this.#running ??= this.#removeAll()
  }

  async #removeAll(): Promise<void> {
    const ids = [...this.#ids]
    try {
      await this.#store.withdraw(ids)
      for (const id of ids) this.#ids.delete(id)
    } catch {
      // The store does not answer; the next attempt may succeed.
    } finally {
      this.#running = undefined
      clearTimeout(this.#timer)
      if (this.#ids.size > 0 && !this.#isClosed) this.#timer = setTimeout(() => this.#start(), retryAfterMs).unref()
    }
  }
}
