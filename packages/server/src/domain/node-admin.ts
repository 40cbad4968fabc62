import type { ChangeRecord } from './change-record.ts'
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
  /** Level of the release (domain/releases.ts). */
  readonly level: number | undefined
  /** Mode and epoch of a node that shares limits; undefined for others. */
  readonly mode: NodeMode | undefined
  readonly epoch: number | undefined
  /** True if it has answered calls alone since it entered the epoch. */
  readonly isBlind: boolean
  /** The position in its journal that its folds have reached. */
  readonly position: string
  /** Time of the last call that is in the ledger, in milliseconds since 1970; undefined before the first. */
  readonly lastCallMs: number | undefined
  /** Time before which it has folded what it answered, in milliseconds since 1970; undefined if it shows none. */
  readonly foldedToMs: number | undefined
  /** Digest of the settings that all nodes must share; undefined if it shows none. */
  readonly config: string | undefined
  /** Number of its open feed downloads; 0 for a node that does not share limits. */
  readonly openDownloads: number
}

/** The nodes of a database, and what they share. */
export interface ClusterStatus {
  readonly nodes: readonly NodeStatus[]
  readonly epoch: LimitEpoch
  /** The place of the shared limits, without user and password; undefined if limits have never been shared. */
  readonly cache: string | undefined
  /** The elected worker; undefined without one. */
  readonly worker: (ProcessTerms & { readonly node: string }) | undefined
  /** Version of the schema, and the lowest level of releases that can use the database. */
  readonly schema: { readonly version: number; readonly oldest: number }
}

/** A node as the database has it. */
export interface RegisteredNode {
  readonly state: 'known' | 'forgotten'
  /** The process that has registered as the node last, also after `replace`; undefined if it has never shared limits. */
  readonly instance: string | undefined
  /** True if its last process has folded all that it answered, and left the other nodes. */
  readonly hasLeft: boolean
  /** True if what its last process has not folded was stored before its answers left. */
  readonly isStoring: boolean
}

/** The nodes of a database, for operators. Each change writes its record in its transaction. */
export interface NodeAdmin {
  /** Id of the database. */
  database(): Promise<string>
  /** Watches the nodes for two seconds, and returns their state. */
  status(): Promise<ClusterStatus>
  /** Returns a node that may be in no status because it has done nothing; undefined for an unknown one. */
  find(node: string): Promise<RegisteredNode | undefined>
  /**
   * Ends the membership of the process that has registered as a node last: none folds its journal any more, until
   * `leave` or `forget`.
   */
  replace(node: string): Promise<void>
  /**
   * Notes that all of the journal of a dead node is folded. Returns false, without a record, if nothing changes: it has
   * left already. `hasFolded` is true if calls were folded for it.
   */
  leave(node: string, hasFolded: boolean, record: ChangeRecord): Promise<boolean>
  /** Removes a node whose journal is no longer expected. What the ledger has of it stays. */
  forget(node: string, record: ChangeRecord): Promise<void>
  /** Returns true while a process moves the contents to a data folder: services end, and none starts. */
  isMoving(): Promise<boolean>
  /** Stores another place of the shared limits; `recordOf` makes the record from the place before. */
  moveCache(cache: string, recordOf: (before: string | undefined) => ChangeRecord): Promise<void>
}
