import type { FoldedState, UsageCursor } from './ledger.ts'

/**
 * The nodes that share limits, and their epochs. An epoch is a life of the cache of limit states in which it knows all
 * units of the ledger. All changes of the epoch and all folds are ordered by one row.
 */
export interface Membership {
  /**
   * Registers the process as its node. `earlierInstances`: those that the folder has had. Returns false if the node has
   * run as another one: its folder was copied or restored. Throws NewerSchema.
   */
  register(earlierInstances: readonly string[]): Promise<boolean>
  /**
   * Shows that the node lives, and returns epoch and nodes; undefined if another process has registered as this node.
   */
  beat(report: NodeReport): Promise<ClusterView | undefined>
  /**
   * Starts to open an epoch if the current one is as seen. `old identity`: another cache has replaced this one, so that
   * it must not be used again.
   */
  openEpoch(seen: LimitEpoch, next: NextEpoch): Promise<'opening' | 'changed' | 'old identity'>
  /** Notes that the node has folded everything up to `position`, and that it will decide in the epoch, if it is as seen. */
  enter(seen: LimitEpoch, position: UsageCursor): Promise<boolean>
  /** Opens an epoch that is being opened. */
  finishOpening(epoch: number): Promise<void>
  /** Notes that the cache does not know all units of an open epoch, which ends it. */
  markLate(epoch: number): Promise<void>
  /** Returns the clock of the store, in microseconds since 1970. */
  clockUs(): Promise<number>
  /** Returns the states of subjects in the ledger. */
  seeds(subjects: readonly string[]): Promise<ReadonlyMap<string, readonly FoldedState[]>>
}

/** An epoch of limits. */
export interface LimitEpoch {
  readonly epoch: number
  /** The identity of the cache (domain/limit-states.ts). */
  readonly identity: string
  /** `opening`: nodes fold what they decided before. `open`: nodes decide. */
  readonly state: 'opening' | 'open'
  /** True once the ledger has units that the cache does not know. */
  readonly late: boolean
}

/** The epoch after the current one. */
export interface NextEpoch {
  readonly identity: string
  /** The least number; it is higher if the current epoch is. */
  readonly atLeast: number
}

/** `out`: the node has not entered an epoch, or answers alone. `left`: it has stopped and folded everything. */
export const nodeModes = ['out', 'in', 'left'] as const
export type NodeMode = (typeof nodeModes)[number]

/** The state of a node for the others. */
export interface NodeReport {
  readonly mode: NodeMode
  /** The step of a clock that the node has seen (limits/shared/line.ts), in microseconds; 0 without one. */
  readonly stepUs: number
  /** Time since the start of the last fold that reached the end of the journal, in milliseconds; missing before one. */
  readonly foldedAgeMs?: number | undefined
}

/** A node of the cluster. */
export interface ClusterNode {
  readonly node: string
  readonly mode: NodeMode
  /** The last epoch that it has entered. */
  readonly epoch: number
  /** True if it has answered calls alone since. */
  readonly blind: boolean
  /** Number that changes with each sign of life. */
  readonly beat: number
  readonly stepUs: number
  /** Name of the machine, and release of the process. */
  readonly name?: string
  readonly release?: string
  /** Digest of the settings that all nodes must share; missing if the process has shown none. */
  readonly config?: string | undefined
}

export interface ClusterView {
  readonly epoch: LimitEpoch
  /** The lowest level of releases that can use the database (domain/releases.ts). */
  readonly oldest: number
  readonly me: ClusterNode
  readonly others: readonly ClusterNode[]
}
