import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TokenStore } from '../../domain/admin-token.ts'
import type { AuditLog } from '../../domain/audit-log.ts'
import type { IntegrityCheck } from '../../domain/data-folder.ts'
import type {
  ChangeLog,
  DataWriter,
  LocationReader,
  PlaceTextSource,
  ReviewModeration,
  ReviewReader,
} from '../../domain/data-stores.ts'
import type { EventQueue, WebhookAdmin } from '../../domain/event-store.ts'
import type { UsageExports } from '../../domain/exported-usage.ts'
import type { FeedDownloads, FeedSource } from '../../domain/feed-stores.ts'
import type { IdempotencyStore } from '../../domain/idempotency.ts'
import type { JobStore } from '../../domain/job.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { People } from '../../domain/people.ts'
import type { PlaceDecisions } from '../../domain/places.ts'
import type { RequestLog, RequestLogWriter } from '../../domain/request-log.ts'
import type { ReviewList } from '../../domain/review-list.ts'
import type { ReplacedFile, StoreFailure, StoreFailureCount } from '../../domain/store-errors.ts'
import type { Engine, EngineDescriptor, Locks, StoreCopy, Upkeep, Watch, WatchListener } from '../../domain/stores.ts'
import type { UpgradeStore } from '../../domain/upgrade.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import { closeOnError } from '../connection.ts'
import type { Layout } from '../folder/layout.ts'
import { loadPepper } from '../folder/pepper.ts'
import { createSqliteTokens } from './admin-tokens.ts'
import { createSqliteAudit } from './audit.ts'
import { createSqliteChangeLog } from './change-log.ts'
import { createSqliteDecisions, type Decisions } from './decisions.ts'
import { createSqliteEventQueue } from './event-queue.ts'
import type { FailureCounts } from './failure-counts.ts'
import { openSqliteFeedDownloads, renameOldDownloads } from './feed-downloads.ts'
import { openSqliteFeedSource } from './feed-source.ts'
import { getSqliteFiles, type SqliteFiles } from './files.ts'
import { createSqliteIdempotency } from './idempotency.ts'
import { createSqliteChecks } from './integrity.ts'
import { createSqliteJobs } from './jobs.ts'
import { createSqliteKeys } from './keys.ts'
import { createSqliteLedger } from './ledger.ts'
import { createSqliteLocations } from './locations.ts'
import { createSqliteLocks } from './locks.ts'
import { controlMigrations } from './migrations/control.ts'
import { dataMigrations } from './migrations/data.ts'
import { createSqliteModeration } from './moderation.ts'
import { copyAndClose, openSqlite } from './open.ts'
import { createSqlitePeople } from './people.ts'
import { createSqlitePlaceTexts } from './place-texts.ts'
import { createSqlitePlaces } from './places.ts'
import { createSqliteRequestLog, type SqliteRequestLog } from './request-log.ts'
import { openSqliteRequestLogWriter } from './request-log-writer.ts'
import { createSqliteReviewList } from './review-list.ts'
import { createSqliteReviews } from './reviews.ts'
import { openSqliteStoreCopy } from './store-copy.ts'
import { createSqliteUpgrades } from './upgrades.ts'
import { createSqliteUpkeep } from './upkeep.ts'
import { createSqliteUsageExports } from './usage-exports.ts'
import { watchCommits } from './watch.ts'
import { createSqliteWebhooks } from './webhooks.ts'
import { createSqliteWriter } from './writer.ts'

/** Interval between checks for commits of other processes, in milliseconds (ARCHITECTURE.md). */
const watchEveryMs = 250

/** Settings of a connection that depend on its use. */
interface Tuning {
  readonly cacheMb: number
  readonly logMb?: number
  readonly mapped?: boolean
  readonly readonly?: boolean
}

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
  readonly #layout: Layout
  readonly #files: SqliteFiles
  readonly #clock: Clock
  readonly #failures: FailureCounts
  readonly #onReplaced: (replaced: ReplacedFile) => void
  readonly #open = new Map<string, Sqlite>()
  readonly #requests: SqliteRequestLog
  readonly #created = new Map<string, unknown>()
  #isClosed = false

  constructor(layout: Layout, { clock, failures, onReplaced }: SqliteEngineParts) {
    this.descriptor = { kind: 'sqlite', folder: layout.root, failures: failures.shared }
    this.#failures = failures
    this.#onReplaced = onReplaced
    this.#layout = layout
    this.#files = getSqliteFiles(layout)
    this.#clock = clock
    this.locks = createSqliteLocks(this.#files, onReplaced)
    this.#requests = createSqliteRequestLog(this.#files.requests, this.#counting)
    this.upkeep = createSqliteUpkeep({
      files: this.#files,
      locks: this.locks,
      nowMs: () => clock.nowMs(),
      control: () => this.#control,
      openData: () => this.#openData({ cacheMb: 64 }),
    })
  }

  get locations(): LocationReader {
    return this.#once('locations', () => createSqliteLocations(this.#data))
  }

  get reviews(): ReviewReader {
    return this.#once('reviews', () => createSqliteReviews(this.#data))
  }

  get changes(): ChangeLog {
    return this.#once('changes', () => createSqliteChangeLog(this.#data))
  }

  get texts(): PlaceTextSource {
    const open = () => this.#openData({ cacheMb: 16, mapped: true, readonly: true })
    return this.#once('texts', () => createSqlitePlaceTexts(this.#shared('texts', open)))
  }

  get keys(): KeyAdmin {
    return this.#once('keys', () => createSqliteKeys(this.#control))
  }

  get people(): People {
    return this.#once('people', () => createSqlitePeople(this.#control))
  }

  get idempotency(): IdempotencyStore {
    return this.#once('idempotency', () => createSqliteIdempotency(this.#control))
  }

  get tokens(): TokenStore {
    return this.#once('tokens', () => createSqliteTokens(this.#control))
  }

  get upgrades(): UpgradeStore {
    return this.#once('upgrades', () => createSqliteUpgrades(this.#control))
  }

  get audit(): AuditLog {
    return this.#once('audit', () => createSqliteAudit(this.#control))
  }

  get ledger(): Ledger {
    return this.#once('ledger', () => createSqliteLedger(this.#control))
  }

  get usageExports(): UsageExports {
    return this.#once('usageExports', () => createSqliteUsageExports(this.#control))
  }

  get requests(): RequestLog {
    this.#requireOpen()
    return this.#requests
  }

  get moderation(): ReviewModeration {
    return this.#once('moderation', () => {
      const data = this.#shared('moderation', () => this.#openData({ cacheMb: 64 }))
      return createSqliteModeration(this.#control, data, this.#decisions(this.#control), this.#clock)
    })
  }

  get places(): PlaceDecisions {
    return this.#once('places', () => {
      const data = this.#shared('moderation', () => this.#openData({ cacheMb: 64 }))
      return createSqlitePlaces(this.#control, data, this.#clock)
    })
  }

  get reviewList(): ReviewList {
    return this.#once('reviewList', () => createSqliteReviewList(this.#data, this.#control))
  }

  get jobs(): JobStore {
    const { jobs: folder } = this.#layout
    return this.#once('jobs', () => createSqliteJobs({ control: this.#control, folder, clock: this.#clock }))
  }

  get webhooks(): WebhookAdmin {
    return this.#once('webhooks', () => createSqliteWebhooks(this.#control))
  }

  get events(): EventQueue {
    return this.#once('events', () => createSqliteEventQueue(this.#control))
  }

  async prepare(): Promise<void> {
    this.#control
    this.#data
    renameOldDownloads(this.#files.downloads, this.#onReplaced)
  }

  failures(): readonly StoreFailureCount[] {
    return this.#failures.list()
  }

  watch(what: 'keys' | 'data', listener: WatchListener): Watch {
    return watchCommits(what === 'keys' ? this.#control : this.#data, watchEveryMs, listener)
  }

  async openWriter({ dryRun }: { readonly dryRun: boolean }): Promise<DataWriter> {
    return closeOnError(own => {
      // Checkpoint less often than SQLite's default: consecutive batches rewrite the same pages.
      const ids = own(this.#openControl({ cacheMb: 64, logMb: 64 }))
      const control = dryRun ? own(copyAndClose(ids)) : ids
      const data = own(this.#openData({ cacheMb: 512, logMb: 256 }))
      return createSqliteWriter({ control, data, decisions: this.#decisions(control), clock: this.#clock, dryRun })
    })
  }

  async openFeedSource(): Promise<FeedSource> {
    return closeOnError(own => openSqliteFeedSource(own(this.#openData({ cacheMb: 32 }))))
  }

  async openFeedDownloads(): Promise<FeedDownloads> {
    this.#requireOpen()
    mkdirSync(dirname(this.#files.downloads), { recursive: true })
    return openSqliteFeedDownloads(this.#files.downloads, this.#clock.nowMs(), {
      ...this.#counting,
      onReplaced: this.#onReplaced,
    })
  }

  async openRequestLogWriter(): Promise<RequestLogWriter> {
    this.#requireOpen()
    return openSqliteRequestLogWriter(this.#files.requests, { ...this.#counting, onReplaced: this.#onReplaced })
  }

  async openStoreCopy(): Promise<StoreCopy> {
    this.#requireOpen()
    await this.prepare()
    return openSqliteStoreCopy(this.#files, this.#layout.root)
  }

  integrityChecks(scope: 'copy' | 'everything'): readonly IntegrityCheck[] {
    const data = () => this.#shared('checks', () => this.#openData({ cacheMb: 64, mapped: true }))
    return createSqliteChecks(scope, {
      control: () => this.#control,
      data,
      files: this.#files,
      root: this.#layout.root,
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#requests.close()
    for (const db of this.#open.values()) db.close()
    this.#open.clear()
    this.#created.clear()
  }

  get #control(): Sqlite {
    return this.#shared('control', () => this.#openControl({ cacheMb: 16 }))
  }

  get #data(): Sqlite {
    return this.#shared('data', () => this.#openData({ cacheMb: 16, mapped: true }))
  }

  #openControl(tuning: Tuning): Sqlite {
    this.#requireOpen()
    return openSqlite(this.#files.control, controlMigrations, { synchronous: 'FULL', ...tuning, ...this.#counting })
  }

  #openData(tuning: Tuning): Sqlite {
    this.#requireOpen()
    return openSqlite(this.#files.data, dataMigrations, { synchronous: 'NORMAL', ...tuning, ...this.#counting })
  }

  readonly #counting = { onFailure: (failure: StoreFailure) => this.#failures.add(failure, this.#clock.nowMs()) }

  /** Throws after `close`: a connection that is opened later would never be closed. */
  #requireOpen(): void {
    if (this.#isClosed) throw new Error('The engine is closed.')
  }

  #decisions(control: Sqlite): Decisions {
    return createSqliteDecisions(control, loadPepper(this.#layout))
  }

  #shared(name: string, open: () => Sqlite): Sqlite {
    const known = this.#open.get(name)
    if (known) return known
    const opened = open()
    this.#open.set(name, opened)
    return opened
  }

  #once<T>(name: string, create: () => T): T {
    if (!this.#created.has(name)) this.#created.set(name, create())
    return this.#created.get(name) as T
  }
}
