import { type FileHandle, open } from 'node:fs/promises'
import { sweepBuffers } from '../../kit/sweep.ts'

const room = 1024 * 1024
const lineEnd = 10
/** Pieces after which what was read for them is freed. */
const sweepEvery = 8

/** Writes lines to a new file in large pieces, the next one filled while the last is on its way. */
export class ResultFile {
  bytes = 0
  readonly #file: FileHandle
  #filling = Buffer.allocUnsafe(room)
  #spare = Buffer.allocUnsafe(room)
  #used = 0
  #pieces = 0
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(path: string): Promise<ResultFile> {
    return new ResultFile(await open(path, 'w'))
  }

  /** Whether a line of so many bytes can be added without `makeRoom`. */
  hasRoom(bytes: number): boolean {
    return this.#used + bytes < this.#filling.length
  }

  async makeRoom(bytes: number): Promise<void> {
    await this.#pass()
    if (!this.hasRoom(bytes)) this.#filling = Buffer.allocUnsafe(bytes + 1)
  }

  /** The line without its line end. */
  add(bytes: Buffer, start: number, end: number): void {
    this.#used += bytes.copy(this.#filling, this.#used, start, end)
    this.#filling[this.#used++] = lineEnd
  }

  /** Writes what is left and waits until all of it is on the disk. */
  async finish(): Promise<void> {
    await this.#pass()
    await this.#writing
    await this.#file.sync()
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#file.close()
  }

  async #pass(): Promise<void> {
    await this.#writing
    const full = this.#filling
    const piece = full.subarray(0, this.#used)
    this.#filling = this.#spare
    this.#spare = full
    this.#used = 0
    this.bytes += piece.length
    this.#writing = this.#write(piece)
    if (++this.#pieces % sweepEvery === 0) sweepBuffers()
    // It is awaited with the next piece; until then nobody listens.
    this.#writing.catch(() => {})
  }

  async #write(piece: Buffer): Promise<void> {
    for (let at = 0; at < piece.length; ) at += (await this.#file.write(piece, at)).bytesWritten
  }
}
