import { setImmediate as nextTurn } from 'node:timers/promises'
import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib'
import type { FileEncoding } from '../domain/feed.ts'
import { HashedFile } from './hashed-file.ts'

/**
 * Writes a compressed file as one frame, compressed in the thread pool, and computes the SHA-256 of the stored bytes.
 */
export class CompressedFile {
  readonly #stream: Gzip | ZstdCompress
  readonly #encoding: FileEncoding
  readonly #file: HashedFile
  #failure: Error | undefined

  constructor(path: string, encoding: FileEncoding, level: number) {
    this.#encoding = encoding
    this.#file = new HashedFile(path)
    this.#stream =
      encoding === 'gzip'
        ? createGzip({ level: 6 })
        : createZstdCompress({
            params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
          })
    this.#stream.on('data', (piece: Buffer) => this.#store(piece))
    this.#stream.on('error', error => this.#fail(error))
  }

  /** Number of compressed bytes written so far. After `flush` it includes all data. */
  get bytes(): number {
    return this.#file.bytes
  }

  /** Resolves when the chunk has been compressed; do not modify the chunk before that. */
  write(chunk: Buffer): Promise<void> {
    return this.#awaitCallback(callback => this.#stream.write(chunk, callback))
  }

  async flush(): Promise<void> {
    const kind = this.#encoding === 'gzip' ? constants.Z_SYNC_FLUSH : constants.ZSTD_e_flush
    await this.#awaitCallback(callback => this.#stream.flush(kind, callback))
    // Flushed bytes are emitted within the same turn of the event loop.
    await nextTurn()
    if (this.#failure) throw this.#failure
  }

  /** Ends the file and syncs it to disk. */
  async close(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const ended = new Promise(resolve => this.#stream.once('close', resolve))
    this.#stream.end()
    await ended
    if (!this.#failure) return this.#file.close()
    this.#file.abandon()
    throw this.#failure
  }

  /** Stops writing and leaves the incomplete file in place. */
  abandon(): void {
    if (this.#stream.destroyed) return
    this.#stream.destroy()
    this.#file.abandon()
  }

  #store(piece: Buffer): void {
    if (this.#failure) return
    try {
      this.#file.append(piece)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }

  #awaitCallback(start: (callback: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      start(error => {
        const failure = this.#failure ?? error
        if (failure) reject(failure)
        else resolve()
      })
    })
  }
}
