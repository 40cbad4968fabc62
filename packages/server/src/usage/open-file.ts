import { fstatSync, readSync, renameSync, statSync } from 'node:fs'
import { type JournalEnd, writeAll } from './journal-end.ts'
import { type FileSystem, journalPath } from './journal-files.ts'

const chunkBytes = 1024 * 1024

/** Reason why the path of an open file no longer leads to its contents. */
export type Displacement = 'removed' | 'replaced' | 'shortened'

/** The result of `OpenFile.restore`. */
export interface Restoration {
  readonly file: number
  readonly displacement: Displacement
  /** Number of bytes that the ledger does not have and that could not be restored. */
  readonly lostBytes: number
}

/**
 * An open file of the journal. The contents of a file that was removed or replaced can still be read from its
 * descriptor; the latest bytes are also in memory, for a file that was shortened.
 */
export class OpenFile {
  readonly number: number
  readonly path: string
  readonly #files: FileSystem
  #fd: number
  #identity: { readonly dev: number; readonly ino: number }
  #size: number
  /** The end of the journal, while it is in this file. */
  #end: JournalEnd | undefined
  #foldedBytes = 0

  /** Opens a file, creates it if missing, and truncates it after its last complete batch, at `size`. */
  constructor(folder: string, number: number, size: number, files: FileSystem) {
    this.number = number
    this.path = journalPath(folder, number)
    this.#size = size
    this.#files = files
    this.#fd = files.open(this.path)
    files.truncate(this.#fd, size)
    this.#identity = fstatSync(this.#fd)
  }

  get fd(): number {
    return this.#fd
  }

  /** Length of the complete batches, in bytes. */
  get size(): number {
    return this.#end?.size ?? this.#size
  }

  /** The journal continues in this file. */
  begin(end: JournalEnd): void {
    end.begin(this.#fd, this.#size)
    this.#end = end
  }

  /** Returns the last bytes of a range of the file that are still in memory. */
  readRecent(from: number, to: number): Buffer {
    return this.#end?.recent.read(from, to) ?? Buffer.alloc(0)
  }

  /** Sets the number of bytes that the ledger has. */
  setFolded(bytes: number): void {
    this.#foldedBytes = bytes
  }

  /** No batches will be added. */
  complete(): void {
    this.#size = this.size
    this.#end = undefined
  }

  /** Returns how the file was displaced; undefined if its path still leads to all of its contents. */
  displacement(): Displacement | undefined {
    const found = statSync(this.path, { throwIfNoEntry: false })
    if (!found) return 'removed'
    if (found.ino !== this.#identity.ino || found.dev !== this.#identity.dev) return 'replaced'
    return found.size < this.size ? 'shortened' : undefined
  }

  /**
   * Writes the contents of a displaced file again, under its name and at the same offsets, so that the ledger continues
   * where it was. Another file in its place is renamed. `whenUnused` calls back when the old descriptor may be closed.
   * Throws an error with a `code` if the disk fails; the file is then still displaced.
   */
  restore(displacement: Displacement, whenUnused: (close: () => void) => void): Restoration {
    const available = Math.min(this.size, fstatSync(this.#fd).size)
    if (displacement === 'shortened') this.#writeRecent(this.#fd, available)
    else {
      const draft = `${this.path}.tmp`
      const fd = this.#files.open(draft)
      try {
        this.#files.truncate(fd, 0)
        this.#copy(fd, available)
        this.#writeRecent(fd, available)
        if (displacement === 'replaced') renameSync(this.path, findFreeName(`${this.path}.replaced`))
        renameSync(draft, this.path)
      } catch (error) {
        this.#files.close(fd)
        throw error
      }
      const old = this.#fd
      this.#fd = fd
      this.#end?.setDescriptor(fd)
      this.#identity = fstatSync(fd)
      whenUnused(() => this.#files.close(old))
    }
    const recentFrom = this.#end?.recent.start ?? this.size
    const lostBytes = Math.max(0, recentFrom - Math.max(available, this.#foldedBytes))
    return { file: this.number, displacement, lostBytes }
  }

  /** Copies the first bytes of the file. */
  #copy(to: number, bytes: number): void {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (let at = 0; at < bytes; ) {
      const length = readSync(this.#fd, chunk, 0, Math.min(chunkBytes, bytes - at), at)
      if (length === 0) return
      writeAll(this.#files, to, chunk.subarray(0, length), at)
      at += length
    }
  }

  /** Writes what is in memory after the first `available` bytes. */
  #writeRecent(to: number, available: number): void {
    const bytes = this.readRecent(available, this.size)
    writeAll(this.#files, to, bytes, this.size - bytes.length)
  }
}

function findFreeName(path: string): string {
  let name = path
  for (let i = 2; statSync(name, { throwIfNoEntry: false }); i++) name = `${path}-${i}`
  return name
}
