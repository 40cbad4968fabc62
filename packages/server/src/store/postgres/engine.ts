import type { Cluster, JoiningNode } from '../../domain/cluster.ts'
import type { IntegrityCheck } from '../../domain/data-folder.ts'
import type { DataWriter } from '../../domain/data-stores.ts'
import type { FeedDownloads, FeedSource } from '../../domain/feed-stores.ts'
import type { Processes } from '../../domain/processes.ts'
import type { RequestLogWriter } from '../../domain/request-log.ts'
import { StoreError, type StoreFailure, type StoreFailureCount, storeFailureKinds } from '../../domain/store-errors.ts'
import type {
  Engine,
  EngineDescriptor,
  Locks,
  PostgresDescriptor,
  StoreClient,
  StoreCopy,
  Upkeep,
  Watch,
  WatchListener,
  WriterOptions,
} from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import type { DurationHistogram } from '../../kit/histogram.ts'
import type { CountedFailures, FailureCounts } from '../failure-counts.ts'
import { createTokens } from '../sql/admin-tokens.ts'
import { createAudit } from '../sql/audit.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { createEventQueue } from '../sql/event-queue.ts'
import { createIdempotency } from '../sql/idempotency.ts'
import { createJobs, type JobFolders } from '../sql/jobs.ts'
import { createPeople } from '../sql/people.ts'
import { createPhotoDecisions } from '../sql/photos.ts'
import { createSuggestions } from '../sql/suggestions.ts'
import { createSyncs } from '../sql/syncs.ts'
import { createUpgrades } from '../sql/upgrades.ts'
import { createUsageExports } from '../sql/usage-exports.ts'
import { createWebhooks } from '../sql/webhooks.ts'
import { findWorker, openCandidate } from './candidate.ts'
import { openPostgresCluster } from './cluster.ts'
import { createPostgresData, type PostgresData } from './data.ts'
import { createPostgresJobLocks, createPostgresLocks, shareServing } from './engine-locks.ts'
import { type EnginePools, openEnginePools } from './engine-pools.ts'
import { openPostgresFeedDownloads } from './feed-downloads.ts'
import { createPostgresChecks } from './integrity.ts'
import { createPostgresKeys } from './keys.ts'
import { createPostgresLedger } from './ledger.ts'
import type { NodeFolder } from './node.ts'
import { createPostgresNodeAdmin } from './node-admin.ts'
import { createPostgresJournals } from './node-journals.ts'
import type { PostgresPool } from './pool.ts'
import { createReadChoice } from './read-servers.ts'
import { openRecordReads } from './record-reads.ts'
import { createPostgresReleases } from './releases.ts'
import { createPostgresRequestLog } from './request-log.ts'
import { createPostgresRequestLogWriter } from './request-log-writer.ts'
import { createPostgresScans } from './scans.ts'
import { createPostgresIndexes } from './shared-indexes.ts'
import { createPostgresDatabase } from './sql-database.ts'
import { createPostgresUpkeep } from './upkeep.ts'
import { watchPostgres } from './watch.ts'

/** The name by which failures of the database are counted. */
const databaseName = 'PostgreSQL'

export const countedFailures: CountedFailures = {
  stores: [databaseName],
  kinds: storeFailureKinds.filter(kind => kind !== 'busy'),
}

/** Upper bounds of the durations of statements, in seconds. */
export const statementBoundsS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

/** Stores of a node that are files in its folder. */
export interface NodeStores {
  readonly jobFolders: JobFolders
}

/** Dependencies of the engine. */
interface PostgresEngineParts {
  readonly url: string
  readonly waiting?: StoreClient | undefined
  readonly replicas?: PostgresDescriptor['replicas']
  readonly folder: NodeFolder
  readonly stores: NodeStores
  readonly clock: Clock
  readonly failures: FailureCounts
  readonly statements: DurationHistogram
}

/** The engine of one or more machines: a PostgreSQL database, and the journal in the folder of the node. */
export class PostgresEngine implements Engine {
  readonly descriptor: EngineDescriptor
  readonly locks: Locks
  readonly upkeep: Upkeep
  readonly processes: Processes
  readonly statements: DurationHistogram
  readonly #clock: Clock
  readonly #failures: FailureCounts
  readonly #stores: NodeStores
  readonly #folder: NodeFolder
  readonly #pools: EnginePools
  readonly #serving: PostgresPool
  readonly #work: PostgresPool
  readonly #choice: SharedArrayBuffer
  readonly #control: SqlDatabase
  readonly #data: PostgresData
  /** The control data for work that takes longer than requests may. */
  readonly #controlWork: SqlDatabase
  readonly #created = new Map<string, unknown>()
  #isClosed = false

  constructor(parts: PostgresEngineParts) {
    const { url, waiting = 'commands', replicas, folder, stores, clock, failures, statements } = parts
    this.descriptor = {
      kind: 'postgres',
      folder: folder.root,
      url,
      waiting,
      failures: failures.shared,
      statements: statements.shared,
      ...(replicas && { replicas }),
    }
    this.statements = statements
    this.#clock = clock
    this.#failures = failures
    this.#stores = stores
    this.#folder = folder
    const onFailure = ({ kind }: StoreFailure) => failures.add({ kind, file: databaseName }, clock.nowMs())
    const onStatement = (ms: number) => statements.add(ms / 1000)
    this.#pools = openEnginePools({ url, waiting, replicas: replicas?.urls ?? [], folder, onFailure, onStatement })
    this.#serving = this.#pools.serving
    this.#work = this.#pools.work
    this.#control = createPostgresDatabase(this.#serving)
    this.#data = createPostgresData({ ...this.#pools, pepper: folder.pepper, clock })
    this.#controlWork = createPostgresDatabase(this.#work)
    this.#choice = replicas?.choice ?? createReadChoice()
    this.locks = createPostgresLocks(this.#work)
    this.upkeep = createPostgresUpkeep(this.#work)
    this.processes = {
      join: process => openCandidate({ url, onFailure, beforeUse: this.#pools.prepare }, folder.node, process),
      worker: () => findWorker(this.#work),
    }
  }

  get locations(): Engine['locations'] {
    return this.#open(this.#data.locations)
  }

  get reviews(): Engine['reviews'] {
    return this.#open(this.#data.reviews)
  }

  get texts(): Engine['texts'] {
    return this.#open(this.#data.texts)
  }

  get changes(): Engine['changes'] {
    return this.#open(this.#data.changes)
  }

  get moderation(): Engine['moderation'] {
    return this.#open(this.#data.moderation)
  }

  get places(): Engine['places'] {
    return this.#open(this.#data.places)
  }

  get photos(): Engine['photos'] {
    return this.#once('photos', () => createPhotoDecisions(this.#control))
  }

  get reviewList(): Engine['reviewList'] {
    return this.#open(this.#data.reviewList)
  }

  get reads(): Engine['reads'] {
    const servers = { primary: this.#serving, replicas: this.#pools.replicas, choice: this.#choice }
    return this.#once('reads', () => openRecordReads(servers))
  }

  get keys(): Engine['keys'] {
    return this.#once('keys', () => createPostgresKeys(this.#control, this.#pools))
  }

  get people(): Engine['people'] {
    return this.#once('people', () => createPeople(this.#control))
  }

  get idempotency(): Engine['idempotency'] {
    return this.#once('idempotency', () => createIdempotency(this.#control))
  }

  get tokens(): Engine['tokens'] {
    return this.#once('tokens', () => createTokens(this.#control))
  }

  get scans(): Engine['scans'] {
    return this.#once('scans', () => createPostgresScans(this.#work, this.#clock))
  }

  get suggestions(): Engine['suggestions'] {
    return this.#once('suggestions', () => createSuggestions(this.#control))
  }

  get upgrades(): Engine['upgrades'] {
    return this.#once('upgrades', () => createUpgrades(this.#control))
  }

  get audit(): Engine['audit'] {
    return this.#once('audit', () => createAudit(this.#control))
  }

  get syncs(): Engine['syncs'] {
    return this.#once('syncs', () => createSyncs(this.#controlWork))
  }

  get usageExports(): Engine['usageExports'] {
    return this.#once('usageExports', () => createUsageExports(this.#controlWork))
  }

  get webhooks(): Engine['webhooks'] {
    return this.#once('webhooks', () => createWebhooks(this.#control))
  }

  get events(): Engine['events'] {
    return this.#once('events', () => createEventQueue(this.#controlWork))
  }

  get jobs(): Engine['jobs'] {
    const { jobFolders: folders } = this.#stores
    const parts = { db: this.#controlWork, locks: createPostgresJobLocks(this.#work), folders, clock: this.#clock }
    return this.#once('jobs', () => createJobs(parts))
  }

  get ledger(): Engine['ledger'] {
    return this.#once('ledger', () => createPostgresLedger(this.#work, this.#folder, this.#pools.short))
  }

  get journals(): Engine['journals'] {
    return this.#once('journals', () => createPostgresJournals(this.#pools.short, this.#serving, this.#folder.node))
  }

  get nodes(): Engine['nodes'] {
    return this.#once('nodes', () => createPostgresNodeAdmin(this.#pools.short))
  }

  get releases(): Engine['releases'] {
    return this.#once('releases', () => createPostgresReleases(this.#work))
  }

  get indexes(): Engine['indexes'] {
    return this.#once('indexes', () => createPostgresIndexes(this.#pools.short))
  }

  get requests(): Engine['requests'] {
    return this.#once('requests', () => createPostgresRequestLog(this.#work))
  }

  async prepare(): Promise<void> {
    this.#requireOpen()
    await this.#work.query('SELECT 1')
  }

  failures(): readonly StoreFailureCount[] {
    return this.#failures.list()
  }

  watch(what: 'keys' | 'data', listener: WatchListener): Watch {
    return watchPostgres(this.#pools.watching, what, listener)
  }

  async openWriter(options: WriterOptions): Promise<DataWriter> {
    return this.#open(this.#data).openWriter(options)
  }

  async openFeedSource(): Promise<FeedSource> {
    return this.#open(this.#data).openFeedSource()
  }

  async openFeedDownloads(): Promise<FeedDownloads> {
    this.#requireOpen()
    return openPostgresFeedDownloads({ serving: this.#serving, work: this.#work }, this.#clock.nowMs())
  }

  async openRequestLogWriter(): Promise<RequestLogWriter> {
    this.#requireOpen()
    return createPostgresRequestLogWriter(this.#pools.short, this.#folder.node)
  }

  async openStoreCopy(): Promise<StoreCopy> {
    this.#requireOpen()
    throw new StoreError(
      `${this.#work.name} is not copied with the data folder. Back it up with pg_dump, or by archiving its log.`,
    )
  }

  async joinCluster(joining: JoiningNode): Promise<Cluster> {
    this.#requireOpen()
    const lock = await shareServing(this.#work)
    return openPostgresCluster({ openPool: this.#pools.open, folder: this.#folder, joining, lock })
  }

  integrityChecks(scope: 'copy' | 'everything'): readonly IntegrityCheck[] {
    return createPostgresChecks(scope, this.#work)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#created.clear()
    await this.#pools.close()
  }

  /** Throws after `close`. */
  #requireOpen(): void {
    if (this.#isClosed) throw new Error('The engine is closed.')
  }

  #open<T>(store: T): T {
    this.#requireOpen()
    return store
  }

  #once<T>(name: string, create: () => T): T {
    this.#requireOpen()
    if (!this.#created.has(name)) this.#created.set(name, create())
    return this.#created.get(name) as T
  }
}
