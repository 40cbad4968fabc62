/**
 * Layout of texts in a segment. The texts of a document are consecutive in one array of 32-bit numbers: for each text a
 * header (kind, index in the list of names, number of terms), then its terms in order. Lists of texts without kinds
 * (area names, label sets) use runs instead: the number of terms, then the terms.
 */

/** Kinds of texts of a document. A variant is another spelling of the name with the same index (spellings.ts). */
export const textKind = { name: 0, address: 1, code: 2, variant: 3 } as const

/**
 * Packs the header of a text: bits 0 to 7 the number of terms, bits 8 to 29 the index in the document's list of names
 * (0 for codes and addresses), bits 30 and 31 the kind.
 */
export const textHeader = (kind: number, name: number, length: number): number =>
  ((kind << 30) | (name << 8) | length) >>> 0

/** Extracts the number of terms from a header. */
export const lengthOfText = (header: number): number => header & 0xff

/** Extracts the index in the list of names from a header. */
export const nameOfText = (header: number): number => (header >>> 8) & 0x3fffff

/** Extracts the `textKind` from a header. */
export const kindOfText = (header: number): number => header >>> 30

/** Returns true if a kind is that of a name or of another spelling of one. */
export const isNameKind = (kind: number): boolean => kind === textKind.name || kind === textKind.variant

/** Texts of all documents. */
export interface TextTable {
  /** Length documents + 1: start of each document's texts in `texts`. */
  readonly textStart: Uint32Array
  readonly texts: Uint32Array
}

/** Visits the texts in `texts` from `from` up to `to` (exclusive) with the kind and the range of the terms. */
export function eachText(
  texts: Uint32Array,
  from: number,
  to: number,
  visit: (kind: number, from: number, to: number) => void,
): void {
  for (let at = from; at < to; ) {
    const header = texts[at]!
    const end = at + 1 + lengthOfText(header)
    visit(kindOfText(header), at + 1, end)
    at = end
  }
}

/**
 * Visits all runs of all lists with the list's number and the range of the run's terms. `start` has the start of each
 * list in `runs`; an additional last entry is not needed.
 */
export function eachRun(
  start: Uint32Array,
  runs: Uint32Array,
  visit: (list: number, from: number, to: number) => void,
): void {
  for (let list = 0; list < start.length; list++) {
    for (let at = start[list]!; at < (start[list + 1] ?? runs.length); at += runs[at]! + 1) {
      visit(list, at + 1, at + 1 + runs[at]!)
    }
  }
}

/** Returns true if the `length` terms from `from` are exactly `terms`, in order. */
export function equalTerms(list: Uint32Array, from: number, length: number, terms: readonly number[]): boolean {
  if (length !== terms.length) return false
  for (let i = 0; i < length; i++) if (list[from + i] !== terms[i]) return false
  return true
}

/** Returns true if a name of a document is exactly these terms. */
export function hasName({ texts, textStart }: TextTable, doc: number, terms: readonly number[]): boolean {
  for (let at = textStart[doc]!; at < textStart[doc + 1]!; ) {
    const header = texts[at]!
    const length = lengthOfText(header)
    if (isNameKind(kindOfText(header)) && equalTerms(texts, at + 1, length, terms)) return true
    at += 1 + length
  }
  return false
}

/** Hashes terms independently of their order (sum of mixed values); unsigned 32 bits. */
export function termBagHash(terms: ArrayLike<number>, from = 0, to = terms.length): number {
  let hash = 0
  for (let at = from; at < to; at++) {
    const mixed = Math.imul(terms[at]! + 1, 0x9e3779b1)
    hash = (hash + Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)) | 0
  }
  return hash >>> 0
}
