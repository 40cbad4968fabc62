import { crc32 } from 'node:zlib'

/**
 * How a batch of lines lies in a journal file: `@llllllll cccccccc\n`, then the lines. l: their length in bytes, c:
 * their CRC-32, both in hexadecimal. No line begins with `@`, so that a reader finds the next batch after damage.
 */
const headerLength = 19
const headerForm = /^@([0-9a-f]{8}) ([0-9a-f]{8})\n$/

/** Frames lines, each ended by `\n`, for one write. */
export function frame(lines: string): Buffer {
  const length = Buffer.byteLength(lines)
  const buffer = Buffer.allocUnsafe(headerLength + length)
  buffer.write(lines, headerLength)
  const crc = crc32(buffer.subarray(headerLength))
  buffer.write(`@${hex(length)} ${hex(crc)}\n`, 0, 'latin1')
  return buffer
}

const hex = (value: number): string => value.toString(16).padStart(8, '0')

export interface Framed {
  /** The lines, without their header. */
  readonly body: Buffer
  /** Where the batch ends in the buffer. */
  readonly end: number
  /** Bytes before it that belong to no batch: damage. */
  readonly skipped: number
}

/** The first whole batch at or after `offset`; undefined when there is none (any more, or yet). */
export function nextBatch(buffer: Buffer, offset: number): Framed | undefined {
  let at = offset
  while (at >= 0 && at + headerLength <= buffer.length) {
    const end = endOfBatch(buffer, at)
    if (end !== undefined) return { body: buffer.subarray(at + headerLength, end), end, skipped: at - offset }
    const next = buffer.indexOf('\n@', at)
    at = next < 0 ? -1 : next + 1
  }
  return undefined
}

function endOfBatch(buffer: Buffer, at: number): number | undefined {
  const header = headerForm.exec(buffer.toString('latin1', at, at + headerLength))
  if (!header) return undefined
  const end = at + headerLength + Number.parseInt(header[1]!, 16)
  if (end > buffer.length) return undefined
  return crc32(buffer.subarray(at + headerLength, end)) === Number.parseInt(header[2]!, 16) ? end : undefined
}

/** Where the last whole batch ends: what lies behind it was cut off by a crash. */
export function endOfLastBatch(buffer: Buffer): number {
  let end = 0
  for (let batch = nextBatch(buffer, 0); batch; batch = nextBatch(buffer, end)) end = batch.end
  return end
}
