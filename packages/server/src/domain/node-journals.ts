import type { Ledger, NodeFiles } from './ledger.ts'
import type { RequestLogWriter } from './request-log.ts'
import type { BatchStore } from './usage.ts'

/** A file of a node's journal in the blobs, or the first part of a file that its node continues. */
export interface ShippedFile {
  /** Id of the node. */
  readonly node: string
  readonly file: number
  /** Number of bytes, without compression. */
  readonly bytes: number
  /** SHA-256 of these bytes, in hexadecimal. */
  readonly sha256: string
}

/** A batch of a journal that was stored before it was written. */
export interface StoredBatch {
  readonly id: string
  readonly batch: Buffer
}

/** The journals of all nodes of a database, as far as they are outside of their folders. */
export interface NodeJournals {
  /** Id of this node. */
  readonly node: string
  /** Returns the shipped files of a node, in ascending order. */
  shipped(node: string): Promise<readonly ShippedFile[]>
  /** Adds a shipped file; a longer part of a file replaces a shorter one. */
  addShipped(file: ShippedFile): Promise<void>
  /** Returns the shipped files that nobody continues and whose calls are all older than a time. */
  expired(beforeMs: number): Promise<readonly ShippedFile[]>
  /** Removes a shipped file because it has expired: the ledger no longer expects it. */
  removeExpired(file: ShippedFile): Promise<void>
  /** Notes that all of a node's journal is folded and shipped, until its next process starts. */
  markEnded(node: string): Promise<void>
  /** Asks all nodes to ship what they have folded. */
  requestShipping(): Promise<void>
  /** Returns the number of the last request to ship; 0 before the first. */
  lastRequest(): Promise<number>
  /** Stores the batches of this node until its fold has them. */
  readonly batches: BatchStore
  /** Returns the stored batches of a node that its ledger does not have, in their order. */
  stored(node: string): Promise<readonly StoredBatch[]>
  /**
   * Returns the time before which all nodes that have not left have folded; infinite without such nodes. A node that
   * answered before limits were shared counts, too, until it has ended or shares them.
   */
  foldedTo(): Promise<number>
  /** Returns the time up to which the events of closed months have been added; undefined before the first. */
  closedTo(): Promise<number | undefined>
  /** Notes this time; an earlier one changes nothing. */
  noteClosedTo(ms: number): Promise<void>
  /** Returns the other nodes that have answered calls of a half-open span, with the files that have these calls. */
  answered(fromMs: number, toMs: number): Promise<readonly NodeFiles[]>
  /** Returns the ledger with the position of another node. */
  ledgerOf(node: string): Ledger
  /** Returns the request log for what another node has in its journal. */
  requestLogOf(node: string): RequestLogWriter
}
