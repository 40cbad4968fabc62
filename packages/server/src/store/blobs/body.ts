import type { Readable } from 'node:stream'
import type { BlobBody } from '../../domain/blob-store.ts'

/** Returns the body that a stream reads; `toFailure` converts its errors. */
export const createBody = (source: Readable, toFailure: (error: unknown) => unknown): BlobBody => ({
  async *[Symbol.asyncIterator]() {
    try {
      yield* source
    } catch (error) {
      throw toFailure(error)
    }
  },
  destroy: () => {
    source.destroy()
  },
})
