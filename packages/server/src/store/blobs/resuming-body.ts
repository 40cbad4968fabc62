import { Readable } from 'node:stream'

/** Number of requests for the rest of a body without any byte in between. */
const maxAttempts = 3

/** The part of a blob that a body has. */
export interface OpenedPart {
  readonly source: Readable
  readonly bytes: number
}

/**
 * The bytes of a part of a blob. When its connection is lost, `reopen` requests the rest, after the number of bytes that
 * have been read.
 */
export class ResumingBody extends Readable {
  readonly #bytes: number
  readonly #reopen: (done: number) => Promise<Readable>
  #source: Readable
  #done = 0
  #attempts = 0

  constructor({ source, bytes }: OpenedPart, reopen: (done: number) => Promise<Readable>) {
    super({ highWaterMark: 1 << 18 })
    this.#bytes = bytes
    this.#reopen = reopen
    this.#source = source
    this.#follow(source)
  }

  override _read(): void {
    this.#source.resume()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#source.destroy()
    callback(error)
  }

  #follow(source: Readable): void {
    this.#source = source
    let isOver = false
    const end = (error?: Error) => {
      if (isOver || this.destroyed) return
      isOver = true
      if (this.#done === this.#bytes) this.push(null)
      else void this.#resume(error ?? Object.assign(new Error('The body is too short.'), { code: 'EPIPE' }))
    }
    source.on('data', (chunk: Uint8Array) => {
      this.#done += chunk.length
      this.#attempts = 0
      if (!this.push(chunk)) source.pause()
    })
    source.on('error', end)
    source.on('close', end)
    source.on('end', end)
    source.pause()
  }

  async #resume(error: Error): Promise<void> {
    if (++this.#attempts > maxAttempts) {
      this.destroy(error)
      return
    }
    try {
      const source = await this.#reopen(this.#done)
      // Nobody reads the rest.
      if (this.destroyed) source.destroy()
      else {
        this.#follow(source)
        source.resume()
      }
    } catch (failure) {
      this.destroy(failure as Error)
    }
  }
}
