/** A pull could not do its work: network, a refusal, the disk. The message is for a person. */
export class PullFailed extends Error {}

/** The service said no; `status` is HTTP's. */
export class Refused extends PullFailed {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What arrived is not what the manifest says, or not signed as it must be: nothing is taken from it. */
export class Mismatch extends Error {}

/** The file that an earlier pull has left is no longer what its state says: a full mends it. */
export class ChangedResult extends Error {}

/** Something that may be otherwise in a moment: a cut connection, a busy service. */
export class Transient extends Error {
  /** How long the service asks to wait, in milliseconds, where it does. */
  readonly retryAfterMs: number | undefined
  /** Whether the service answered, and only the body ended early. */
  readonly cut: boolean

  constructor(message: string, { retryAfterMs, cut = false }: { retryAfterMs?: number; cut?: boolean } = {}) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.cut = cut
  }
}

/** Whether the service answered 410: the snapshot, or what leads to it, is no longer there. */
export const isGoneAnswer = (error: unknown): boolean => error instanceof Refused && error.status === 410
