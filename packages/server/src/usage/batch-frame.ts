import { crc32 } from 'node:zlib'

/**
 * Format of a batch of lines in a journal file: the header `@llllllll cccccccc\n`, then the lines. l is the length of
 * the lines in bytes, c their CRC-32, both in hexadecimal. No line starts with `@`, so that a reader finds the next
 * batch after damage.
 */
const headerLength = 19
const headerPattern = /^@([0-9a-f]{8}) ([0-9a-f]{8})\n$/

/** Encodes a batch of lines, each ending with `\n`. */
export function encodeBatch(lines: string): Buffer {
  const length = Buffer.byteLength(lines)
  const buffer = Buffer.allocUnsafe(headerLength + length)
  buffer.write(lines, headerLength)
  const crc = crc32(buffer.subarray(headerLength))
  buffer.write(`@${hex(length)} ${hex(crc)}\n`, 0, 'latin1')
  return buffer
}

const hex = (value: number): string => value.toString(16).padStart(8, '0')

/** A batch that was found in a buffer. */
export interface FramedBatch {
  /** The lines, without their header. */
  readonly body: Buffer
  /** Offset of the end of the batch in the buffer. */
  readonly end: number
  /** Number of damaged bytes before the batch. */
  readonly skipped: number
}

/** Returns the first complete batch at or after `offset`; undefined if the rest has none. */
export function findNextBatch(buffer: Buffer, offset: number): FramedBatch | undefined {
  let at = offset
  while (at >= 0 && at + headerLength <= buffer.length) {
    const end = findEndOfBatch(buffer, at)
    if (end !== undefined) return { body: buffer.subarray(at + headerLength, end), end, skipped: at - offset }
    const next = buffer.indexOf('\n@', at)
    at = next < 0 ? -1 : next + 1
  }
  return undefined
}

function findEndOfBatch(buffer: Buffer, at: number): number | undefined {
  const header = headerPattern.exec(buffer.toString('latin1', at, at + headerLength))
  if (!header) return undefined
  const end = at + headerLength + Number.parseInt(header[1]!, 16)
  if (end > buffer.length) return undefined
  return crc32(buffer.subarray(at + headerLength, end)) === Number.parseInt(header[2]!, 16) ? end : undefined
}

/** Returns the end of the last complete batch. Bytes after it are an incomplete batch that a crash left. */
export function findEndOfLastBatch(buffer: Buffer): number {
  let end = 0
  for (let batch = findNextBatch(buffer, 0); batch; batch = findNextBatch(buffer, end)) end = batch.end
  return end
}
