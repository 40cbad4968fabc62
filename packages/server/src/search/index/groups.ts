import { sharedArray } from './typed-arrays.ts'

/**
 * Two-level index of documents that share a property, such as an area or a label set: terms list groups and groups list
 * documents. A document belongs to exactly one group.
 */
export interface GroupIndex {
  /** Length terms + 1: start of each term's groups in `termGroups`. */
  readonly termStart: Uint32Array
  /** Groups by term, ascending within each term. */
  readonly termGroups: Uint32Array
  /** Length terms + 1: number of documents in the groups of all earlier terms (a prefix sum). */
  readonly termDocs: Uint32Array
  /** Length groups + 1: start of each group's documents in `docs`. */
  readonly docStart: Uint32Array
  /** Documents by group, ascending within each group. */
  readonly docs: Uint32Array
}

/** Computes `termDocs` of a group index: the prefix sums of the documents in the groups of each term. */
export function documentSums({ termStart, termGroups, docStart }: Omit<GroupIndex, 'termDocs' | 'docs'>): Uint32Array {
  const sums = sharedArray(Uint32Array, termStart.length)
  for (let term = 0; term < termStart.length - 1; term++) {
    let sum = sums[term]!
    for (let at = termStart[term]!; at < termStart[term + 1]!; at++) {
      sum += docStart[termGroups[at]! + 1]! - docStart[termGroups[at]!]!
    }
    sums[term + 1] = sum
  }
  return sums
}
