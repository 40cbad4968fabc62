import { sharedArray } from './typed-arrays.ts'

/** Posting lists (an inverted index) in compressed sparse row form. */
export interface Postings {
  /** Length lists + 1: list `i` is `docs` from `start[i]` up to `start[i + 1]` (exclusive). */
  readonly start: Uint32Array
  /** Documents of all lists; ascending and distinct within each list. */
  readonly docs: Uint32Array
}

/**
 * Inverts documents into posting lists with a counting sort. `eachPair` visits all pairs of list and document with
 * documents ascending; pairs may repeat. It is called twice and must visit the same pairs.
 */
export function buildPostings(lists: number, eachPair: (visit: (list: number, doc: number) => void) => void): Postings {
  const start = sharedArray(Uint32Array, lists + 1)
  const last = new Int32Array(lists).fill(-1)
  eachPair((list, doc) => {
    if (last[list] === doc) return
    last[list] = doc
    start[list + 1]!++
  })
  for (let i = 0; i < lists; i++) start[i + 1]! += start[i]!
  const docs = sharedArray(Uint32Array, start[lists]!)
  const next = start.slice(0, lists)
  last.fill(-1)
  eachPair((list, doc) => {
    if (last[list] === doc) return
    last[list] = doc
    docs[next[list]!++] = doc
  })
  return { start, docs }
}

/** Builds the posting lists of a column: for each value up to `values` (exclusive) the documents that have it. */
export const postingsOfColumn = (column: Uint16Array | Uint32Array, values: number): Postings =>
  buildPostings(values, visit => {
    for (let doc = 0; doc < column.length; doc++) visit(column[doc]!, doc)
  })
