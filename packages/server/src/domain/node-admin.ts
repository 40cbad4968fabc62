import type { LimitEpoch, NodeMode } from './membership.ts'
import type { ProcessRole, ProcessTerms } from './processes.ts'

/** A node of a database, as operators see it. */
export interface NodeStatus {
  /** Id of the node. */
  readonly node: string
  /** True if it showed a sign of life while it was watched, or if a process of it is connected to the database. */
  readonly isLive: boolean
  /** Name of the machine, role and release of the process that has registered last; undefined if none ever has. */
  readonly name: string | undefined
  readonly role: ProcessRole | undefined
  readonly release: string | undefined
  /** Mode and epoch of a node that shares limits; undefined for others. */
  readonly mode: NodeMode | undefined
  readonly epoch: number | undefined
  /** True if it has answered calls alone since it entered the epoch. */
  readonly isBlind: boolean
  /** The position in its journal that its folds have reached. */
  readonly position: string
  /** Time of the last call that is in the ledger, in milliseconds since 1970; undefined before the first. */
  readonly lastCallMs: number | undefined
}

/** The nodes of a database, and what they share. */
export interface ClusterStatus {
  readonly nodes: readonly NodeStatus[]
  readonly epoch: LimitEpoch
  /** The place of the shared limits, without user and password; undefined if limits have never been shared. */
  readonly cache: string | undefined
  /** The elected worker; undefined without one. */
  readonly worker: (ProcessTerms & { readonly node: string }) | undefined
  /** Version of the schema, and the oldest one that a release must know to use the database. */
  readonly schema: { readonly version: number; readonly oldest: number }
}

/** The nodes of a database, for operators. */
export interface NodeAdmin {
  /** Watches the nodes for two seconds, and returns their state. */
  status(): Promise<ClusterStatus>
  /** Ends the membership of the process that has registered as a node last: none folds its journal any more. */
  replace(node: string): Promise<void>
  /** Removes a node whose journal is no longer expected. What the ledger has of it stays. */
  forget(node: string): Promise<void>
  /** Stores another place of the shared limits. */
  moveCache(cache: string): Promise<void>
}
