import type { AutocompleteSessions } from './autocomplete-session.ts'
import type { DownloadLeases } from './download-leases.ts'
import type { LimitStates } from './limit-states.ts'
import type { Membership } from './membership.ts'

/** The description of a node that joins the nodes of its database. */
export interface JoiningNode {
  /** Name of the machine, for operators. */
  readonly name: string
  readonly release: string
  /** Name of the place in which the node shares limits; all nodes must have the same. */
  readonly cache: string
  /** Digest of the settings that all nodes must share (compose/config-digest.ts). */
  readonly config?: string | undefined
  /** True if it stores calls before their answers leave. */
  readonly isStoring?: boolean
}

/** The nodes of a database, as one of them sees them. */
export interface Cluster {
  /** Id of the cluster. */
  readonly id: string
  /** Id of the node. */
  readonly node: string
  readonly membership: Membership
  /** Opens the limit states in the database; the caller closes them. */
  openStates(): LimitStates
  /** Opens the leases of downloads of the node; the caller closes them. */
  openDownloadLeases(): DownloadLeases
  /** Opens the sessions of search-as-you-type; the caller closes them. */
  openSessions(): AutocompleteSessions & { close(): Promise<void> }
  /** Aborted when a node that does not share limits has begun to serve the database. */
  readonly lost: AbortSignal
  close(): Promise<void>
}
