import { shared } from './growable.ts'

/** Posting lists: `docs` from `start[list]` up to `start[list + 1]`. */
export interface Postings {
  readonly start: Uint32Array
  readonly docs: Uint32Array
}

/**
 * Inverts documents into posting lists, each ascending and without repetition. `each` visits all pairs (list,
 * document) with documents ascending; it is called twice.
 */
export function buildPostings(lists: number, each: (visit: (list: number, doc: number) => void) => void): Postings {
  const start = shared(Uint32Array, lists + 1)
  const last = new Int32Array(lists).fill(-1)
  each((list, doc) => {
    if (last[list] === doc) return
    last[list] = doc
    start[list + 1]!++
  })
  for (let i = 0; i < lists; i++) start[i + 1]! += start[i]!
  const docs = shared(Uint32Array, start[lists]!)
  const next = start.slice(0, lists)
  last.fill(-1)
  each((list, doc) => {
    if (last[list] === doc) return
    last[list] = doc
    docs[next[list]!++] = doc
  })
  return { start, docs }
}
