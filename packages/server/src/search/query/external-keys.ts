import type { Id } from '../../domain/id.ts'
import { firstNotBelow } from '../../kit/first-not-below.ts'
import { hashText } from '../../kit/hash-text.ts'
import { type IndexView, rankOrder } from '../index/index-view.ts'

/** Maximum number of places of one key; ids that more places share identify none of them. */
const maxPlaces = 100

/**
 * Returns the locations that have a key, by rank. The keys are compared by hash: the caller checks the records of the
 * locations.
 */
export function findByKey(view: IndexView, key: string): readonly Id[] {
  const hash = hashText(key)
  const [parts, docs]: [number[], number[]] = [[], []]
  for (const [number, { segment, dead }] of view.parts.entries()) {
    const { externalHash, externalDoc } = segment.arrays
    for (let at = firstNotBelow(externalHash, hash), found = 0; externalHash[at] === hash && found < maxPlaces; at++) {
      const doc = externalDoc[at]!
      if (dead?.[doc] === 1) continue
      found++
      parts.push(number)
      docs.push(doc)
    }
  }
  const before = rankOrder(view.parts, parts, docs)
  return docs
    .map((_, i) => i)
    .sort((a, b) => (before(a, b) ? -1 : 1))
    .slice(0, maxPlaces)
    .map(i => view.parts[parts[i]!]!.segment.arrays.id[docs[i]!]!)
}
