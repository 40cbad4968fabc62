import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Ledger } from '../../domain/ledger.ts'
import type {
  ChangeLog,
  DataWriter,
  Engine,
  EngineDescriptor,
  FeedDownloads,
  FeedSource,
  IntegrityCheck,
  KeyAdmin,
  LocationReader,
  Locks,
  PlaceTextSource,
  ReviewModeration,
  ReviewReader,
  StoreCopy,
  Upkeep,
  Watch,
  WatchListener,
} from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Layout } from '../folder/layout.ts'
import { pepperOf } from '../folder/pepper.ts'
import { sqliteChangeLog } from './change-log.ts'
import { type Decisions, sqliteDecisions } from './decisions.ts'
import { renameOldDownloads, sqliteFeedDownloads } from './feed-downloads.ts'
import { sqliteFeedSource } from './feed-source.ts'
import { type SqliteFiles, sqliteFiles } from './files.ts'
import { sqliteChecks } from './integrity.ts'
import { sqliteKeys } from './keys.ts'
import { sqliteLedger } from './ledger.ts'
import { sqliteLocations } from './locations.ts'
import { sqliteLocks } from './locks.ts'
import { controlMigrations } from './migrations/control.ts'
import { dataMigrations } from './migrations/data.ts'
import { sqliteModeration } from './moderation.ts'
import { copyOf, openSqlite, type Sqlite } from './open.ts'
import { sqlitePlaceTexts } from './place-texts.ts'
import { sqliteReviews } from './reviews.ts'
import { sqliteStoreCopy } from './store-copy.ts'
import { sqliteUpkeep } from './upkeep.ts'
import { watchCommits } from './watch.ts'
import { sqliteWriter } from './writer.ts'

/** Interval of the checks for commits of other processes, milliseconds (ARCHITECTURE.md). */
const watchEveryMs = 250

/** Settings of a connection that differ by what it is used for. */
interface Tuning {
  readonly cacheMb: number
  readonly logMb?: number
  readonly mapped?: boolean
  readonly readonly?: boolean
}

/** The engine of a single machine: SQLite files in the data folder. */
export class SqliteEngine implements Engine {
  readonly descriptor: EngineDescriptor
  readonly locks: Locks
  readonly upkeep: Upkeep
  readonly #layout: Layout
  readonly #files: SqliteFiles
  readonly #clock: Clock
  readonly #open = new Map<string, Sqlite>()
  readonly #made = new Map<string, unknown>()

  constructor(layout: Layout, clock: Clock) {
    this.descriptor = { kind: 'sqlite', folder: layout.root }
    this.#layout = layout
    this.#files = sqliteFiles(layout)
    this.#clock = clock
    this.locks = sqliteLocks(this.#files)
    this.upkeep = sqliteUpkeep({
      files: this.#files,
      locks: this.locks,
      nowMs: () => clock.nowMs(),
      control: () => this.#control,
      openData: () => this.#openData({ cacheMb: 64 }),
    })
  }

  get locations(): LocationReader {
    return this.#once('locations', () => sqliteLocations(this.#data))
  }

  get reviews(): ReviewReader {
    return this.#once('reviews', () => sqliteReviews(this.#data))
  }

  get changes(): ChangeLog {
    return this.#once('changes', () => sqliteChangeLog(this.#data))
  }

  get texts(): PlaceTextSource {
    const open = () => this.#openData({ cacheMb: 16, mapped: true, readonly: true })
    return this.#once('texts', () => sqlitePlaceTexts(this.#shared('texts', open)))
  }

  get keys(): KeyAdmin {
    return this.#once('keys', () => sqliteKeys(this.#control))
  }

  get ledger(): Ledger {
    return this.#once('ledger', () => sqliteLedger(this.#control))
  }

  get moderation(): ReviewModeration {
    return this.#once('moderation', () => {
      const data = this.#shared('moderation', () => this.#openData({ cacheMb: 64 }))
      return sqliteModeration(this.#control, data, this.#decisions(this.#control), this.#clock)
    })
  }

  async prepare(): Promise<void> {
    this.#control
    this.#data
    renameOldDownloads(this.#files.downloads)
  }

  watch(what: 'keys' | 'data', listener: WatchListener): Watch {
    return watchCommits(what === 'keys' ? this.#control : this.#data, watchEveryMs, listener)
  }

  async openWriter({ dryRun }: { readonly dryRun: boolean }): Promise<DataWriter> {
    // Checkpoint less often than SQLite's default: consecutive batches rewrite the same pages.
    const ids = this.#openControl({ cacheMb: 64, logMb: 64 })
    const control = dryRun ? copyOf(ids) : ids
    const data = this.#openData({ cacheMb: 512, logMb: 256 })
    return sqliteWriter({ control, data, decisions: this.#decisions(control), clock: this.#clock, dryRun })
  }

  async openFeedSource(): Promise<FeedSource> {
    return sqliteFeedSource(this.#openData({ cacheMb: 32 }))
  }

  async openFeedDownloads(): Promise<FeedDownloads> {
    mkdirSync(dirname(this.#files.downloads), { recursive: true })
    return sqliteFeedDownloads(this.#files.downloads, this.#clock.nowMs())
  }

  async openStoreCopy(): Promise<StoreCopy> {
    return sqliteStoreCopy(this.#files, this.#layout.root)
  }

  integrityChecks(scope: 'copy' | 'everything'): readonly IntegrityCheck[] {
    const data = () => this.#shared('checks', () => this.#openData({ cacheMb: 64, mapped: true }))
    return sqliteChecks(scope, { control: () => this.#control, data, controlFile: this.#files.control })
  }

  async close(): Promise<void> {
    for (const db of this.#open.values()) db.close()
    this.#open.clear()
    this.#made.clear()
  }

  get #control(): Sqlite {
    return this.#shared('control', () => this.#openControl({ cacheMb: 16 }))
  }

  get #data(): Sqlite {
    return this.#shared('data', () => this.#openData({ cacheMb: 16, mapped: true }))
  }

  #openControl(tuning: Tuning): Sqlite {
    return openSqlite(this.#files.control, controlMigrations, { synchronous: 'FULL', ...tuning })
  }

  #openData(tuning: Tuning): Sqlite {
    return openSqlite(this.#files.data, dataMigrations, { synchronous: 'NORMAL', ...tuning })
  }

  #decisions(control: Sqlite): Decisions {
    return sqliteDecisions(control, pepperOf(this.#layout.pepper))
  }

  #shared(name: string, open: () => Sqlite): Sqlite {
    const known = this.#open.get(name)
    if (known) return known
    const opened = open()
    this.#open.set(name, opened)
    return opened
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make())
    return this.#made.get(name) as T
  }
}
