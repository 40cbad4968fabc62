/** Number of bytes of a UUID. */
export const uuidBytes = 16

/** Values of hexadecimal digits by character code; -1 for other characters. */
const digits = new Int8Array(128).fill(-1)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  digits[digit.charCodeAt(0)] = value
  digits[digit.toUpperCase().charCodeAt(0)] = value
}

/** Offsets of the bytes in the text of a UUID (RFC 9562 §4). */
const offsets = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const dashes = [8, 13, 18, 23]
const textLength = 36
const dash = '-'.charCodeAt(0)

/**
 * Writes the bytes of a UUID to a buffer. Returns false for any other text; the buffer may then have some of its bytes.
 */
export function writeUuid(text: string, target: Buffer, at: number): boolean {
  if (text.length !== textLength) return false
  for (const i of dashes) if (text.charCodeAt(i) !== dash) return false
  for (let byte = 0; byte < uuidBytes; byte++) {
    const i = offsets[byte]!
    const value = (digitAt(text, i) << 4) | digitAt(text, i + 1)
    if (value < 0) return false
    target[at + byte] = value
  }
  return true
}

const digitAt = (text: string, i: number): number => digits[text.charCodeAt(i)] ?? -1

/** Returns the text of the UUID at an offset of a buffer. */
export function readUuid(source: Buffer, at = 0): string {
  const hex = source.toString('hex', at, at + uuidBytes)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
