import { isAscii, isUtf8 } from 'node:buffer'

/** Encodings of text files, as reports name them. */
export type Encoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252'

/** Detects UTF-16 by its byte order mark, or by a zero in every second byte, as in Latin text. */
export function detectUtf16(head: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'UTF-16LE'
  if (head[0] === 0xfe && head[1] === 0xff) return 'UTF-16BE'
  const pairs = Math.min(head.length >> 1, 32)
  if (pairs < 4) return undefined
  const isZero = (offset: number) => Array.from({ length: pairs }, (_, i) => head[2 * i + offset]).every(b => b === 0)
  if (isZero(1)) return 'UTF-16LE'
  return isZero(0) ? 'UTF-16BE' : undefined
}

/** Converts a stream in an encoding to UTF-8. */
export async function* toUtf8(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield encode(decoder.decode(chunk, { stream: true }))
  const end = decoder.decode()
  if (end !== '') yield encode(end)
}

/** Encodes text as UTF-8, with an invalid byte for what is no character, so that its row is rejected. */
function encode(text: string): Buffer {
  if (!text.includes('\ufffd')) return Buffer.from(text)
  const parts = text.split('\ufffd').flatMap(part => [invalidByte, Buffer.from(part)])
  return Buffer.concat(parts.slice(1))
}

const invalidByte = Buffer.of(0xff)

/** Decodes a text of any of the encodings; undefined if it has none of them. */
export function decodeText(bytes: Buffer): string | undefined {
  const encoding = detectUtf16(bytes) ?? guessEncoding(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Converts text in Windows-1252 to UTF-8 and passes UTF-8 on. The first bytes that are not ASCII decide, because a file
 * may begin with megabytes of ASCII.
 */
export class TextDecoding {
  encoding: 'UTF-8' | 'Windows-1252' = 'UTF-8'

  async *decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const decoder = new TextDecoder('windows-1252')
    let isDecided = false
    let held: Buffer = Buffer.alloc(0)
    for await (const next of chunks) {
      let chunk = held.length === 0 ? next : Buffer.concat([held, next])
      held = Buffer.alloc(0)
      if (!isDecided && !isAscii(chunk)) {
        const complete = withoutIncompleteEnd(chunk)
        isDecided = !isAscii(complete)
        if (isDecided) this.encoding = guessEncoding(complete)
        else [chunk, held] = [complete, chunk.subarray(complete.length)]
      }
      yield this.encoding === 'UTF-8' ? chunk : Buffer.from(decoder.decode(chunk))
    }
    if (held.length === 0) return
    this.encoding = 'Windows-1252'
    yield Buffer.from(decoder.decode(held))
  }
}

/** Returns the bytes without the start of a UTF-8 character at their end. */
function withoutIncompleteEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    if (length > 1) return length > back ? bytes.subarray(0, -back) : bytes
  }
  return bytes
}

const characters = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g
const highBytes = /[\x80-\xff]/g
/** Bytes that Windows-1252 does not assign, but which are frequent in encodings of Japanese and Chinese. */
const unassigned = /[\x81\x8d\x8f\x90\x9d]/

/**
 * Returns Windows-1252 for bytes that are hardly UTF-8 and look like Latin text; otherwise UTF-8, and the rows with
 * invalid bytes are rejected.
 */
function guessEncoding(bytes: Buffer): 'UTF-8' | 'Windows-1252' {
  if (isUtf8(bytes)) return 'UTF-8'
  const text = bytes.toString('latin1')
  const count = (pattern: RegExp, of = text) => of.match(pattern)?.length ?? 0
  if (count(characters) >= count(highBytes, text.replace(characters, ''))) return 'UTF-8'
  const isLatin = !unassigned.test(text) && count(highBytes) <= count(/[a-z]/gi)
  return isLatin ? 'Windows-1252' : 'UTF-8'
}
