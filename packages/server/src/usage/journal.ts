import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { open as openFolder } from 'node:fs/promises'
import type { AppendResult, JournalFailure, UsageRecord } from '../domain/usage.ts'
import { encodeBatch, findEndOfLastBatch } from './batch-frame.ts'
import { type FileSystem, journalPath, listJournalSync, nodeFileSystem } from './journal-files.ts'
import type { JournalPosition } from './journal-position.ts'
import { encodeRecord } from './record.ts'

/** Options of a journal. */
export interface JournalOptions {
  /** Size in bytes after which the journal continues in a new file. */
  readonly rotateBytes?: number
  /** Maximum time before a written batch is flushed to disk, in milliseconds. */
  readonly syncAfterMs?: number
  /** Interval of write attempts while the disk fails, in milliseconds. */
  readonly probeEveryMs?: number
  readonly files?: FileSystem
  /** Runs work at the end of the turn of the event loop. */
  readonly endOfTurn?: (work: () => void) => void
}

/**
 * The append-only journal of all calls. The records of one turn of the event loop form one batch and one write. The promise of
 * a record resolves after that write, so that a call whose response was sent survives a kill -9.
 */
export class Journal {
  readonly #folder: string
  readonly #files: FileSystem
  readonly #rotateBytes: number
  readonly #syncAfterMs: number
  readonly #probeEveryMs: number
  readonly #endOfTurn: (work: () => void) => void
  #file: number
  #fd: number
  #size: number
  #lines = ''
  #pendingRecords = 0
  #records = 0
  #turn: { readonly written: Promise<AppendResult>; readonly resolve: (outcome: AppendResult) => void } | undefined
  #failure: JournalFailure | undefined
  #syncTimer: NodeJS.Timeout | undefined
  #syncing: Promise<void> | undefined
  #probeTimer: NodeJS.Timeout | undefined

  /** Opens the journal in `folder`, creates it if missing, and truncates an incomplete batch that a crash left. */
  constructor(folder: string, options: JournalOptions = {}) {
    this.#folder = folder
    this.#files = options.files ?? nodeFileSystem
    this.#rotateBytes = options.rotateBytes ?? 64 * 1024 * 1024
    this.#syncAfterMs = options.syncAfterMs ?? 500
    this.#probeEveryMs = options.probeEveryMs ?? 1000
    this.#endOfTurn = options.endOfTurn ?? setImmediate
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const last = listJournalSync(folder).at(-1)
    this.#file = last === undefined ? 1 : last.form === 'plain' ? last.number : last.number + 1
    const path = journalPath(folder, this.#file)
    this.#size = existsSync(path) ? findEndOfLastBatch(readFileSync(path)) : 0
    this.#fd = this.#files.open(path)
    this.#files.truncate(this.#fd, this.#size)
    this.#syncFolder()
  }

  /** Adds a record to the batch of this turn. All records of a turn share one promise. */
  append(record: UsageRecord): Promise<AppendResult> {
    this.#lines += `${encodeRecord(record)}\n`
    this.#pendingRecords++
    if (!this.#turn) {
      const { promise, resolve } = Promise.withResolvers<AppendResult>()
      this.#turn = { written: promise, resolve }
      this.#endOfTurn(() => this.#flush())
    }
    return this.#turn.written
  }

  /** Returns the last failure; undefined if the last write or sync succeeded. */
  failure(): JournalFailure | undefined {
    return this.#failure
  }

  /** Returns the position of the next batch. */
  end(): JournalPosition {
    return { file: this.#file, offset: this.#size }
  }

  /** Number of records written since the journal was opened. */
  get records(): number {
    return this.#records
  }

  /** Flushes the written batches to disk. */
  async sync(): Promise<void> {
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    await this.#syncing
    this.#syncing = this.#files.sync(this.#fd).catch(error => void this.#fail(error))
    await this.#syncing
    this.#syncing = undefined
  }

  /** Writes and syncs the open batch, and closes the file. */
  async close(): Promise<void> {
    this.#flush()
    await this.sync()
    clearTimeout(this.#probeTimer)
    this.#files.close(this.#fd)
  }

  #flush(): void {
    const turn = this.#turn
    if (!turn) return
    const batch = encodeBatch(this.#lines)
    this.#lines = ''
    this.#turn = undefined
    const failure = this.#write(batch)
    if (!failure) {
      this.#size += batch.length
      this.#records += this.#pendingRecords
      this.#syncTimer ??= setTimeout(() => void this.sync(), this.#syncAfterMs)
      if (this.#size >= this.#rotateBytes) this.#rotate()
    }
    this.#pendingRecords = 0
    turn.resolve(failure ?? 'written')
  }

  /** Writes a complete batch. If this fails, truncates the written part, so that no part of the batch is counted. */
  #write(batch: Buffer): JournalFailure | undefined {
    try {
      for (let done = 0; done < batch.length; ) {
        done += this.#files.write(this.#fd, batch, done, this.#size + done)
      }
      this.#recovered()
      return undefined
    } catch (error) {
      this.#truncate()
      return this.#fail(error)
    }
  }

  /** Truncates an incomplete batch. If this fails, the next write overwrites it, and readers skip it. */
  #truncate(): void {
    try {
      this.#files.truncate(this.#fd, this.#size)
    } catch {}
  }

  /** Opens the next file before it closes the old one. If that fails, the journal continues in the old file. */
  #rotate(): void {
    const old = this.#fd
    try {
      this.#fd = this.#files.open(journalPath(this.#folder, this.#file + 1))
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#file++
    this.#size = 0
    this.#syncFolder()
    void (this.#syncing ?? Promise.resolve())
      .then(() => this.#files.sync(old))
      .finally(() => this.#files.close(old))
      .catch(error => this.#fail(error))
  }

  /** Flushes the folder, so that the name of a new file is on disk. */
  #syncFolder(): void {
    void openFolder(this.#folder)
      .then(folder => folder.sync().finally(() => folder.close()))
      .catch(error => this.#fail(error))
  }

  #fail(error: unknown): JournalFailure {
    // Never throws: it runs in timers, where an error would end the process.
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException
    this.#failure = { code, reason: `The usage journal cannot be written (${code}).` }
    this.#probeTimer ??= setTimeout(() => void this.#probe(), this.#probeEveryMs).unref()
    return this.#failure
  }

  #recovered(): void {
    this.#failure = undefined
    clearTimeout(this.#probeTimer)
    this.#probeTimer = undefined
  }

  /** Checks if the disk works again: writes some blocks after the end, truncates them, and syncs. */
  async #probe(): Promise<void> {
    this.#probeTimer = undefined
    const block = Buffer.alloc(65_536)
    try {
      const written = this.#files.write(this.#fd, block, 0, this.#size)
      this.#truncate()
      await this.#files.sync(this.#fd)
      if (written === block.length) this.#recovered()
      else this.#fail(Object.assign(new Error('short write'), { code: 'ENOSPC' }))
    } catch (error) {
      this.#truncate()
      this.#fail(error)
    }
  }
}
