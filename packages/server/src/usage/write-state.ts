import type { JournalFailure } from '../domain/usage.ts'

/** Options of a WriteState. */
export interface WriteStateOptions {
  /** Checks if writing works again; throws otherwise. */
  readonly probe: () => Promise<void>
  /** Interval of the probes while writing fails, in milliseconds. */
  readonly probeEveryMs: number
  /** Called when writing begins to fail, and with undefined when it works again. */
  readonly onChange: (failure: JournalFailure | undefined) => void
}

/** State of writing the journal: works, or fails and is probed until it works again. */
export class WriteState {
  readonly #options: WriteStateOptions
  #failure: JournalFailure | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(options: WriteStateOptions) {
    this.#options = options
  }

  /** The last failure; undefined if writing works. */
  get failure(): JournalFailure | undefined {
    return this.#failure
  }

  /** Records a failure. Never throws: it runs in timers, where an error would end the process. */
  failed(error: unknown): JournalFailure {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException
    const wasWorking = this.#failure === undefined
    this.#failure = toJournalFailure(code)
    if (!this.#closed) this.#timer ??= setTimeout(() => this.#startProbe(), this.#options.probeEveryMs).unref()
    if (wasWorking) this.#options.onChange(this.#failure)
    return this.#failure
  }

  /** Records a success. */
  worked(): void {
    this.#stop()
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#options.onChange(undefined)
  }

  /** Ends the probes, and waits for the one that runs: it must not use a descriptor that is closed. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stop()
    await this.#running
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #startProbe(): void {
    this.#timer = undefined
    this.#running = this.#probe()
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe()
      this.worked()
    } catch (error) {
      this.failed(error)
    }
  }
}

/** Returns the failure with an error code of the system. */
export const toJournalFailure = (code: string): JournalFailure => ({
  code,
  reason: `The usage journal cannot be written (${code}).`,
})
