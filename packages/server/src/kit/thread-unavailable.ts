/** The error of a request to a thread that is stopped, waits for its restart or has too much to do. */
export class ThreadUnavailable extends Error {
  /** Milliseconds until a retry may succeed; undefined if the thread was stopped. */
  readonly retryMs: number | undefined

  constructor(message: string, retryMs?: number) {
    super(message)
    this.retryMs = retryMs
  }

  /** The value of a Retry-After header: whole seconds, at least one. */
  get retryAfter(): string {
    return String(Math.max(1, Math.ceil((this.retryMs ?? 1000) / 1000)))
  }
}
