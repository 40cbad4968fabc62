import { maxRanked } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart } from '../index/index-view.ts'
import type { Bitmap } from './bitmap.ts'
import type { Test } from './filters.ts'
import { firstByRank } from './rank-order.ts'

/** Steps of a document that is counted or skipped without a comparison. */
export const stepsPerVisit = 0.25

/** Memory for the documents of a query, which runs to completion without interleaving; the second for each part. */
const listedScratch = new Uint32Array(4096)
const othersScratch: Uint32Array[] = []

/** Listed documents of a part; `preferred` ones come first. */
export interface ListedPart {
  readonly part: IndexPart
  readonly listed: Bitmap
  readonly preferred: Bitmap
  readonly isPassing: Test
}

/** Documents of a part that pass the filters, ascending. */
export interface PassingDocuments {
  readonly preferred: readonly number[]
  /** Valid until the next call. */
  readonly others: Uint32Array
}

/**
 * Returns up to `maxRanked` listed documents that pass a test: those that are preferred, and then the first of the
 * others by rank over all parts. Stops the tests when these are found.
 */
export function passingDocuments(parts: readonly ListedPart[], budget: Budget): readonly PassingDocuments[] {
  let count = 0
  const preferred = parts.map(({ listed, preferred, isPassing }) => {
    const found: number[] = []
    for (const doc of preferred.members()) {
      budget.spend(stepsPerVisit)
      if (listed.has(doc) && isPassing(doc)) found.push(doc)
    }
    count += found.length
    return found
  })
  const wanted = Math.max(0, maxRanked - count)
  const others = parts.map((part, i) => othersOf(part, i, wanted, budget))
  const ends = firstByRank(
    parts.map(({ part }) => part),
    others,
    wanted,
  )
  return parts.map((_, i) => ({ preferred: preferred[i]!, others: others[i]!.subarray(0, ends[i]) }))
}

/** Returns the first `wanted` documents of part `number` that are not preferred and pass. */
function othersOf({ listed, preferred, isPassing }: ListedPart, number: number, wanted: number, budget: Budget) {
  othersScratch[number] ??= new Uint32Array(maxRanked)
  const into = othersScratch[number]
  let found = 0
  for (let from = 0; found < wanted; ) {
    const some = listed.membersFrom(from, listedScratch)
    budget.spend(some.length * stepsPerVisit)
    for (let i = 0; i < some.length && found < wanted; i++) {
      if (!preferred.has(some[i]!) && isPassing(some[i]!)) into[found++] = some[i]!
    }
    if (some.length < listedScratch.length) break
    from = some.at(-1)! + 1
  }
  return into.subarray(0, found)
}
