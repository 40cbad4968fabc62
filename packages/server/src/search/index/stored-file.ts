import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { checksum, DraftFile, readAll } from '../../kit/draft-file.ts'
import { type ArrayTypes, describeArrays, readArrays, type StoredArray } from '../../kit/stored-arrays.ts'

/**
 * Version of the file format. Increase it whenever the meaning of an array, of folding or of tokens changes; files of
 * other versions are rebuilt.
 */
export const indexVersion = 13

const magic = 'PERIPLUS'
/**
 * Size of the prologue: magic (8 bytes), then version, length and CRC-32 of the header (unsigned 32-bit little-endian
 * each).
 */
const prologueBytes = 20

/** Header of a file, as JSON. The arrays follow in this order, without padding, in the byte order of the machine. */
export interface Header<Facts> {
  readonly facts: Facts
  readonly arrays: readonly StoredArray<string>[]
}

/** Reason why a file of the index cannot be used. */
export type Unusable =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unrecognized' }
  | { readonly outcome: 'other_version'; readonly version: number }
  | { readonly outcome: 'damaged'; readonly reason: string }

/** A file of arrays that is ready to be written. */
export interface PreparedFile {
  /** Digest of the header, which has the checksums of all arrays, as 16 hexadecimal digits. */
  readonly mark: string
  readonly pieces: readonly Uint8Array[]
}

/** Computes the checksums of a file of arrays. */
export function prepareFile(facts: object, arrays: Readonly<Record<string, ArrayBufferView>>): PreparedFile {
  const parts = Object.entries(arrays).map(([name, array]) => ({ name, bytes: bytesOf(array) }))
  const header: Header<object> = { facts, arrays: describeArrays(parts) }
  const text = Buffer.from(JSON.stringify(header))
  const crc = checksum(text)
  const prologue = Buffer.alloc(prologueBytes)
  prologue.write(magic, 'latin1')
  prologue.writeUInt32LE(indexVersion, 8)
  prologue.writeUInt32LE(text.length, 12)
  prologue.writeUInt32LE(crc, 16)
  return { mark: markOf(text), pieces: [prologue, text, ...parts.map(({ bytes }) => bytes)] }
}

const markOf = (header: Buffer): string => createHash('sha256').update(header).digest('hex').slice(0, 16)

/**
 * Writes a file and returns its size in bytes. The path always has a complete file, either the old or the new one.
 */
export function writePrepared(path: string, { pieces }: PreparedFile, nowMs: number): number {
  const draft = new DraftFile(path, nowMs)
  try {
    for (const piece of pieces) draft.write(piece)
    draft.commit()
  } catch (error) {
    draft.discard()
    throw error
  }
  return draft.bytes
}

/** Reads from a file. Returns `missing` if it does not exist, and throws if it cannot be read. */
export function withFile<T>(
  path: string,
  work: (file: number, size: number) => T,
): T | { readonly outcome: 'missing' } {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { outcome: 'missing' }
    throw error
  }
  try {
    return work(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

/** A header with the position of the first array in the file, and the mark of the file. */
export interface FoundHeader<Facts> {
  readonly header: Header<Facts>
  readonly arraysAt: number
  readonly mark: string
}

/** Reads and checks the header of a file of `size` bytes. */
export function readHeader<Facts>(file: number, size: number): FoundHeader<Facts> | Unusable {
  const prologue = Buffer.alloc(prologueBytes)
  if (readAll(file, prologue, 0) < prologueBytes || prologue.toString('latin1', 0, 8) !== magic) {
    return { outcome: 'unrecognized' }
  }
  const version = prologue.readUInt32LE(8)
  if (version !== indexVersion) return { outcome: 'other_version', version }
  const length = prologue.readUInt32LE(12)
  if (prologueBytes + length > size) return { outcome: 'damaged', reason: 'the header is incomplete' }
  const text = Buffer.alloc(length)
  readAll(file, text, prologueBytes)
  const crc = checksum(text)
  if (crc !== prologue.readUInt32LE(16)) return { outcome: 'damaged', reason: 'the header is damaged' }

  const header = JSON.parse(text.toString()) as Header<Facts>
  const expected = header.arrays.reduce((sum, { bytes }) => sum + bytes, prologueBytes + length)
  if (expected !== size) return { outcome: 'damaged', reason: `it has ${size} bytes instead of ${expected}` }
  return { header, arraysAt: prologueBytes + length, mark: markOf(text) }
}

/** Facts and arrays of a file, or the reason why it cannot be used. */
export type LoadedFile<Facts, Arrays> =
  | { readonly outcome: 'loaded'; readonly facts: Facts; readonly arrays: Arrays }
  | Unusable

/**
 * Loads a file into shared memory and verifies the checksum of every byte. A file whose mark differs from `mark` is
 * damaged. Throws if the file cannot be read.
 */
export const loadFile = <Facts, Arrays>(path: string, types: ArrayTypes, mark?: string): LoadedFile<Facts, Arrays> =>
  withFile(path, (file, size): LoadedFile<Facts, Arrays> => {
    const found = readHeader<Facts>(file, size)
    if ('outcome' in found) return found
    if (mark !== undefined && found.mark !== mark) return { outcome: 'damaged', reason: 'it has other content' }
    const { facts, arrays: stored } = found.header
    const read = readArrays(file, found.arraysAt, stored as never, types)
    if ('reason' in read) return { outcome: 'damaged', reason: read.reason }
    return { outcome: 'loaded', facts, arrays: read.arrays as Arrays }
  })

const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
