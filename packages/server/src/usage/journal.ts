import { mkdirSync } from 'node:fs'
import { open as openFolder } from 'node:fs/promises'
import type { FoldedFile } from '../domain/ledger.ts'
import type { AppendResult, JournalFailure, UsageRecord } from '../domain/usage.ts'
import { encodeBatch } from './batch-frame.ts'
import { chooseFile, isCompressed } from './choose-file.ts'
import { type FileSystem, findNextNumber, listTakenNumbers, nodeFileSystem } from './journal-files.ts'
import type { JournalDamage } from './journal-losses.ts'
import type { JournalPosition } from './journal-position.ts'
import { OpenFile, type Restoration, writeAll } from './open-file.ts'
import { RecentBytes } from './recent-bytes.ts'
import { encodeRecord } from './record.ts'
import { WriteState } from './write-state.ts'

/** Options of a journal. */
export interface JournalOptions {
  /** Size in bytes after which the journal continues in a new file. */
  readonly rotateBytes?: number
  /** Maximum time before a written batch is flushed to disk, in milliseconds. */
  readonly syncAfterMs?: number
  /** Interval of write attempts while the disk fails, in milliseconds. */
  readonly probeEveryMs?: number
  /** Minimum time between two checks that the open files are where they were, in milliseconds. */
  readonly checkEveryMs?: number
  readonly files?: FileSystem
  /** Runs work at the end of the turn of the event loop. */
  readonly endOfTurn?: (work: () => void) => void
  /** The files that the ledger knows; new files are numbered after them. */
  readonly known?: readonly FoldedFile[]
  /** Creates the folder of the journal again, unless it is there. */
  readonly createFolder?: () => void
  /** Called with the number of the file that the journal continues in. */
  readonly onFile?: (number: number) => void
  /** Called when an open file was removed, replaced or shortened, and has been written again. */
  readonly onRestored?: (restoration: Restoration) => void
  /** Called when writing begins to fail, and with undefined when it works again. */
  readonly onFailure?: (failure: JournalFailure | undefined) => void
}

/** Number of bytes that are kept in memory, in case the file is shortened: about a second of calls under full load. */
const recentBytes = 8 * 1024 * 1024
/** Maximum number of complete files that are open until the ledger has them. */
const maxUnfolded = 32

/**
 * The append-only journal of all calls. The records of one turn of the event loop form one batch and one write. The
 * promise of a record resolves after that write, so that a call whose response was sent survives a kill -9.
 * Files that are removed, replaced or shortened while they are open are noticed and written again.
 */
export class Journal {
  readonly #folder: string
  readonly #files: FileSystem
  readonly #rotateBytes: number
  readonly #syncAfterMs: number
  readonly #state: WriteState
  readonly #endOfTurn: (work: () => void) => void
  readonly #checkEveryMs: number
  readonly #createFolder: () => void
  readonly #onFile: (number: number) => void
  readonly #onRestored: (restoration: Restoration) => void
  #current: OpenFile
  /** Complete files that the ledger does not have yet. */
  #unfolded: OpenFile[] = []
  /** Numbers of files that the ledger knows. */
  #reserved: readonly number[]
  readonly #recent = new RecentBytes(recentBytes)
  #checkedMs = 0
  /** True if the current file may have bytes after its last batch, because it could not be truncated. */
  #hasRemains = false
  #closed = false
  #lines = ''
  #pendingRecords = 0
  #records = 0
  #turn: { readonly written: Promise<AppendResult>; readonly resolve: (outcome: AppendResult) => void } | undefined
  #syncTimer: NodeJS.Timeout | undefined
  #syncing: Promise<void> | undefined
  /** Resolves after the syncs of complete files. */
  #completed: Promise<void> = Promise.resolve()

  /** Opens the journal in `folder`, creates it if missing, and truncates an incomplete batch that a crash left. */
  constructor(folder: string, options: JournalOptions = {}) {
    this.#folder = folder
    this.#files = options.files ?? nodeFileSystem
    this.#rotateBytes = options.rotateBytes ?? 64 * 1024 * 1024
    this.#syncAfterMs = options.syncAfterMs ?? 500
    this.#state = new WriteState({
      probe: () => this.#probe(),
      probeEveryMs: options.probeEveryMs ?? 1000,
      onChange: options.onFailure ?? (() => {}),
    })
    this.#endOfTurn = options.endOfTurn ?? setImmediate
    this.#checkEveryMs = options.checkEveryMs ?? 50
    this.#createFolder = options.createFolder ?? (() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
    this.#onFile = options.onFile ?? (() => {})
    this.#onRestored = options.onRestored ?? (() => {})
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const known = options.known ?? []
    this.#reserved = known.map(({ file }) => file)
    const { number, size } = chooseFile(folder, known)
    this.#current = this.#open(number, size)
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
    return this.#state.failure
  }

  /** Returns the position of the next batch. */
  end(): JournalPosition {
    return { file: this.#current.number, offset: this.#current.size }
  }

  /** Number of records written since the journal was opened. */
  get records(): number {
    return this.#records
  }

  /**
   * Reports that the ledger has the journal up to a position, and the numbers of all files after it. Closes the files
   * before it, and checks the others.
   */
  setFolded({ file, offset }: JournalPosition, reserved: readonly number[] = []): void {
    if (this.#closed) return
    this.#reserved = reserved
    const isFolded = ({ number }: OpenFile) => number < file
    for (const old of this.#unfolded.filter(isFolded)) this.#close(old)
    this.#unfolded = this.#unfolded.filter(old => !isFolded(old))
    if (this.#current.number === file) this.#current.setFolded(offset)
    this.#checkInBackground()
  }

  /**
   * Appends the batches in a damaged part of the journal again, if they are still in memory. Returns the number of
   * bytes that are not.
   */
  rewrite({ file, offset, bytes }: JournalDamage): number {
    if (this.#current.number !== file || this.#closed) return bytes
    const batches = this.#current.readRecent(offset, offset + bytes)
    if (batches.length < bytes || this.#write(batches)) return bytes
    return 0
  }

  /** Flushes the written batches to disk. */
  async sync(): Promise<void> {
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    await this.#syncing
    this.#checkInBackground()
    this.#syncing = this.#files.sync(this.#current.fd).catch(error => void this.#state.failed(error))
    await this.#syncing
    this.#syncing = undefined
  }

  /** Writes and syncs the open batch, and closes the file. */
  async close(): Promise<void> {
    this.#flush()
    this.#closed = true
    await this.#state.close()
    await this.sync()
    await this.#whenSynced()
    for (const { fd } of [...this.#unfolded, this.#current]) this.#files.close(fd)
  }

  #flush(): void {
    const turn = this.#turn
    if (!turn) return
    const batch = encodeBatch(this.#lines)
    this.#lines = ''
    this.#turn = undefined
    const failure = this.#write(batch)
    if (!failure) {
      this.#records += this.#pendingRecords
      this.#syncTimer ??= setTimeout(() => void this.sync(), this.#syncAfterMs)
      if (this.#current.size >= this.#rotateBytes) this.#rotate()
    }
    this.#pendingRecords = 0
    turn.resolve(failure ?? 'written')
  }

  /** Writes a complete batch. If this fails, truncates the written part, so that no part of the batch is counted. */
  #write(batch: Buffer): JournalFailure | undefined {
    try {
      // Under load a check for each batch would cost more than it is worth: a removed file is still in the descriptor.
      if (this.#state.failure || performance.now() - this.#checkedMs >= this.#checkEveryMs) this.#check()
      this.#writeBatch(batch)
      this.#current.advance(batch)
      this.#state.worked()
      return undefined
    } catch (error) {
      this.#truncate()
      return this.#state.failed(error)
    }
  }

  /**
   * Writes a batch after the last one. Over the remains of another batch, the first byte is written last: a write that
   * ends early must not become complete by bytes that were there before.
   */
  #writeBatch(batch: Buffer): void {
    const { fd, size } = this.#current
    if (this.#hasRemains) this.#truncate()
    if (!this.#hasRemains) {
      writeAll(this.#files, fd, batch, size)
      return
    }
    writeAll(this.#files, fd, Buffer.alloc(1), size)
    writeAll(this.#files, fd, batch.subarray(1), size + 1)
    writeAll(this.#files, fd, batch.subarray(0, 1), size)
  }

  /** Truncates an incomplete batch. If this fails, the next write overwrites it, and readers skip it. */
  #truncate(): void {
    try {
      this.#files.truncate(this.#current.fd, this.#current.size)
      this.#hasRemains = false
    } catch {
      this.#hasRemains = true
    }
  }

  /**
   * Writes the files that have been removed, replaced or shortened again, and continues in a new file. Throws an error
   * with a `code` if that fails.
   */
  #check(): void {
    this.#checkedMs = performance.now()
    let mustRotate = false
    for (const file of [...this.#unfolded, this.#current]) {
      const displacement = file.displacement()
      if (!displacement || (file !== this.#current && isCompressed(this.#folder, file.number))) continue
      this.#createFolder()
      const restoration = file.restore(displacement, close => void this.#whenSynced().finally(close))
      mustRotate ||= file === this.#current
      this.#onRestored(restoration)
    }
    if (mustRotate) this.#rotate()
  }

  #checkInBackground(): void {
    try {
      this.#check()
    } catch (error) {
      this.#state.failed(error)
    }
  }

  /** Opens the next file. If that fails, the journal continues in the old file. */
  #rotate(): void {
    const old = this.#current
    try {
      const taken = [...listTakenNumbers(this.#folder), ...this.#reserved]
      this.#current = this.#open(findNextNumber(old.number, taken), 0)
      this.#hasRemains = false
    } catch (error) {
      this.#state.failed(error)
      return
    }
    old.complete()
    this.#unfolded.push(old)
    if (this.#unfolded.length > maxUnfolded) this.#close(this.#unfolded.shift()!)
    this.#syncFolder()
    this.#completed = this.#whenSynced()
      .then(() => this.#files.sync(old.fd))
      .catch(error => void this.#state.failed(error))
  }

  #open(number: number, size: number): OpenFile {
    const file = new OpenFile(this.#folder, number, size, this.#files, this.#recent)
    this.#onFile(number)
    return file
  }

  /** Closes a complete file after the sync that may still use it. */
  #close({ fd }: OpenFile): void {
    void this.#whenSynced()
      .then(() => this.#files.close(fd))
      .catch(error => this.#state.failed(error))
  }

  /** Resolves after the syncs that have been started. */
  async #whenSynced(): Promise<void> {
    await Promise.all([this.#syncing, this.#completed])
  }

  /** Flushes the folder, so that the name of a new file is on disk. */
  #syncFolder(): void {
    void openFolder(this.#folder)
      .then(folder => folder.sync().finally(() => folder.close()))
      .catch(error => this.#state.failed(error))
  }

  /**
   * Checks if the disk works again: writes some blocks after the end, truncates them, and syncs. Throws if it does not.
   */
  async #probe(): Promise<void> {
    const block = Buffer.alloc(65_536)
    try {
      this.#check()
      const written = this.#files.write(this.#current.fd, block, 0, this.#current.size)
      this.#truncate()
      await this.#files.sync(this.#current.fd)
      if (written < block.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
    } catch (error) {
      this.#truncate()
      throw error
    }
  }
}
