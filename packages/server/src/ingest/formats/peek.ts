/** The start of a stream, and the entire stream. */
export interface Peeked {
  /** The first bytes, at least as many as requested unless the stream is shorter. */
  readonly head: Buffer
  /** True if `head` is the entire stream. */
  readonly isComplete: boolean
  /** The entire stream, `head` included. */
  readonly chunks: AsyncIterable<Buffer>
  /** Closes the source before its end. */
  close(): Promise<unknown>
}

/** Reads at least the first `bytes` of a stream without consuming them. */
export async function peek(source: AsyncIterable<Buffer>, bytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]()
  const held: Buffer[] = []
  let heldBytes = 0
  let isComplete = false
  while (heldBytes < bytes && !isComplete) {
    const next = await iterator.next()
    if (next.done) isComplete = true
    else {
      held.push(next.value)
      heldBytes += next.value.length
    }
  }
  const head = held.length === 1 ? held[0]! : Buffer.concat(held)
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head
      if (isComplete) return
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head, isComplete, chunks: all(), close: async () => iterator.return?.() }
}

/** Returns true if bytes start with `magic`. */
export const startsWith = (bytes: Buffer, magic: readonly number[]): boolean =>
  magic.every((byte, i) => bytes[i] === byte)
