import { lowerBound, sharedArray } from './typed-arrays.ts'

/**
 * Best documents of the words that many documents match, so that a query of one such word compares none. A word is an
 * incomplete one, that is a prefix of terms, or a whole term. Lists are in ascending order of `bestTerm`.
 */
export interface BestListTable {
  /** First term that starts with the prefix, or the term itself. */
  readonly bestTerm: Uint32Array
  /** Length of the prefix in UTF-16 code units; 0 for a whole term. */
  readonly bestLength: Uint8Array
  /** Number of documents that match the word. */
  readonly bestTotal: Uint32Array
  /** Length lists + 1: start of each list in the arrays below. */
  readonly bestStart: Uint32Array
  /** Part of each document; 0 in an index of one part. */
  readonly bestPart: Uint8Array
  /** Documents in the order of results. */
  readonly bestDocs: Uint32Array
  readonly bestScore: Float64Array
  /** Index of the matching name in the document's list of names, or -1. */
  readonly bestName: Int32Array
}

/** Returns a table without lists. */
export const noBestLists = (): BestListTable => ({
  bestTerm: sharedArray(Uint32Array, 0),
  bestLength: sharedArray(Uint8Array, 0),
  bestTotal: sharedArray(Uint32Array, 0),
  bestStart: sharedArray(Uint32Array, 1),
  bestPart: sharedArray(Uint8Array, 0),
  bestDocs: sharedArray(Uint32Array, 0),
  bestScore: sharedArray(Float64Array, 0),
  bestName: sharedArray(Int32Array, 0),
})

/** Returns the number of the list of a word, given by its first term and its length; -1 if it has no list. */
export function findBestList({ bestTerm, bestLength }: BestListTable, term: number, length: number): number {
  for (let at = lowerBound(bestTerm, term); at < bestTerm.length && bestTerm[at] === term; at++) {
    if (bestLength[at] === length) return at
  }
  return -1
}
