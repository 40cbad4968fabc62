import { lock, unlock } from '../kit/shared-lock.ts'
import { findBatches } from './batch-frame.ts'
import type { FileSystem } from './journal-files.ts'
import { RecentBytes } from './recent-bytes.ts'

/** The end of a journal in memory that threads share. */
export interface JournalEndMemory {
  readonly state: SharedArrayBuffer
  readonly recent: SharedArrayBuffer
}

/** Number of bytes that are kept in memory, in case the file is shortened: seconds of calls under full load. */
const recentBytes = 8 * 1024 * 1024
/** Maximum wait for the write of another thread, in milliseconds: the disk may be slow. */
const longestWriteMs = 5000
/** Layout of the state: a word with the lock, a code with its length before it, and numbers. */
const codeAt = 8
const maxCode = 31
const numbersAt = 40
const fdAt = 0
const sizeAt = 1
const remainsAt = 2
const recordsAt = 3
const recentAt = 4
const stateBytes = numbersAt + 6 * Float64Array.BYTES_PER_ELEMENT

/** Returns memory for the end of a journal. */
export const allocateJournalEnd = (): JournalEndMemory => ({
  state: new SharedArrayBuffer(stateBytes),
  recent: new SharedArrayBuffer(recentBytes),
})

/**
 * The end of the file that a journal writes to: where the next batch is written, and the last bytes. Threads that write
 * to one journal share it; each writes its own batches.
 */
export class JournalEnd {
  /** The last bytes of the file. */
  readonly recent: RecentBytes
  /** Number of the calling thread, from 1; 0 if the end is not shared. */
  readonly #thread: number
  readonly #maxWaitMs: number
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #numbers: Float64Array

  /** Opens a shared end for a thread, or creates one of the calling thread alone. */
  constructor(
    shared?: { readonly memory: JournalEndMemory; readonly thread: number },
    maxWaitMs: number = longestWriteMs,
  ) {
    this.#maxWaitMs = maxWaitMs
    const state = shared?.memory.state ?? new ArrayBuffer(stateBytes)
    const ring = shared ? Buffer.from(shared.memory.recent as unknown as ArrayBuffer) : undefined
    this.#thread = shared?.thread ?? 0
    this.#words = new Int32Array(state, 0, 2)
    this.#bytes = new Uint8Array(state, codeAt, numbersAt - codeAt)
    this.#numbers = new Float64Array(state, numbersAt)
    this.recent = new RecentBytes(ring ?? Buffer.allocUnsafeSlow(recentBytes), this.#numbers.subarray(recentAt))
  }

  /** True if other threads may write. */
  get isShared(): boolean {
    return this.#thread > 0
  }

  /** Length of the complete batches, in bytes. */
  get size(): number {
    return this.#numbers[sizeAt]!
  }

  /** Number of records that all threads have written. */
  get records(): number {
    return this.#numbers[recordsAt]!
  }

  /** Error code of the system while the journal cannot be written; undefined while it can. */
  get failure(): string | undefined {
    const length = Atomics.load(this.#bytes, 0)
    return length === 0 ? undefined : Buffer.from(this.#bytes.subarray(1, 1 + length)).toString('latin1')
  }

  set failure(code: string | undefined) {
    const text = code?.slice(0, maxCode) ?? ''
    for (let i = 0; i < text.length; i++) this.#bytes[1 + i] = text.charCodeAt(i)
    Atomics.store(this.#bytes, 0, text.length)
  }

  /**
   * Calls `work`, which must not wait, while no other thread uses the end. Throws an error with a `code` if another
   * thread does not release it in time: it may have ended, and is released when the owner of the threads has noticed.
   */
  exclusively<T>(work: () => T): T {
    if (!this.isShared) return work()
    const holder = lock(this.#words, 0, this.#thread, this.#maxWaitMs)
    if (holder !== 0)
      throw Object.assign(new Error(`Thread ${holder} does not release the journal.`), { code: 'EBUSY' })
    try {
      return work()
    } finally {
      unlock(this.#words, 0)
    }
  }

  /** Continues in a file of `size` bytes. */
  begin(fd: number, size: number): void {
    this.setDescriptor(fd)
    this.#numbers[sizeAt] = size
    this.#numbers[remainsAt] = 0
    this.recent.reset(size)
  }

  /** Sets the descriptor of the same contents. */
  setDescriptor(fd: number): void {
    this.#numbers[fdAt] = fd
  }

  /**
   * Writes a complete batch. If this fails, truncates the written part, so that no part of the batch is counted, and
   * throws an error with a `code`. Call it within `exclusively`.
   */
  write(files: FileSystem, batch: Buffer, records: number): void {
    try {
      this.#write(files, batch)
    } catch (error) {
      this.truncate(files)
      throw error
    }
    this.recent.append(batch)
    this.#numbers[sizeAt]! += batch.length
    this.#numbers[recordsAt]! += records
  }

  /** Truncates an incomplete batch. If this fails, the next write overwrites it, and readers skip it. */
  truncate(files: FileSystem): void {
    try {
      files.truncate(this.#numbers[fdAt]!, this.size)
      this.#numbers[remainsAt] = 0
    } catch {
      this.#numbers[remainsAt] = 1
    }
  }

  /**
   * Releases the end if a thread that has ended still uses it. A complete batch that the thread has written is kept,
   * because the ledger may have it already. `readAfter` returns the bytes of the file after an offset.
   */
  releaseFor(endedThread: number, files: FileSystem, readAfter: (fd: number, offset: number) => Buffer): void {
    if ((Atomics.load(this.#words, 0) & 0xffff) !== endedThread) return
    const [batch] = findBatches(readAfter(this.#numbers[fdAt]!, this.size))
    if (batch?.skipped === 0) this.#numbers[sizeAt]! += batch.end
    this.recent.reset(this.size)
    this.truncate(files)
    unlock(this.#words, 0)
  }

  /**
   * Writes a batch after the last one. Over the remains of another batch, the first byte is written last: a write that
   * ends early must not become complete by bytes that were there before.
   */
  #write(files: FileSystem, batch: Buffer): void {
    const fd = this.#numbers[fdAt]!
    if (this.#numbers[remainsAt] === 1) this.truncate(files)
    if (this.#numbers[remainsAt] === 0) {
      writeAll(files, fd, batch, this.size)
      return
    }
    writeAll(files, fd, Buffer.alloc(1), this.size)
    writeAll(files, fd, batch.subarray(1), this.size + 1)
    writeAll(files, fd, batch.subarray(0, 1), this.size)
  }
}

/** Writes a buffer completely. Throws an error with a `code`. */
export function writeAll(files: FileSystem, fd: number, buffer: Buffer, position: number): void {
  for (let done = 0; done < buffer.length; ) done += files.write(fd, buffer, done, position + done)
}
