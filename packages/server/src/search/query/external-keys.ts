import type { Id } from '../../domain/id.ts'
import type { KeyQuery } from '../../domain/search.ts'
import { firstNotBelow } from '../../kit/first-not-below.ts'
import { hashText } from '../../kit/hash-text.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexView, rankOrder } from '../index/index-view.ts'
import { allOf, compileFilters } from './filters.ts'

/** Maximum number of places of one key; ids that more places share identify none of them. */
const maxPlaces = 100

/** Steps of the search for the hash of a key in a part. */
const stepsPerKey = 5

/**
 * Returns the locations in a scope that have each key, by rank, within a budget. The keys are compared by hash: the
 * caller checks the records of the locations.
 */
export function findByKeys(view: IndexView, { keys, scope }: KeyQuery, budget: Budget): readonly (readonly Id[])[] {
  const parts = view.parts.map(({ segment, dead }) => {
    const isLive = dead && ((doc: number) => dead[doc] !== 1)
    return { arrays: segment.arrays, passes: allOf([isLive, compileFilters(segment, { scope }, budget)]) }
  })
  return keys.map(key => {
    const hash = hashText(key)
    const [numbers, docs]: [number[], number[]] = [[], []]
    for (const [number, { arrays, passes }] of parts.entries()) {
      const { externalHash, externalDoc } = arrays
      budget.spend(stepsPerKey)
      for (
        let at = firstNotBelow(externalHash, hash), found = 0;
        externalHash[at] === hash && found < maxPlaces;
        at++
      ) {
        budget.spend(1)
        const doc = externalDoc[at]!
        if (passes && !passes(doc)) continue
        found++
        numbers.push(number)
        docs.push(doc)
      }
    }
    const before = rankOrder(view.parts, numbers, docs)
    return docs
      .map((_, i) => i)
      .sort((a, b) => (before(a, b) ? -1 : 1))
      .slice(0, maxPlaces)
      .map(i => parts[numbers[i]!]!.arrays.id[docs[i]!]!)
  })
}
