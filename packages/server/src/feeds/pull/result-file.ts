import { type FileHandle, open } from 'node:fs/promises'
import { sweepBuffers } from '../../kit/sweep.ts'

const bufferBytes = 1024 * 1024
const lineEnd = 10
/** Number of writes after which the buffers of the input are released. */
const sweepEvery = 8

/** Writes lines to a new file through two buffers: one is filled while the other is written. */
export class ResultFile {
  bytes = 0
  readonly #file: FileHandle
  #filling = Buffer.allocUnsafe(bufferBytes)
  #spare = Buffer.allocUnsafe(bufferBytes)
  #used = 0
  #writes = 0
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(path: string): Promise<ResultFile> {
    return new ResultFile(await open(path, 'w'))
  }

  /** Adds a line without its line end. If the buffer must be flushed first, returns a promise to await. */
  add(bytes: Buffer, start: number, end: number): Promise<void> | undefined {
    if (this.#fits(end - start)) {
      this.#append(bytes, start, end)
      return undefined
    }
    return this.#flushFor(end - start).then(() => this.#append(bytes, start, end))
  }

  /** Writes the remaining lines and syncs the file to disk. */
  async finish(): Promise<void> {
    await this.#flush()
    await this.#writing
    await this.#file.sync()
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#file.close()
  }

  #fits(bytes: number): boolean {
    return this.#used + bytes < this.#filling.length
  }

  async #flushFor(bytes: number): Promise<void> {
    await this.#flush()
    if (!this.#fits(bytes)) this.#filling = Buffer.allocUnsafe(bytes + 1)
  }

  #append(bytes: Buffer, start: number, end: number): void {
    this.#used += bytes.copy(this.#filling, this.#used, start, end)
    this.#filling[this.#used++] = lineEnd
  }

  async #flush(): Promise<void> {
    await this.#writing
    const full = this.#filling
    const lines = full.subarray(0, this.#used)
    this.#filling = this.#spare
    this.#spare = full
    this.#used = 0
    this.bytes += lines.length
    this.#writing = this.#write(lines)
    if (++this.#writes % sweepEvery === 0) sweepBuffers()
    // The next flush awaits this promise and throws its error.
    this.#writing.catch(() => {})
  }

  async #write(lines: Buffer): Promise<void> {
    for (let at = 0; at < lines.length; ) at += (await this.#file.write(lines, at)).bytesWritten
  }
}
