/**
 * The shared states of limits, one short text a subject, in a cache that may lose them (`limits/shared/state-text.ts`
 * reads and writes the texts). All nodes replace them by compare-and-swap.
 */
export interface LimitStates {
  /** Returns the texts of the subjects; undefined for those without one. */
  get(subjects: readonly string[]): Promise<readonly (string | undefined)[]>
  /**
   * Replaces the text of each subject that has the expected one. All swaps of a call are one write. Their order is that
   * of the list, and the epoch is read after the last.
   */
  swap(swaps: readonly StateSwap[]): Promise<SwapReply>
  /** Returns the identity of this life of the cache, which differs after a restart, a flush or a promotion. */
  identity(): Promise<string>
  /** Returns the epoch that nodes may decide in; undefined when nobody has renewed it for a minute. */
  epoch(): Promise<number | undefined>
  /** Replaces the epoch if it is `from`. The same number renews it for a minute. */
  raiseEpoch(from: number | undefined, to: number): Promise<boolean>
  /**
   * Returns the time for which a replaced primary may accept writes, in milliseconds; 0 without replicas. No epoch
   * opens earlier.
   */
  failOverMs(): Promise<number>
  /** Returns the clock of the cache, in microseconds since 1970. */
  clockUs(): Promise<number>
  close(): Promise<void>
}

/** The replacement of the text of one subject. */
export interface StateSwap {
  readonly subject: string
  /** The text that is replaced; undefined if the subject must have none. */
  readonly expected: string | undefined
  readonly next: string
}

/** The result of swaps. */
export interface SwapReply {
  /** The text that each subject had before; the swap was made if it is the expected one. */
  readonly was: readonly (string | undefined)[]
  /** The epoch after the swaps. They are void if it is not the epoch of the node. */
  readonly epoch: number | undefined
}

/**
 * Thrown when the cache does not answer in time, refuses writes, or has closed the connection. A write may have been
 * made nevertheless.
 */
export class StatesUnavailable extends Error {}
