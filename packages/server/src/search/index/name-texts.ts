import type { Growable } from '../../kit/growable.ts'
import { kindOfText, lengthOfText, nameOfText, type TextTable, textKind } from './texts.ts'
import { sharedArray } from './typed-arrays.ts'

/** A name as it is served; a name in an unknown language has no tag. */
export interface NameText {
  readonly language?: string
  readonly value: string
}

/** Served forms of the names of all documents, so that a result needs no look at the stored record. */
export interface NameTexts {
  /** Length documents + 1: start of each document's names in `nameTexts`. */
  readonly nameTextStart: Uint32Array
  /**
   * For each text of a document that is a name, in their order: number of the language + 1 (0 if unknown) and length,
   * both as LEB128, and the value in UTF-8.
   */
  readonly nameTexts: Uint8Array
}

const encoder = new TextEncoder()

/** Appends a name. */
export function addNameText(to: Growable<Uint8Array>, language: number, value: string): void {
  const bytes = encoder.encode(value)
  pushNumber(to, language)
  pushNumber(to, bytes.length)
  for (const byte of bytes) to.push(byte)
}

function pushNumber(to: Growable<Uint8Array>, number: number): void {
  let rest = number
  for (; rest > 0x7f; rest >>>= 7) to.push((rest & 0x7f) | 0x80)
  to.push(rest)
}

/** Copies the names of documents in a new order into shared memory. */
export function permutedNameTexts({ nameTextStart, nameTexts }: NameTexts, order: Uint32Array): NameTexts {
  const start = sharedArray(Uint32Array, order.length + 1)
  const bytes = sharedArray(Uint8Array, nameTexts.length)
  let next = 0
  for (let rank = 0; rank < order.length; rank++) {
    const doc = order[rank]!
    const from = nameTextStart[doc]!
    const to = nameTextStart[doc + 1] ?? nameTexts.length
    bytes.set(nameTexts.subarray(from, to), next)
    next += to - from
    start[rank + 1] = next
  }
  return { nameTextStart: start, nameTexts: bytes }
}

/** Returns a document's name by its index in the list of names; undefined if the index has no such name. */
export function findNameText(
  { texts, textStart, nameTexts, nameTextStart }: TextTable & NameTexts,
  languages: readonly string[],
  doc: number,
  name: number,
): NameText | undefined {
  const reader = new Reader(nameTexts, nameTextStart[doc]!)
  for (let at = textStart[doc]!; at < textStart[doc + 1]!; at += 1 + lengthOfText(texts[at]!)) {
    if (kindOfText(texts[at]!) !== textKind.name) continue
    const language = reader.number()
    const length = reader.number()
    if (nameOfText(texts[at]!) !== name) reader.advance(length)
    else return { ...(language > 0 && { language: languages[language - 1]! }), value: reader.text(length) }
  }
  return undefined
}

/** Returns up to `limit` names of a document with their indexes in its list of names, the primary name first. */
export function listNameTexts(
  { texts, textStart, nameTexts, nameTextStart }: TextTable & NameTexts,
  languages: readonly string[],
  doc: number,
  limit: number,
): (NameText & { readonly name: number })[] {
  const reader = new Reader(nameTexts, nameTextStart[doc]!)
  const names: (NameText & { readonly name: number })[] = []
  for (let at = textStart[doc]!; at < textStart[doc + 1]!; at += 1 + lengthOfText(texts[at]!)) {
    if (kindOfText(texts[at]!) !== textKind.name) continue
    if (names.length === limit) break
    const language = reader.number()
    const value = reader.text(reader.number())
    names.push({ name: nameOfText(texts[at]!), ...(language > 0 && { language: languages[language - 1]! }), value })
  }
  return names
}

/** Reads numbers and texts from a position. */
class Reader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  number(): number {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++]!
      number |= (byte & 0x7f) << shift
      if (byte < 0x80) return number
    }
  }

  advance(length: number): void {
    this.#at += length
  }

  text(length: number): string {
    const from = this.#at
    this.#at += length
    return bufferOf(this.#bytes).toString('utf8', from, this.#at)
  }
}

const buffers = new WeakMap<Uint8Array, Buffer>()

/** Returns the bytes as a buffer, because TextDecoder refuses shared memory. */
function bufferOf(bytes: Uint8Array): Buffer {
  const known = buffers.get(bytes)
  if (known) return known
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  buffers.set(bytes, buffer)
  return buffer
}
