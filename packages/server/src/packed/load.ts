import { fstatSync } from 'node:fs'
import { checksum, readAll } from '../kit/draft-file.ts'
import { readArrays } from '../kit/stored-arrays.ts'
import {
  magic,
  type PackedArrays,
  type PackedFacts,
  type PackedHeader,
  packedArrayTypes,
  packedFormat,
  trailerBytes,
} from './format.ts'

/** The contents of a packed file, in shared memory. */
export interface PackedContents {
  readonly facts: PackedFacts
  readonly arrays: PackedArrays
  /** The file up to the end of the bodies; undefined if bodies are read from disk. */
  readonly bodies: SharedArrayBuffer | undefined
}

/** Result of loading a packed file. Every result except `loaded` requires a rebuild. */
export type PackedOutcome =
  | { readonly outcome: 'loaded'; readonly contents: PackedContents }
  | { readonly outcome: 'unrecognized' }
  | { readonly outcome: 'other_format'; readonly format: number }
  | { readonly outcome: 'damaged'; readonly reason: string }

/** Bytes that are checked at once, if the bodies stay on disk. */
const checkedBytes = 1 << 22

/**
 * Loads an open packed file and verifies the checksum of every byte. Keeps the bodies in memory if they have at most
 * `memoryBytes`. Throws if the file cannot be read.
 */
export function loadPacked(file: number, memoryBytes: number): PackedOutcome {
  const { size } = fstatSync(file)
  const found = readHeader(file, size)
  if ('outcome' in found) return found
  const { header } = found
  const bodiesEnd = magic.length + header.bodies.bytes
  const bodies = bodiesEnd <= memoryBytes ? new SharedArrayBuffer(bodiesEnd) : undefined
  if (readBodies(file, bodiesEnd, bodies) !== header.bodies.crc)
    return { outcome: 'damaged', reason: 'the bodies are damaged' }
  const read = readArrays(file, bodiesEnd, header.arrays, packedArrayTypes)
  return 'reason' in read
    ? { outcome: 'damaged', reason: read.reason }
    : { outcome: 'loaded', contents: { facts: header.facts, arrays: read.arrays, bodies } }
}

type Unusable = Exclude<PackedOutcome, { readonly outcome: 'loaded' }>

function readHeader(file: number, size: number): { readonly header: PackedHeader } | Unusable {
  const start = Buffer.alloc(magic.length)
  if (readAll(file, start, 0) < start.length || start.toString('latin1') !== magic) return { outcome: 'unrecognized' }
  const trailer = Buffer.alloc(trailerBytes)
  const trailerAt = size - trailerBytes
  if (trailerAt < magic.length || readAll(file, trailer, trailerAt) < trailerBytes)
    return { outcome: 'damaged', reason: 'the end is missing' }
  if (trailer.toString('latin1', 12) !== magic) return { outcome: 'damaged', reason: 'the end is missing' }
  const format = trailer.readUInt32LE(8)
  if (format !== packedFormat) return { outcome: 'other_format', format }
  const length = trailer.readUInt32LE(0)
  if (length > trailerAt - magic.length) return { outcome: 'damaged', reason: 'the header is incomplete' }
  const text = Buffer.alloc(length)
  readAll(file, text, trailerAt - length)
  if (checksum(text) !== trailer.readUInt32LE(4)) return { outcome: 'damaged', reason: 'the header is damaged' }
  const header = JSON.parse(text.toString()) as PackedHeader
  const arrays = header.arrays.reduce((sum, { bytes }) => sum + bytes, 0)
  const expected = magic.length + header.bodies.bytes + arrays + length + trailerBytes
  if (expected !== size) return { outcome: 'damaged', reason: `it has ${size} bytes instead of ${expected}` }
  return { header }
}

/** Reads all bodies, into `memory` if it is given, and returns their CRC-32. */
function readBodies(file: number, end: number, memory: SharedArrayBuffer | undefined): number {
  const buffer = memory ? new Uint8Array(memory) : new Uint8Array(Math.min(end, checkedBytes))
  if (memory) {
    readAll(file, buffer, 0)
    return checksum(buffer.subarray(magic.length))
  }
  let crc = 0
  for (let at = magic.length; at < end; ) {
    const part = buffer.subarray(0, Math.min(buffer.length, end - at))
    if (readAll(file, part, at) < part.length) return -1
    crc = checksum(part, crc)
    at += part.length
  }
  return crc
}
