import { fstatSync, mkdirSync, readSync } from 'node:fs'
import { open as openFolder } from 'node:fs/promises'
import type { FoldedFile } from '../domain/ledger.ts'
import { chooseFile, isCompressed } from './choose-file.ts'
import { JournalEnd, type JournalEndMemory } from './journal-end.ts'
import { type FileSystem, findNextNumber, listTakenNumbers, nodeFileSystem } from './journal-files.ts'
import type { JournalDamage } from './journal-losses.ts'
import type { JournalPosition } from './journal-position.ts'
import { OpenFile, type Restoration } from './open-file.ts'

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
  /** Memory of the end of the journal, if other threads write to it (journal-writer.ts). */
  readonly memory?: JournalEndMemory
  /** Maximum wait for a write of another thread, in milliseconds. */
  readonly maxWaitMs?: number
  /** Called with the number of the file that the journal continues in. */
  readonly onFile?: (number: number) => void
  /** Called when an open file was removed, replaced or shortened, and has been written again. */
  readonly onRestored?: (restoration: Restoration) => void
}

/** Number of the thread that owns the files. */
const ownThread = 1
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
  readonly #end: JournalEnd
  #checkedMs = 0
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
    this.#end = new JournalEnd(options.memory && { memory: options.memory, thread: ownThread }, options.maxWaitMs)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const known = options.known ?? []
    this.#reserved = known.map(({ file }) => file)
    const { number, size } = chooseFile(folder, known)
    this.#current = this.#open(number, size)
    this.#current.begin(this.#end)
    this.#syncFolder()
  }

  /** Returns the position of the next batch. */
  end(): JournalPosition {
    return this.#end.exclusively(() => ({ file: this.#current.number, offset: this.#end.size }))
  }

  /** Number of records that all threads have written. */
  get records(): number {
    return this.#end.records
  }

  /** Error code of a thread that could not write; undefined while writing works. */
  get failure(): string | undefined {
    return this.#end.failure
  }

  /** Reports to all threads that the journal can or cannot be written. */
  set failure(code: string | undefined) {
    this.#end.failure = code
  }

  /** Releases the end of the journal if a thread that has ended still uses it. */
  releaseFor(endedThread: number): void {
    this.#end.releaseFor(endedThread, this.#files, readAfter)
  }

  /**
   * Writes a complete batch. If this fails, truncates the written part, so that no part of the batch is counted, and
   * throws an error with a `code`. `mustCheck`: checks the open files even if a check was recent.
   */
  write(batch: Buffer, records: number, mustCheck: boolean): void {
    this.#end.exclusively(() => {
      // Under load a check for each batch would cost more than it is worth: a removed file is still in the descriptor.
      if (mustCheck || performance.now() - this.#checkedMs >= this.#checkEveryMs) this.#check()
      this.#end.write(this.#files, batch, records)
    })
  }

  /** Continues in a new file if the current one has its maximum size. */
  rotateIfFull(): void {
    if (this.#end.size >= this.#rotateBytes) this.#end.exclusively(() => this.#rotate())
  }

  /**
   * Writes the files that have been removed, replaced or shortened again, and continues in a new file. Throws an error
   * with a `code` if that fails.
   */
  check(): void {
    this.#end.exclusively(() => this.#check())
  }

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
    const batches = this.#end.exclusively(() => this.#current.readRecent(offset, offset + bytes))
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
    const written = this.#end.exclusively(() => {
      this.#check()
      try {
        return this.#files.write(this.#current.fd, block, 0, this.#end.size)
      } finally {
        this.#end.truncate(this.#files)
      }
    })
    await this.#files.sync(this.#current.fd)
    if (written < block.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
  }

  /** Closes all files after the syncs that may still use them. */
  async close(): Promise<void> {
    await this.#whenSynced()
    for (const { fd } of [...this.#unfolded, this.#current]) this.#files.close(fd)
  }

  /** Opens the next file. If that fails, the journal continues in the old file. */
  #rotate(): void {
    const old = this.#current
    try {
      const taken = [...listTakenNumbers(this.#folder), ...this.#reserved]
      this.#current = this.#open(findNextNumber(old.number, taken), 0)
    } catch (error) {
      this.#onFailure(error)
      return
    }
    old.complete()
    this.#current.begin(this.#end)
    this.#unfolded.push(old)
    if (this.#unfolded.length > maxUnfolded) this.#close(this.#unfolded.shift()!)
    this.#syncFolder()
    this.#completed = this.#whenSynced()
      .then(() => this.#files.sync(old.fd))
      .catch(this.#onFailure)
  }

  #open(number: number, size: number): OpenFile {
    const file = new OpenFile(this.#folder, number, size, this.#files)
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

/** Reads the bytes of a file after an offset. */
function readAfter(fd: number, offset: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - offset))
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset))
}
