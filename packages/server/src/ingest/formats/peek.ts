/** The beginning of a stream, and the whole stream again. */
export interface Peeked {
  /** At least as many bytes as asked for, unless the stream is shorter. */
  readonly head: Buffer
  /** Whether `head` is all there is. */
  readonly whole: boolean
  /** From the first byte. */
  readonly chunks: AsyncIterable<Buffer>
  /** Closes the source, for those who need no more than the head. */
  close(): Promise<unknown>
}

/** Reads the first `bytes` of a stream without taking them away. */
export async function peek(source: AsyncIterable<Buffer>, bytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]()
  const held: Buffer[] = []
  let heldBytes = 0
  let whole = false
  while (heldBytes < bytes && !whole) {
    const next = await iterator.next()
    if (next.done) whole = true
    else {
      held.push(next.value)
      heldBytes += next.value.length
    }
  }
  const head = held.length === 1 ? held[0]! : Buffer.concat(held)
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head
      if (whole) return
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head, whole, chunks: all(), close: async () => iterator.return?.() }
}

/** Whether bytes begin with others. */
export const startsWith = (bytes: Buffer, magic: readonly number[]): boolean =>
  magic.every((byte, i) => bytes[i] === byte)
