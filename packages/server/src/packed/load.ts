import { fstatSync } from 'node:fs'
import { checksum, readAll } from '../kit/draft-file.ts'
import { readArrays } from '../kit/stored-arrays.ts'
import {
  bodyForms,
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
  /** Undefined if all bodies are read from disk. */
  readonly plain: PlainBodies | undefined
}

/** The plain forms of all bodies in memory, without gaps. */
export interface PlainBodies {
  readonly bytes: SharedArrayBuffer
  /** Position of each body. */
  readonly starts: Float64Array
}

/** Result of loading a packed file. Every result except `loaded` requires a rebuild. */
export type PackedOutcome =
  | { readonly outcome: 'loaded'; readonly contents: PackedContents }
  | { readonly outcome: 'unrecognized' }
  | { readonly outcome: 'other_format'; readonly format: number }
  | { readonly outcome: 'damaged'; readonly reason: string }

/**
 * Loads an open packed file and verifies the checksum of every byte. Keeps the plain forms in memory if they have at
 * most `memoryBytes`; coded forms are read from disk. `partBytes` are read and checked at once. Throws if the file
 * cannot be read.
 */
export function loadPacked(file: number, memoryBytes: number, partBytes = 1 << 22): PackedOutcome {
  const { size } = fstatSync(file)
  const found = readHeader(file, size)
  if ('outcome' in found) return found
  const { header } = found
  const bodiesEnd = magic.length + header.bodies.bytes
  const read = readArrays(file, bodiesEnd, header.arrays, packedArrayTypes)
  if ('reason' in read) return { outcome: 'damaged', reason: read.reason }
  const { arrays } = read
  const plain = allocatePlain(arrays, memoryBytes)
  const parts = { end: bodiesEnd, partBytes }
  if (readBodies(file, parts, arrays, plain) !== header.bodies.crc)
    return { outcome: 'damaged', reason: 'the bodies are damaged' }
  return { outcome: 'loaded', contents: { facts: header.facts, arrays, plain } }
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

/** Allocates memory for the plain forms; undefined if they have more than `memoryBytes`. */
function allocatePlain({ ids, lengths }: PackedArrays, memoryBytes: number): PlainBodies | undefined {
  const starts = new Float64Array(new SharedArrayBuffer(ids.length * Float64Array.BYTES_PER_ELEMENT))
  let bytes = 0
  for (let place = 0; place < ids.length; place++) {
    starts[place] = bytes
    bytes += lengths[place * bodyForms.length]!
  }
  return bytes <= memoryBytes ? { bytes: new SharedArrayBuffer(bytes), starts } : undefined
}

/** Reads all bodies, copies the plain forms, and returns the CRC-32 of all bytes; -1 if the file is too short. */
function readBodies(
  file: number,
  { end, partBytes }: { readonly end: number; readonly partBytes: number },
  arrays: PackedArrays,
  plain: PlainBodies | undefined,
): number {
  const buffer = new Uint8Array(Math.min(end, partBytes))
  const copier = plain && new PlainCopier(arrays, plain)
  let crc = 0
  for (let at = magic.length; at < end; ) {
    const part = buffer.subarray(0, Math.min(buffer.length, end - at))
    if (readAll(file, part, at) < part.length) return -1
    crc = checksum(part, crc)
    copier?.copy(part, at)
    at += part.length
  }
  return crc
}

/** Copies the plain forms out of consecutive parts of a file. */
class PlainCopier {
  readonly #arrays: PackedArrays
  readonly #plain: PlainBodies
  readonly #target: Uint8Array
  /** The first place whose body has not been copied completely. */
  #place = 0

  constructor(arrays: PackedArrays, plain: PlainBodies) {
    this.#arrays = arrays
    this.#plain = plain
    this.#target = new Uint8Array(plain.bytes)
  }

  /** Copies what a part has; it begins at a position of the file. */
  copy(part: Uint8Array, at: number): void {
    const { ids, starts, lengths } = this.#arrays
    const partEnd = at + part.length
    for (; this.#place < ids.length; this.#place++) {
      const start = starts[this.#place]!
      const end = start + lengths[this.#place * bodyForms.length]!
      if (start >= partEnd) return
      const from = Math.max(start, at)
      const bytes = part.subarray(from - at, Math.min(end, partEnd) - at)
      this.#target.set(bytes, this.#plain.starts[this.#place]! + from - start)
      if (end > partEnd) return
    }
  }
}
