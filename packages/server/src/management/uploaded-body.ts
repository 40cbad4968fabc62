import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Yields a body and returns early without closing the connection: the client may still send, and must be able to read
 * the answer. What it sends after that is discarded.
 */
export async function* readBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false })
  } finally {
    request.resume()
  }
}

/** A body that a handler reads, with the digest of its bytes. */
export class UploadedBody implements AsyncIterable<Uint8Array> {
  readonly #parts: AsyncGenerator<Buffer>
  readonly #hash = createHash('sha256')

  constructor(request: IncomingMessage) {
    this.#parts = readBody(request)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const part of this.#parts) {
      this.#hash.update(part)
      yield part
    }
  }

  /** Reads what has not been read, at most `maxBytes`, and returns the SHA-256 digest; undefined for a longer body. */
  async digest(maxBytes: number): Promise<Buffer | undefined> {
    let bytes = 0
    for await (const part of this) {
      bytes += part.length
      if (bytes > maxBytes) return undefined
    }
    return this.#hash.copy().digest()
  }
}
