/**
 * The engine: everything that is stored. The interfaces of its stores are in files of this folder. They are
 * asynchronous, so that a clustered engine can implement them. Reading something that does not exist returns undefined.
 * Apart from the errors in store-errors.ts, an exception indicates a bug.
 */

import type { DurationHistogram } from '../kit/histogram.ts'
import type { TokenStore } from './admin-token.ts'
import type { AuditLog } from './audit-log.ts'
import type { Cluster, JoiningNode } from './cluster.ts'
import type { IntegrityCheck } from './data-folder.ts'
import type {
  ChangeLog,
  DataWriter,
  LocationReader,
  PlaceTextSource,
  ReviewModeration,
  ReviewReader,
} from './data-stores.ts'
import type { EventQueue, WebhookAdmin } from './event-store.ts'
import type { UsageExports } from './exported-usage.ts'
import type { FeedDownloads, FeedSource } from './feed-stores.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { JobStore } from './job.ts'
import type { KeyAdmin } from './key-stores.ts'
import type { Ledger } from './ledger.ts'
import type { NodeAdmin } from './node-admin.ts'
import type { NodeJournals } from './node-journals.ts'
import type { People } from './people.ts'
import type { PhotoDecisions } from './photo-decisions.ts'
import type { PlaceDecisions } from './places.ts'
import type { Processes } from './processes.ts'
import type { Releases } from './releases.ts'
import type { RequestLog, RequestLogWriter } from './request-log.ts'
import type { ReviewList } from './review-list.ts'
import type { ReviewScans } from './review-scans.ts'
import type { SharedIndexes } from './shared-indexes.ts'
import type { StoreFailureCount } from './store-errors.ts'
import type { SuggestionStore } from './suggestion.ts'
import type { SyncStore } from './sync.ts'
import type { UpgradeStore } from './upgrade.ts'

/**
 * Everything that is stored. The plain members share connections, which open on first use and stay open until `close`.
 * The objects that the `open` methods return have separate connections; the caller closes them. The first use of a
 * store upgrades its schema; it throws NewerSchema if a newer release wrote the store.
 */
export interface Engine {
  /** Data from which another thread opens the same engine; may be sent to it. */
  readonly descriptor: EngineDescriptor
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly reads: RecordReads
  readonly texts: PlaceTextSource
  readonly changes: ChangeLog
  readonly keys: KeyAdmin
  readonly tokens: TokenStore
  readonly idempotency: IdempotencyStore
  readonly audit: AuditLog
  readonly upgrades: UpgradeStore
  readonly people: People
  readonly ledger: Ledger
  /** The journals of all nodes; undefined where one process serves the stores. */
  readonly journals: NodeJournals | undefined
  /** The search indexes of all nodes; undefined where one process serves the stores. */
  readonly indexes: SharedIndexes | undefined
  readonly usageExports: UsageExports
  readonly moderation: ReviewModeration
  /** The calls of the last days, up to about a second ago (domain/request-log.ts). */
  readonly requests: RequestLog
  readonly jobs: JobStore
  readonly places: PlaceDecisions
  readonly suggestions: SuggestionStore
  readonly syncs: SyncStore
  readonly photos: PhotoDecisions
  readonly webhooks: WebhookAdmin
  readonly events: EventQueue
  readonly reviewList: ReviewList
  readonly scans: ReviewScans
  readonly locks: Locks
  readonly upkeep: Upkeep
  /** The processes of a database; undefined if the stores are in the data folder, which one process serves. */
  readonly processes: Processes | undefined
  /** The nodes of a database, for operators; undefined if the stores are in the data folder. */
  readonly nodes: NodeAdmin | undefined
  /** The releases that use a database; undefined if the stores are in the data folder, which one release uses. */
  readonly releases: Releases | undefined
  /** Opens all stores, so that a process that cannot use them fails at startup. */
  prepare(): Promise<void>
  /** Reports commits by other processes or connections within a second: of keys and partners, or of the data. */
  watch(what: 'keys' | 'data', listener: WatchListener): Watch
  /** A dry run works on private copies and in a transaction that `close` rolls back. */
  openWriter(options: WriterOptions): Promise<DataWriter>
  openFeedSource(): Promise<FeedSource>
  openFeedDownloads(): Promise<FeedDownloads>
  openRequestLogWriter(): Promise<RequestLogWriter>
  openStoreCopy(): Promise<StoreCopy>
  /**
   * Registers the process as its node among those that share limits. Throws LockHeld while a node serves that does not,
   * and StoreError if the process cannot be this node, or if the stores are those of a folder.
   */
  joinCluster(node: JoiningNode): Promise<Cluster>
  /** Returns the number of failures of each store and kind, zero included; waits for other processes do not count. */
  failures(): readonly StoreFailureCount[]
  /** Durations of the statements of requests in this process; undefined if the stores are in the data folder. */
  readonly statements: DurationHistogram | undefined
  /** Returns the checks of everything that copying can damage, or of all stores. */
  integrityChecks(scope: 'copy' | 'everything'): readonly IntegrityCheck[]
  /** Closes the connections of the plain members. */
  close(): Promise<void>
}

/** The engine of an installation and where its stores are. */
/**
 * The records that requests read: those of a replica of the database where one is configured and can be used, otherwise
 * those of the engine.
 */
export interface RecordReads {
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  /**
   * The change log of the server that the records are read from, for one reader. `after` resolves to undefined once
   * records are read from another server.
   */
  readonly changes: Pick<ChangeLog, 'lastSeq' | 'after'>
  /** As `Engine.watch` for data. Calls `onServer` with a sentence when records are read from another server. */
  watch(listener: WatchListener, onServer: (text: string) => void): Watch
  /** Returns a sentence for each replica that cannot be used. */
  notes(): readonly string[]
  /** Returns the time by which each replica that answers is behind the primary. */
  lags(): readonly ReplicaLag[]
}

/** The time by which a replica is behind the primary. */
export interface ReplicaLag {
  /** Host and port. */
  readonly replica: string
  readonly lagMs: number
}

export type EngineDescriptor = SqliteDescriptor | PostgresDescriptor

interface FolderDescriptor {
  /** The data folder. */
  readonly folder: string
  /** Memory in which all threads of a process count the failures of the stores. */
  readonly failures?: SharedArrayBuffer
}

/** Stores in files of the data folder. */
export interface SqliteDescriptor extends FolderDescriptor {
  readonly kind: 'sqlite'
}

/** `calls` get an answer within a second, pages and changes of the management within ten. */
export type StoreClient = 'calls' | 'management' | 'commands'

/** Stores in a PostgreSQL database. Journal, request log and built files are in the data folder of the node. */
export interface PostgresDescriptor extends FolderDescriptor {
  readonly kind: 'postgres'
  /** URL of the database; contains the password if it was configured. */
  readonly url: string
  /** The clients of the stores, which decide how long a statement may take. Default: `commands`. */
  readonly waiting?: StoreClient
  /** A copy of the pepper of the database, for the folder of a new node. */
  readonly pepperFile?: string
  /** Memory in which all threads of a process count the durations of statements of requests. */
  readonly statements?: SharedArrayBuffer
  /** URLs of replicas that requests read from, and the memory in which threads share the choice. */
  readonly replicas?: { readonly urls: readonly string[]; readonly choice: SharedArrayBuffer }
}

export interface WriterOptions {
  /** Rolls back all writes on `close`. */
  readonly dryRun: boolean
  /** The lock of the import. Once it is lost, writes throw the reason. */
  readonly lock?: Lock | undefined
}

/** Locks between processes, held until `release` or until the process ends in any way. */
export interface Locks {
  /** Throws LockHeld with `message` if another process holds the lock. */
  hold(name: LockName, message: string): Promise<Lock>
  isHeld(name: LockName): Promise<boolean>
}

/** `import`: one import at a time; `feeds`: one build of feeds at a time; `serve`: one process that serves the stores. */
export type LockName = 'import' | 'feeds' | 'serve'

export interface Lock {
  /**
   * Aborted with a StoreError when another process has the lock, because the connection that held it had ended. A lock
   * of a file is never lost.
   */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Receives the notifications of a Watch. */
export interface WatchListener {
  /**
   * Called when another process may have changed the watched data. If the promise rejects, the call is repeated later.
   */
  changed(): Promise<void>
  /** Called after each check that has succeeded. */
  checked?(): void
  /** Reports a failed check or call. */
  failed(error: unknown): void
}

/** A running watch. `stop` resolves when the running call has finished. */
export interface Watch {
  stop(): Promise<void>
}

/** Maintenance of the store files. */
export interface Upkeep {
  /** Removes the copies of all stores, or of the data alone, that schema upgrades made; returns their names. */
  removeUpgradeCopies(of: 'all' | 'data', beforeMs?: number): Promise<readonly string[]>
  /** Returns the remaining work until no store file contains an erased text. */
  pendingCleanups(): Promise<readonly Cleanup[]>
  /**
   * Does the pending work as far as readers and imports permit, and returns the remaining work. Store files are
   * searched for copies of the just erased texts `erased`.
   */
  cleanUp(erased?: readonly string[]): Promise<readonly Cleanup[]>
}

/** `truncate`: a log contains older states of rows. `compact`: a store file contains copies of deleted rows. */
export type Cleanup = 'truncate' | 'compact'

/** A consistent view of all stores as of a single point in time; open while it is being copied. */
export interface StoreCopy {
  /** The newest change number in it. */
  readonly revision: number
  /** Bytes that `writeTo` will write, approximately. */
  readonly bytes: number
  /** Writes the stores to their places in a data folder, pausing half of the time so that other work proceeds. */
  writeTo(folder: string, progress: CopyProgress): Promise<void>
  close(): Promise<void>
}

/** Reports the progress of a long copy: which part, and how many bytes of it are done. */
export type CopyProgress = (part: string, doneBytes: number, totalBytes: number) => void
