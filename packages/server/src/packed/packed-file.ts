import { closeSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Id } from '../domain/id.ts'
import { type BodyForm, bodyForms, etagLength, type PackedFacts } from './format.ts'
import type { PackedContents } from './load.ts'

/** A packed file as threads share it. The descriptor is open as long as a thread may use it. */
export interface SharedPackedFile {
  readonly file: number
  readonly contents: PackedContents
  /** A bit per place; set if the place has changed. */
  readonly changed: Uint8Array
}

/** A loaded packed file. Places that have changed since it was built are not found in it. */
export class PackedFile {
  readonly facts: PackedFacts
  readonly #file: number
  readonly #contents: PackedContents
  /** Lower and upper halves of the ids, alternating; comparing them is faster than comparing bigints. */
  readonly #ids: Uint32Array
  readonly #etags: Buffer
  /** Plain forms in memory. */
  readonly #plain: { readonly bytes: Buffer; readonly starts: Float64Array } | undefined
  /** A bit per place; set if the place has changed. Other threads read it. */
  readonly #changed: Uint8Array
  readonly #onDamage: (reason: string) => void
  #changedPlaces = 0

  /** Takes over the open file, which `close` closes. `onDamage` is called for each body that cannot be read. */
  constructor(
    file: number,
    contents: PackedContents,
    onDamage: (reason: string) => void,
    changed: Uint8Array = new Uint8Array(new SharedArrayBuffer(Math.ceil(contents.facts.places / 8))),
  ) {
    const { facts, arrays, plain } = contents
    this.#file = file
    this.#contents = contents
    this.facts = facts
    this.#ids = new Uint32Array(arrays.ids.buffer, arrays.ids.byteOffset, arrays.ids.length * 2)
    this.#etags = Buffer.from(arrays.etags.buffer as ArrayBuffer)
    this.#plain = plain && { bytes: Buffer.from(plain.bytes as unknown as ArrayBuffer), starts: plain.starts }
    this.#changed = changed
    this.#onDamage = onDamage
  }

  /** The file for other threads. */
  get shared(): SharedPackedFile {
    return { file: this.#file, contents: this.#contents, changed: this.#changed }
  }

  /** Number of places that have changed since the file was built. */
  get changedPlaces(): number {
    return this.#changedPlaces
  }

  /** Returns the number of a place in the file; -1 if the file has no current body of it. */
  find(id: Id): number {
    const place = this.#search(id)
    return place < 0 || this.#isChanged(place) ? -1 : place
  }

  /** Hides a place, because its body is no longer current. */
  markChanged(id: Id): void {
    const place = this.#search(id)
    if (place < 0 || this.#isChanged(place)) return
    this.#changed[place >>> 3]! |= 1 << (place & 7)
    this.#changedPlaces++
  }

  /** Validator of the plain form. */
  etag(place: number): string {
    return this.#etags.toString('latin1', place * etagLength, (place + 1) * etagLength)
  }

  /** Writes the validator of the plain form to a buffer. */
  writeEtag(place: number, target: Buffer, at: number): void {
    // So few bytes are copied faster here than by the function of Buffer.
    const start = place * etagLength
    for (let i = 0; i < etagLength; i++) target[at + i] = this.#etags[start + i]!
  }

  /** Bytes of a form; 0 if the file does not have it. */
  length(place: number, form: BodyForm): number {
    return this.#contents.arrays.lengths[place * bodyForms.length + bodyForms.indexOf(form)]!
  }

  /** Reads a form of a body; undefined if the file does not have it, or if it is damaged. */
  read(place: number, form: BodyForm): Buffer | undefined {
    const { starts, lengths, checksums } = this.#contents.arrays
    const first = place * bodyForms.length
    const wanted = first + bodyForms.indexOf(form)
    const length = lengths[wanted]!
    if (length === 0) return undefined
    if (this.#plain && wanted === first) {
      // The bytes were checked when they were loaded.
      const start = this.#plain.starts[place]!
      return this.#plain.bytes.subarray(start, start + length)
    }
    let at = starts[place]!
    for (let i = first; i < wanted; i++) at += lengths[i]!
    const bytes = Buffer.allocUnsafe(length)
    try {
      if (readSync(this.#file, bytes, 0, length, at) === length && crc32(bytes) === checksums[wanted]) return bytes
      this.#onDamage(`the body of location ${this.#contents.arrays.ids[place]} is damaged`)
    } catch (error) {
      this.#onDamage(`it cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
    return undefined
  }

  close(): void {
    closeSync(this.#file)
  }

  #isChanged(place: number): boolean {
    return (this.#changed[place >>> 3]! & (1 << (place & 7))) !== 0
  }

  /**
   * Finds an id; -1 if the file does not have it. Ids are numbered or random, mostly, so that the search begins next to
   * where an id is if all have the same distance.
   */
  #search(id: Id): number {
    const low = Number(BigInt.asUintN(32, id))
    const high = Number(id >> 32n)
    const last = this.facts.places - 1
    if (last < 0) return -1
    const first = this.#valueAt(0)
    const share = (toNumber(low, high) - first) / (this.#valueAt(last) - first)
    const guess = share > 0 ? Math.min(last, Math.round(share * last)) : 0
    let from = guess
    let to = guess
    for (let step = 1; from > 0 && this.#compare(from, low, high) > 0; step *= 2) from = Math.max(0, from - step)
    for (let step = 1; to < last && this.#compare(to, low, high) < 0; step *= 2) to = Math.min(last, to + step)
    while (from <= to) {
      const middle = (from + to) >>> 1
      const order = this.#compare(middle, low, high)
      if (order === 0) return middle
      if (order < 0) from = middle + 1
      else to = middle - 1
    }
    return -1
  }

  /** Returns a number below, equal to or above 0 if the id of a place is below, equal to or above an id. */
  #compare(place: number, low: number, high: number): number {
    return this.#ids[place * 2 + 1]! - high || this.#ids[place * 2]! - low
  }

  #valueAt(place: number): number {
    return toNumber(this.#ids[place * 2]!, this.#ids[place * 2 + 1]!)
  }
}

/** Returns the value of an id by its halves; ids above 2^53 are rounded. */
const toNumber = (low: number, high: number): number => high * 4_294_967_296 + low
