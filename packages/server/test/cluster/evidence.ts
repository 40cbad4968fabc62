import type { JournalPosition } from '../../src/usage/journal-position.ts'

/** A call in the journal of a node. */
export interface JournalledCall {
  readonly node: string
  /** The position after its batch. */
  readonly end: JournalPosition
  readonly requestId: string
  readonly keyId: string
  readonly status: number
  readonly units: number
  /** The epoch that decided the call; 0 if its node decided alone. */
  readonly epoch: number
  /** Time of its arrival, and of its decision, in milliseconds since 1970. */
  readonly arrivalMs: number
  readonly endMs: number
  /** The state of the rate bucket after the call, and the start of its window. */
  readonly tatUs: number
  readonly windowStartMs: number
}

/**
 * The moment when an epoch opened: how far the journal of each node was folded, and still is after the ledger has lost
 * commits.
 */
export interface Opening {
  readonly epoch: number
  readonly positions: ReadonlyMap<string, JournalPosition>
}

/** The end of an epoch. `epoch lost`: the cache was the same and had another epoch, or none. */
export interface Ending {
  readonly epoch: number
  readonly cause: 'other cache' | 'late' | 'alone' | 'epoch lost'
}

/** The effects that the faults of a run may have had on epochs. */
export interface Losses {
  /** Epochs that the cache had when it lost its states. */
  readonly epochs: readonly number[]
  /** Number of times that the cache became another one, that it lost its epoch, and that the ledger lost commits. */
  readonly lives: number
  readonly flushes: number
  readonly setbacks: number
  /** Number of all faults. */
  readonly faults: number
}

/** Limits of a key. */
export interface KeyLimits {
  readonly rate: number
  readonly burst: number
  readonly quota: number
}

/** The counts of the clients of a key: complete answers that were billed, and requests that have no complete answer. */
export interface ClientCounts {
  answers: number
  units: number
  unanswered: number
  unansweredUnits: number
  /** Units that were answered before the last calls. */
  unitsBefore: number
}

/** A window of a key in the ledger. */
export interface LedgerWindow {
  readonly keyId: string
  readonly windowStartMs: number
  readonly used: number
  readonly carried: number
}

/** All that is known after a run. */
export interface Evidence {
  readonly calls: readonly JournalledCall[]
  /** In the order of their epochs. */
  readonly openings: readonly Opening[]
  readonly endings: readonly Ending[]
  readonly losses: Losses
  readonly nodes: number
  readonly keys: ReadonlyMap<string, KeyLimits>
  readonly clients: ReadonlyMap<string, ClientCounts>
  /** Billed calls and units of each key in the ledger. */
  readonly billed: ReadonlyMap<string, { readonly calls: number; readonly units: number }>
  readonly windows: readonly LedgerWindow[]
}
