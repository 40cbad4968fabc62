/** A failed pull: a network error, a refused request or a full disk. The message is user-facing. */
export class PullFailed extends Error {}

/** A request that the service rejected with an HTTP status. */
export class Refused extends PullFailed {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Downloaded data that differs from its manifest, or a manifest without a valid signature. The data is not used. */
export class Mismatch extends Error {}

/** A result file of an earlier pull that differs from its state file. A full snapshot replaces it. */
export class ChangedResult extends Error {}

/** A failure that a retry may resolve: a closed connection or a busy service. */
export class TransientFailure extends Error {
  /** Delay that the service requests, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** True if the body of the response ended early. */
  readonly cut: boolean

  constructor(message: string, { retryAfterMs, cut = false }: { retryAfterMs?: number; cut?: boolean } = {}) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.cut = cut
  }
}

/** Returns true for status 410: a snapshot or delta is gone. */
export const isGoneResponse = (error: unknown): boolean => error instanceof Refused && error.status === 410
