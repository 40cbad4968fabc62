import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { open as openFolder } from 'node:fs/promises'
import type { Appended, JournalFailure, UsageRecord } from '../domain/usage.ts'
import { endOfLastBatch, frame } from './batch-frame.ts'
import { type FileSystem, journalPath, listJournalSync, nodeFileSystem } from './journal-files.ts'
import type { Position } from './position.ts'
import { encodeRecord } from './record.ts'

export interface JournalOptions {
  /** A file larger than this is followed by the next, bytes. */
  readonly rotateBytes?: number
  /** How long a written batch may lie in the system's memory before it is forced to disk, milliseconds. */
  readonly syncAfterMs?: number
  /** How often a failing disk is tried again, milliseconds. */
  readonly probeEveryMs?: number
  readonly files?: FileSystem
  /** Has work done at the end of the event loop's turn. */
  readonly endOfTurn?: (work: () => void) => void
}

/**
 * The append-only journal of all calls. Records of one turn of the event loop form one batch and one write; the
 * promise of a record resolves after that write has returned, so that its answer survives a kill -9.
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
  #waiting = 0
  #records = 0
  #turn: { readonly written: Promise<Appended>; readonly resolve: (outcome: Appended) => void } | undefined
  #failure: JournalFailure | undefined
  #syncTimer: NodeJS.Timeout | undefined
  #syncing: Promise<void> | undefined
  #probeTimer: NodeJS.Timeout | undefined

  /** Opens the journal in `folder`, making it if need be, and cuts off what a crash left of a batch. */
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
    this.#size = existsSync(path) ? endOfLastBatch(readFileSync(path)) : 0
    this.#fd = this.#files.open(path)
    this.#files.truncate(this.#fd, this.#size)
    this.#syncFolder()
  }

  /** Adds a record to this turn's batch. All records of a turn share one promise. */
  append(record: UsageRecord): Promise<Appended> {
    this.#lines += `${encodeRecord(record)}\n`
    this.#waiting++
    if (!this.#turn) {
      const { promise, resolve } = Promise.withResolvers<Appended>()
      this.#turn = { written: promise, resolve }
      this.#endOfTurn(() => this.#flush())
    }
    return this.#turn.written
  }

  /** Why the last write or sync failed; undefined when all is well. */
  failure(): JournalFailure | undefined {
    return this.#failure
  }

  /** Where the next batch will begin. */
  end(): Position {
    return { file: this.#file, offset: this.#size }
  }

  /** How many records were written since this journal was opened. */
  get records(): number {
    return this.#records
  }

  /** Forces to disk what has been written. */
  async sync(): Promise<void> {
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    await this.#syncing
    this.#syncing = this.#files.sync(this.#fd).catch(error => void this.#fail(error))
    await this.#syncing
    this.#syncing = undefined
  }

  /** Writes and syncs what is left, and closes the file. */
  async close(): Promise<void> {
    this.#flush()
    await this.sync()
    clearTimeout(this.#probeTimer)
    this.#files.close(this.#fd)
  }

  #flush(): void {
    const turn = this.#turn
    if (!turn) return
    const batch = frame(this.#lines)
    this.#lines = ''
    this.#turn = undefined
    const failure = this.#write(batch)
    if (!failure) {
      this.#size += batch.length
      this.#records += this.#waiting
      this.#syncTimer ??= setTimeout(() => void this.sync(), this.#syncAfterMs)
      if (this.#size >= this.#rotateBytes) this.#rotate()
    }
    this.#waiting = 0
    turn.resolve(failure ?? 'written')
  }

  /** Writes a batch whole, or takes back what got onto the disk, so that no part of it is ever counted. */
  #write(batch: Buffer): JournalFailure | undefined {
    try {
      for (let done = 0; done < batch.length; ) {
        done += this.#files.write(this.#fd, batch, done, this.#size + done)
      }
      this.#recovered()
      return undefined
    } catch (error) {
      this.#takeBack()
      return this.#fail(error)
    }
  }

  /** Where even this fails, the next write begins at the same place, and readers stop at a torn batch. */
  #takeBack(): void {
    try {
      this.#files.truncate(this.#fd, this.#size)
    } catch {}
  }

  /** The next file is opened before the old one is let go; where that fails, the old one goes on. */
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
      .catch(error => this.#fail(error))
      .finally(() => this.#files.close(old))
  }

  /** A new file's name has to reach the disk, too. */
  #syncFolder(): void {
    void openFolder(this.#folder)
      .then(folder => folder.sync().finally(() => folder.close()))
      .catch(error => this.#fail(error))
  }

  #fail(error: unknown): JournalFailure {
    const code = (error as NodeJS.ErrnoException).code
    if (code === undefined) throw error
    this.#failure = { code, reason: `The usage journal cannot be written (${code}).` }
    this.#probeTimer ??= setTimeout(() => void this.#probe(), this.#probeEveryMs).unref()
    return this.#failure
  }

  #recovered(): void {
    this.#failure = undefined
    clearTimeout(this.#probeTimer)
    this.#probeTimer = undefined
  }

  /** Tries whether there is room again: writes some blocks behind the end, syncs, and takes them back. */
  async #probe(): Promise<void> {
    this.#probeTimer = undefined
    const block = Buffer.alloc(65_536)
    try {
      const written = this.#files.write(this.#fd, block, 0, this.#size)
      this.#takeBack()
      await this.#files.sync(this.#fd)
      if (written === block.length) this.#recovered()
      else this.#fail(Object.assign(new Error('short write'), { code: 'ENOSPC' }))
    } catch (error) {
      this.#takeBack()
      this.#fail(error)
    }
  }
}
