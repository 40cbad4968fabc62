import { closeSync, fstatSync, openSync } from 'node:fs'
import { checksum, DraftFile, readAll } from '../../kit/draft-file.ts'
import { describeArrays, readArrays, type StoredArray } from '../../kit/stored-arrays.ts'
import { type ArrayName, arrayTypes, type SegmentArrays, type SegmentData, type SegmentFacts } from './segment.ts'

/**
 * Version of the file format. Increase it whenever the meaning of an array, of folding or of tokens changes; files of
 * other versions are rebuilt.
 */
export const indexVersion = 8

const magic = 'PERIPLUS'
/**
 * Size of the prologue: magic (8 bytes), then version, length and CRC-32 of the header (unsigned 32-bit little-endian
 * each).
 */
const prologueBytes = 20

/** Header of the file, as JSON. The arrays follow in this order, without padding, in the byte order of the machine. */
interface Header {
  readonly facts: SegmentFacts
  readonly arrays: readonly StoredArray<ArrayName>[]
}

/** Result of loading an index file. Every result except `loaded` requires a rebuild. */
export type LoadOutcome =
  | { readonly outcome: 'loaded'; readonly segment: SegmentData }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unrecognized' }
  | { readonly outcome: 'other_version'; readonly version: number }
  | { readonly outcome: 'damaged'; readonly reason: string }

/**
 * Saves a segment as one file and returns its size in bytes. The path always has a complete index, either the old or
 * the new one.
 */
export function saveSegment(path: string, { facts, arrays }: SegmentData): number {
  const parts = (Object.keys(arrayTypes) as ArrayName[]).map(name => ({ name, bytes: bytesOf(arrays[name]) }))
  const header: Header = { facts, arrays: describeArrays(parts) }
  const text = Buffer.from(JSON.stringify(header))
  const prologue = Buffer.alloc(prologueBytes)
  prologue.write(magic, 'latin1')
  prologue.writeUInt32LE(indexVersion, 8)
  prologue.writeUInt32LE(text.length, 12)
  prologue.writeUInt32LE(checksum(text), 16)
  const draft = new DraftFile(path, facts.builtMs)
  try {
    for (const part of [prologue, text, ...parts.map(({ bytes }) => bytes)]) draft.write(part)
    draft.commit()
  } catch (error) {
    draft.discard()
    throw error
  }
  return draft.bytes
}

/** Loads a segment into shared memory and verifies the checksum of every byte. Throws if the file cannot be read. */
export const loadSegment = (path: string): LoadOutcome => withFile(path, readSegment) ?? { outcome: 'missing' }

/** Returns the change-log sequence number that an index file was built at; undefined if it is not usable. */
export function readIndexRevision(path: string): number | undefined {
  const found = withFile(path, readHeader)
  return found && 'header' in found ? found.header.facts.revision : undefined
}

function withFile<T>(path: string, work: (file: number, size: number) => T): T | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return work(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

type Unusable = Exclude<LoadOutcome, { readonly outcome: 'loaded' }>

function readHeader(file: number, size: number): { readonly header: Header; readonly arraysAt: number } | Unusable {
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
  if (checksum(text) !== prologue.readUInt32LE(16)) return { outcome: 'damaged', reason: 'the header is damaged' }

  const header = JSON.parse(text.toString()) as Header
  const expected = header.arrays.reduce((sum, { bytes }) => sum + bytes, prologueBytes + length)
  if (expected !== size) return { outcome: 'damaged', reason: `it has ${size} bytes instead of ${expected}` }
  return { header, arraysAt: prologueBytes + length }
}

function readSegment(file: number, size: number): LoadOutcome {
  const found = readHeader(file, size)
  if ('outcome' in found) return found
  const { facts, arrays: stored } = found.header
  const read = readArrays(file, found.arraysAt, stored, arrayTypes)
  return 'reason' in read
    ? { outcome: 'damaged', reason: read.reason }
    : { outcome: 'loaded', segment: { facts, arrays: read.arrays } }
}

const bytesOf = (array: SegmentArrays[ArrayName]): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
