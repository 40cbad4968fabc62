import { createHash } from 'node:crypto'
import type { RecordId } from '../domain/feed.ts'
import { CompressedFile } from './compressed-file.ts'

const chunkSize = 262_144
/** Hex digits of hashes compress to half their size at best, which the lowest level reaches. */
const level = 1

/**
 * Writes the digests of a set of records: lines `id hex(sha256)` in ascending order of id. The SHA-256 of the lines is
 * the checksum of the set.
 */
export class DigestWriter {
  readonly #file: CompressedFile
  readonly #checksum = createHash('sha256')
  #chunk = Buffer.allocUnsafe(chunkSize)
  #spare = Buffer.allocUnsafe(chunkSize)
  #used = 0
  #records = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#file = new CompressedFile(path, 'zstd', level)
  }

  get records(): number {
    return this.#records
  }

  /** Adds a line; `hash` is `-` for a removed record. */
  add(id: RecordId, hash: string): void {
    this.#used += this.#chunk.write(`${id} ${hash}\n`, this.#used)
    this.#records++
  }

  /** Copies a line from another file of digests. */
  copy(line: Buffer, from: number, to: number): void {
    this.#used += line.copy(this.#chunk, this.#used, from, to)
    this.#records++
  }

  /** True if `drain` must be awaited before the next line. */
  get needsDrain(): boolean {
    return this.#used > chunkSize / 2
  }

  async drain(): Promise<void> {
    const ready = this.#chunk.subarray(0, this.#used)
    await this.#writing
    ;[this.#chunk, this.#spare, this.#used] = [this.#spare, this.#chunk, 0]
    this.#checksum.update(ready)
    this.#writing = this.#file.write(ready)
    // The next caller that awaits it sees the error.
    this.#writing.catch(() => {})
  }

  /** Ends the file, syncs it to disk and returns the checksum of the set. */
  async close(): Promise<{ readonly records: number; readonly checksum: string; readonly bytes: number }> {
    await this.drain()
    await this.#writing
    const { bytes } = await this.#file.close()
    return { records: this.#records, checksum: this.#checksum.digest('hex'), bytes }
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => {})
    this.#file.abandon()
  }
}
