import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Cluster } from '../../domain/cluster.ts'
import type { IntegrityCheck } from '../../domain/data-folder.ts'
import type { DataWriter } from '../../domain/data-stores.ts'
import type { FeedDownloads, FeedSource } from '../../domain/feed-stores.ts'
import type { RequestLogWriter } from '../../domain/request-log.ts'
import { type ReplacedFile, StoreError, type StoreFailure, type StoreFailureCount } from '../../domain/store-errors.ts'
import type {
  Engine,
  EngineDescriptor,
  Locks,
  StoreCopy,
  Upkeep,
  Watch,
  WatchListener,
  WriterOptions,
} from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import { closeOnError } from '../connection.ts'
import { createDryWriter } from '../dry-writer.ts'
import type { FailureCounts } from '../failure-counts.ts'
import { createJobFolders } from '../folder/job-folders.ts'
import type { Layout } from '../folder/layout.ts'
import { loadPepper } from '../folder/pepper.ts'
import { openFolderScans } from '../folder/review-scans.ts'
import type { Decisions } from '../rows/decision-rules.ts'
import { createTokens } from '../sql/admin-tokens.ts'
import { createAudit } from '../sql/audit.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { createEventQueue } from '../sql/event-queue.ts'
import { createIdempotency } from '../sql/idempotency.ts'
import { createJobs } from '../sql/jobs.ts'
import { createKeys } from '../sql/keys.ts'
import { createPeople } from '../sql/people.ts'
import { createPhotoDecisions } from '../sql/photos.ts'
import { createSuggestions } from '../sql/suggestions.ts'
import { createSyncs } from '../sql/syncs.ts'
import { createUpgrades } from '../sql/upgrades.ts'
import { createUsageExports } from '../sql/usage-exports.ts'
import { createWebhooks } from '../sql/webhooks.ts'
import { watchEveryMs } from '../watch.ts'
import { createSqliteChangeLog } from './change-log.ts'
import { StoreConnections } from './connections.ts'
import { createSqliteDecisions } from './decisions.ts'
import { openSqliteFeedDownloads, renameOldDownloads } from './feed-downloads.ts'
import { openSqliteFeedSource } from './feed-source.ts'
import { getSqliteFiles, type SqliteFiles } from './files.ts'
import { createSqliteChecks } from './integrity.ts'
import { createSqliteJobLocks } from './job-locks.ts'
import { createSqliteLedger } from './ledger.ts'
import { createSqliteLocations } from './locations.ts'
import { createSqliteLocks } from './locks.ts'
import { createSqliteModeration } from './moderation.ts'
import { copyAndClose } from './open.ts'
import { createSqlitePlaceTexts } from './place-texts.ts'
import { createSqlitePlaces } from './places.ts'
import type { ReplaceableOptions } from './replaceable-file.ts'
import { createSqliteRequestLog, type SqliteRequestLog } from './request-log.ts'
import { openSqliteRequestLogWriter } from './request-log-writer.ts'
import { createSqliteReviewList } from './review-list.ts'
import { createSqliteReviews } from './reviews.ts'
import { createSqliteDatabase } from './sql-database.ts'
import { openSqliteStoreCopy } from './store-copy.ts'
import { createSqliteUpkeep } from './upkeep.ts'
import { watchCommits } from './watch.ts'
import { createSqliteWriter } from './writer.ts'

/** Dependencies of the engine. */
interface SqliteEngineParts {
  readonly clock: Clock
  readonly failures: FailureCounts
  readonly onReplaced: (replaced: ReplacedFile) => void
}

/** The engine of a single machine: SQLite files in the data folder. */
export class SqliteEngine implements Engine {
  readonly descriptor: EngineDescriptor
  readonly locks: Locks
  readonly upkeep: Upkeep
  readonly processes = undefined
  readonly nodes = undefined
  readonly statements = undefined
  readonly releases = undefined
  readonly #layout: Layout
  readonly #files: SqliteFiles
  readonly #clock: Clock
  readonly #failures: FailureCounts
  readonly #connections: StoreConnections
  readonly #callbacks: ReplaceableOptions
  readonly #requests: SqliteRequestLog
  readonly #created = new Map<string, unknown>()

  constructor(layout: Layout, { clock, failures, onReplaced }: SqliteEngineParts) {
    this.descriptor = { kind: 'sqlite', folder: layout.root, failures: failures.shared }
    this.#failures = failures
    this.#layout = layout
    this.#files = getSqliteFiles(layout)
    this.#clock = clock
    const onFailure = (failure: StoreFailure) => failures.add(failure, clock.nowMs())
    this.#callbacks = { onFailure, onReplaced }
    this.#connections = new StoreConnections(this.#files, onFailure)
    this.locks = createSqliteLocks(this.#files, onReplaced)
    this.#requests = createSqliteRequestLog(this.#files.requests, { onFailure })
    this.upkeep = createSqliteUpkeep({
      files: this.#files,
      locks: this.locks,
      nowMs: () => clock.nowMs(),
      control: () => this.#connections.control,
      openData: () => this.#connections.openData({ cacheMb: 64 }),
    })
  }

  get locations(): Engine['locations'] {
    return this.#once('locations', () => createSqliteLocations(this.#connections.data))
  }

  get reviews(): Engine['reviews'] {
    return this.#once('reviews', () => createSqliteReviews(this.#connections.data))
  }

  get reads(): Engine['reads'] {
    const { locations, reviews, changes } = this
    return {
      locations,
      reviews,
      changes,
      watch: listener => this.watch('data', listener),
      notes: () => [],
      lags: () => [],
    }
  }

  get changes(): Engine['changes'] {
    return this.#once('changes', () => createSqliteChangeLog(this.#connections.data))
  }

  get texts(): Engine['texts'] {
    return this.#once('texts', () => createSqlitePlaceTexts(this.#connections.texts))
  }

  get keys(): Engine['keys'] {
    return this.#once('keys', () => createKeys(this.#sql))
  }

  get people(): Engine['people'] {
    return this.#once('people', () => createPeople(this.#sql))
  }

  get idempotency(): Engine['idempotency'] {
    return this.#once('idempotency', () => createIdempotency(this.#sql))
  }

  get tokens(): Engine['tokens'] {
    return this.#once('tokens', () => createTokens(this.#sql))
  }

  get suggestions(): Engine['suggestions'] {
    return this.#once('suggestions', () => createSuggestions(this.#sql))
  }

  get upgrades(): Engine['upgrades'] {
    return this.#once('upgrades', () => createUpgrades(this.#sql))
  }

  get audit(): Engine['audit'] {
    return this.#once('audit', () => createAudit(this.#sql))
  }

  get ledger(): Engine['ledger'] {
    return this.#once('ledger', () => createSqliteLedger(this.#connections.control))
  }

  get journals(): undefined {
    return undefined
  }

  get indexes(): undefined {
    return undefined
  }

  get syncs(): Engine['syncs'] {
    return this.#once('syncs', () => createSyncs(this.#sql))
  }

  get usageExports(): Engine['usageExports'] {
    return this.#once('usageExports', () => createUsageExports(this.#sql))
  }

  get requests(): Engine['requests'] {
    this.#connections.requireOpen()
    return this.#requests
  }

  get moderation(): Engine['moderation'] {
    return this.#once('moderation', () => {
      const { control, decisionData } = this.#connections
      return createSqliteModeration(control, decisionData, this.#decisions(control), this.#clock)
    })
  }

  get places(): Engine['places'] {
    return this.#once('places', () => {
      const { control, decisionData } = this.#connections
      return createSqlitePlaces(control, decisionData, this.#clock)
    })
  }

  get photos(): Engine['photos'] {
    return this.#once('photos', () => createPhotoDecisions(this.#sql))
  }

  get reviewList(): Engine['reviewList'] {
    return this.#once('reviewList', () => createSqliteReviewList(this.#connections.data, this.#connections.control))
  }

  get scans(): Engine['scans'] {
    return this.#once('scans', () => openFolderScans(this.#layout, this.#clock))
  }

  get jobs(): Engine['jobs'] {
    return this.#once('jobs', () => {
      const folders = createJobFolders(this.#layout.jobs)
      return createJobs({ db: this.#sql, locks: createSqliteJobLocks(folders), folders, clock: this.#clock })
    })
  }

  get webhooks(): Engine['webhooks'] {
    return this.#once('webhooks', () => createWebhooks(this.#sql))
  }

  get events(): Engine['events'] {
    return this.#once('events', () => createEventQueue(this.#sql))
  }

  async prepare(): Promise<void> {
    // Reading these members opens the connections.
    this.#connections.control
    this.#connections.data
    renameOldDownloads(this.#files.downloads, this.#callbacks.onReplaced)
  }

  failures(): readonly StoreFailureCount[] {
    return this.#failures.list()
  }

  watch(what: 'keys' | 'data', listener: WatchListener): Watch {
    return watchCommits(what === 'keys' ? this.#connections.control : this.#connections.data, watchEveryMs, listener)
  }

  async openWriter({ dryRun }: WriterOptions): Promise<DataWriter> {
    return closeOnError(own => {
      // Checkpoint less often than SQLite's default: consecutive batches rewrite the same pages.
      const ids = own(this.#connections.openControl({ cacheMb: 64, logMb: 64 }))
      const control = dryRun ? own(copyAndClose(ids)) : ids
      const data = own(this.#connections.openData({ cacheMb: 512, logMb: 256 }))
      const writer = createSqliteWriter({
        control,
        data,
        decisions: this.#decisions(control),
        clock: this.#clock,
        dryRun,
      })
      return dryRun ? createDryWriter(writer) : writer
    })
  }

  async openFeedSource(): Promise<FeedSource> {
    return closeOnError(own => openSqliteFeedSource(own(this.#connections.openData({ cacheMb: 32 }))))
  }

  async openFeedDownloads(): Promise<FeedDownloads> {
    this.#connections.requireOpen()
    mkdirSync(dirname(this.#files.downloads), { recursive: true })
    return openSqliteFeedDownloads(this.#files.downloads, this.#clock.nowMs(), this.#callbacks)
  }

  async openRequestLogWriter(): Promise<RequestLogWriter> {
    this.#connections.requireOpen()
    return openSqliteRequestLogWriter(this.#files.requests, this.#callbacks)
  }

  async openStoreCopy(): Promise<StoreCopy> {
    await this.prepare()
    return openSqliteStoreCopy(this.#files, this.#layout.root)
  }

  async joinCluster(): Promise<Cluster> {
    throw new StoreError('A data folder with stores of its own has one node. Set store to the URL of a database.')
  }

  integrityChecks(scope: 'copy' | 'everything'): readonly IntegrityCheck[] {
    return createSqliteChecks(scope, {
      control: () => this.#connections.control,
      data: () => this.#connections.checkedData,
      files: this.#files,
      root: this.#layout.root,
    })
  }

  async close(): Promise<void> {
    this.#requests.close()
    this.#connections.close()
    this.#created.clear()
  }

  get #sql(): SqlDatabase {
    return this.#once('sql', () => createSqliteDatabase(this.#connections.control))
  }

  #decisions(control: Sqlite): Decisions {
    return createSqliteDecisions(control, loadPepper(this.#layout))
  }

  #once<T>(name: string, create: () => T): T {
    if (!this.#created.has(name)) this.#created.set(name, create())
    return this.#created.get(name) as T
  }
}
