import { mkdirSync } from 'node:fs'
import { open as openFolder } from 'node:fs/promises'
import type { FoldedFile } from '../domain/ledger.ts'
import { chooseFile, isCompressed } from './choose-file.ts'
import { type FileSystem, findNextNumber, listTakenNumbers, nodeFileSystem } from './journal-files.ts'
import type { JournalDamage } from './journal-losses.ts'
import type { JournalPosition } from './journal-position.ts'
import { OpenFile, type Restoration, writeAll } from './open-file.ts'
import { RecentBytes } from './recent-bytes.ts'

/** Options of the files of a journal. */
export interface OpenFilesOptions {
  /** Size in bytes after which the journal continues in a new file. */
  readonly rotateBytes?: number
  /** Minimum time between two checks that the open files are where they were, in milliseconds. */
  readonly checkEveryMs?: number
  readonly files?: FileSystem
  /** The files that the ledger knows; new files are numbered after them. */
  readonly known?: readonly FoldedFile[]
  /** Creates the folder of the journal again, unless it is there. */
  readonly createFolder?: () => void
  /** Called with the number of the file that the journal continues in. */
  readonly onFile?: (number: number) => void
  /** Called when an open file was removed, replaced or shortened, and has been written again. */
  readonly onRestored?: (restoration: Restoration) => void
}

/** Number of bytes that are kept in memory, in case the file is shortened: seconds of calls under full load. */
const recentBytes = 8 * 1024 * 1024
/** Maximum number of complete files that are open until the ledger has them. */
const maxUnfolded = 32

/**
 * The file that a journal writes to, and the complete files that the ledger does not have yet. Files that are removed,
 * replaced or shortened while they are open are noticed and written again.
 */
export class OpenFiles {
  readonly #folder: string
  readonly #files: FileSystem
  readonly #rotateBytes: number
  readonly #checkEveryMs: number
  readonly #createFolder: () => void
  readonly #onFile: (number: number) => void
  readonly #onRestored: (restoration: Restoration) => void
  readonly #onFailure: (error: unknown) => void
  #current: OpenFile
  /** Complete files that the ledger does not have yet. */
  #unfolded: OpenFile[] = []
  /** Numbers of files that the ledger knows. */
  #reserved: readonly number[]
  readonly #recent = new RecentBytes(recentBytes)
  #checkedMs = 0
  /** True if the current file may have bytes after its last batch, because it could not be truncated. */
  #hasRemains = false
  #syncing: Promise<void> | undefined
  /** Resolves after the syncs of complete files. */
  #completed: Promise<void> = Promise.resolve()

  /**
   * Opens the journal in `folder`, creates it if missing, and truncates an incomplete batch that a crash left.
   * `onFailure` is called with the errors of work that nobody waits for.
   */
  constructor(folder: string, options: OpenFilesOptions, onFailure: (error: unknown) => void) {
    this.#folder = folder
    this.#files = options.files ?? nodeFileSystem
    this.#rotateBytes = options.rotateBytes ?? 64 * 1024 * 1024
    this.#checkEveryMs = options.checkEveryMs ?? 50
    this.#createFolder = options.createFolder ?? (() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
    this.#onFile = options.onFile ?? (() => {})
    this.#onRestored = options.onRestored ?? (() => {})
    this.#onFailure = onFailure
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const known = options.known ?? []
    this.#reserved = known.map(({ file }) => file)
    const { number, size } = chooseFile(folder, known)
    this.#current = this.#open(number, size)
    this.#syncFolder()
  }

  /** Returns the position of the next batch. */
  end(): JournalPosition {
    return { file: this.#current.number, offset: this.#current.size }
  }

  /**
   * Writes a complete batch. If this fails, truncates the written part, so that no part of the batch is counted, and
   * throws an error with a `code`. `mustCheck`: checks the open files even if a check was recent.
   */
  write(batch: Buffer, mustCheck: boolean): void {
    try {
      // Under load a check for each batch would cost more than it is worth: a removed file is still in the descriptor.
      if (mustCheck || performance.now() - this.#checkedMs >= this.#checkEveryMs) this.check()
      this.#write(batch)
      this.#current.advance(batch)
    } catch (error) {
      this.#truncate()
      throw error
    }
  }

  /** Continues in a new file if the current one has its maximum size. */
  rotateIfFull(): void {
    if (this.#current.size >= this.#rotateBytes) this.#rotate()
  }

  /**
   * Writes the files that have been removed, replaced or shortened again, and continues in a new file. Throws an error
   * with a `code` if that fails.
   */
  check(): void {
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

  /**
   * The ledger has the journal up to a position: closes the files before it. `reserved` are the numbers of all files
   * after it.
   */
  setFolded({ file, offset }: JournalPosition, reserved: readonly number[]): void {
    this.#reserved = reserved
    const isFolded = ({ number }: OpenFile) => number < file
    for (const old of this.#unfolded.filter(isFolded)) this.#close(old)
    this.#unfolded = this.#unfolded.filter(old => !isFolded(old))
    if (this.#current.number === file) this.#current.setFolded(offset)
  }

  /** Returns the batches in a damaged part of the journal; undefined if they are no longer in memory. */
  readRecent({ file, offset, bytes }: JournalDamage): Buffer | undefined {
    if (this.#current.number !== file) return undefined
    const batches = this.#current.readRecent(offset, offset + bytes)
    return batches.length < bytes ? undefined : batches
  }

  /** Flushes the written batches to disk. */
  async sync(): Promise<void> {
    await this.#syncing
    this.#syncing = this.#files.sync(this.#current.fd).catch(this.#onFailure)
    await this.#syncing
    this.#syncing = undefined
  }

  /**
   * Checks if the disk works again: writes some blocks after the end, truncates them, and syncs. Throws if it does not.
   */
  async probe(): Promise<void> {
    const block = Buffer.alloc(65_536)
    try {
      this.check()
      const written = this.#files.write(this.#current.fd, block, 0, this.#current.size)
      this.#truncate()
      await this.#files.sync(this.#current.fd)
      if (written < block.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
    } catch (error) {
      this.#truncate()
      throw error
    }
  }

  /** Closes all files after the syncs that may still use them. */
  async close(): Promise<void> {
    await this.#whenSynced()
    for (const { fd } of [...this.#unfolded, this.#current]) this.#files.close(fd)
  }

  /**
   * Writes a batch after the last one. Over the remains of another batch, the first byte is written last: a write that
   * ends early must not become complete by bytes that were there before.
   */
  #write(batch: Buffer): void {
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

  /** Opens the next file. If that fails, the journal continues in the old file. */
  #rotate(): void {
    const old = this.#current
    try {
      const taken = [...listTakenNumbers(this.#folder), ...this.#reserved]
      this.#current = this.#open(findNextNumber(old.number, taken), 0)
      this.#hasRemains = false
    } catch (error) {
      this.#onFailure(error)
      return
    }
    old.complete()
    this.#unfolded.push(old)
    if (this.#unfolded.length > maxUnfolded) this.#close(this.#unfolded.shift()!)
    this.#syncFolder()
    this.#completed = this.#whenSynced()
      .then(() => this.#files.sync(old.fd))
      .catch(this.#onFailure)
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
      .catch(this.#onFailure)
  }

  /** Resolves after the syncs that have been started. */
  async #whenSynced(): Promise<void> {
    await Promise.all([this.#syncing, this.#completed])
  }

  /** Flushes the folder, so that the name of a new file is on disk. */
  #syncFolder(): void {
    void openFolder(this.#folder)
      .then(folder => folder.sync().finally(() => folder.close()))
      .catch(this.#onFailure)
  }
}
