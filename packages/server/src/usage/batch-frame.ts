import { crc32 } from 'node:zlib'

/** Form of the contents of a batch: rows (batch-rows.ts), or lines of records, which earlier releases wrote. */
export type BatchForm = 'rows' | 'lines'

/**
 * A batch in a journal file is a header and a body. The header is `@llllllll cccccccc` and the sign of its form: l is
 * the length of the body in bytes, c its CRC-32, both in hexadecimal. Each body ends with `\n`, so that a reader finds
 * the next batch after damage.
 */
export const headerLength = 19
const signs: Readonly<Record<BatchForm, string>> = { rows: ':', lines: '\n' }
/** Start value of the CRC-32: a batch whose sign is damaged does not match. */
const crcStarts: Readonly<Record<BatchForm, number>> = { rows: 1, lines: 0 }

/** Writes the header of a batch of rows to the start of a buffer that has the body after it. */
export function writeHeader(batch: Buffer): void {
  const body = batch.subarray(headerLength)
  batch[0] = atSign
  writeHex(body.length, batch, 1)
  batch[9] = space
  writeHex(crc32(body, crcStarts.rows), batch, 10)
  batch[18] = signs.rows.charCodeAt(0)
}

const [atSign, space] = ['@', ' '].map(sign => sign.charCodeAt(0)) as [number, number]
const hexDigits = Buffer.from('0123456789abcdef')
/** Values of the digits by character code. */
const valueByDigit: readonly (number | undefined)[] = Array.from({ length: 256 }, (_, code) => {
  const value = hexDigits.indexOf(code)
  return value < 0 ? undefined : value
})
const formBySign = new Map(Object.entries(signs).map(([form, sign]) => [sign.charCodeAt(0), form as BatchForm]))

/** Writes eight digits. Each turn of the event loop makes a header: a number as text would cost more than its row. */
function writeHex(value: number, target: Buffer, start: number): void {
  for (let digit = 0; digit < 8; digit++) target[start + digit] = hexDigits[(value >>> (28 - 4 * digit)) & 15]!
}

/** A batch that was found in a buffer. */
export interface FramedBatch {
  readonly form: BatchForm
  /** The batch without its header. */
  readonly body: Buffer
  /** Offset of the end of the batch in the buffer. */
  readonly end: number
  /** Number of damaged bytes before the batch. */
  readonly skipped: number
}

/** Yields the complete batches of a buffer. */
export function* findBatches(buffer: Buffer): Generator<FramedBatch> {
  for (let batch = findNextBatch(buffer, 0); batch; batch = findNextBatch(buffer, batch.end)) yield batch
}

/** Returns the first complete batch at or after `offset`; undefined if the rest has none. */
function findNextBatch(buffer: Buffer, offset: number): FramedBatch | undefined {
  let at = offset
  while (at >= 0 && at + headerLength <= buffer.length) {
    const found = readBatch(buffer, at)
    if (found) return { ...found, skipped: at - offset }
    const next = buffer.indexOf('\n@', at)
    at = next < 0 ? -1 : next + 1
  }
  return undefined
}

function readBatch(buffer: Buffer, at: number): Omit<FramedBatch, 'skipped'> | undefined {
  if (buffer[at] !== atSign || buffer[at + 9] !== space) return undefined
  const form = formBySign.get(buffer[at + 18]!)
  const end = at + headerLength + readHex(buffer, at + 1)
  // NaN, which wrong digits give, is not less.
  if (form === undefined || !(end <= buffer.length)) return undefined
  const body = buffer.subarray(at + headerLength, end)
  return crc32(body, crcStarts[form]) === readHex(buffer, at + 10) ? { form, body, end } : undefined
}

/** Reads eight digits; NaN for other characters. */
function readHex(source: Buffer, start: number): number {
  let value = 0
  for (let i = start; i < start + 8; i++) value = value * 16 + (valueByDigit[source[i]!] ?? Number.NaN)
  return value
}

/** Returns the end of the last complete batch. Bytes after it are an incomplete batch that a crash left. */
export function findEndOfLastBatch(buffer: Buffer): number {
  let end = 0
  for (const batch of findBatches(buffer)) end = batch.end
  return end
}
