import { createHash } from 'node:crypto'
import type { RecordId } from '../domain/feed.ts'
import { CompressedFile } from './compressed-file.ts'

const chunkSize = 262_144
/** Hashes do not get smaller than half; more effort would gain nothing. */
const level = 1

/**
 * Writes lines `id hex(sha256)`, ascending by id: the digests of a set of records. Their SHA-256 is the checksum of that
 * set.
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

  /** `hash` is `-` for a record that is gone. */
  add(id: RecordId, hash: string): void {
    this.#used += this.#chunk.write(`${id} ${hash}\n`, this.#used)
    this.#records++
  }

  /** Copies a line as it is. */
  copy(line: Buffer, from: number, to: number): void {
    this.#used += line.copy(this.#chunk, this.#used, from, to)
    this.#records++
  }

  /** Whether `drain` has to be awaited before more is added. */
  get full(): boolean {
    return this.#used > chunkSize / 2
  }

  async drain(): Promise<void> {
    const ready = this.#chunk.subarray(0, this.#used)
    await this.#writing
    ;[this.#chunk, this.#spare, this.#used] = [this.#spare, this.#chunk, 0]
    this.#checksum.update(ready)
    this.#writing = this.#file.write(ready)
    // Whoever awaits it next is told.
    this.#writing.catch(() => {})
  }

  /** Gives the checksum of the set; the file is on disk. */
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
