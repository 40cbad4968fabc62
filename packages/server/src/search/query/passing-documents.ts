import { maxRanked } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { Bitmap } from './bitmap.ts'
import type { Test } from './filters.ts'

/** Steps of a document that is counted or skipped without a comparison. */
export const stepsPerVisit = 0.25

/** Memory for the documents of a query, which runs to completion without interleaving. */
const listedScratch = new Uint32Array(4096)
const othersScratch = new Uint32Array(maxRanked)

/** Documents of a query that pass the filters, ascending. */
export interface PassingDocuments {
  readonly preferred: readonly number[]
  /** Valid until the next call. */
  readonly others: Uint32Array
}

/**
 * Returns up to `maxRanked` listed documents that pass a test: those that are preferred, and then the most popular of the
 * others. Stops the tests when these are found.
 */
export function passingDocuments(listed: Bitmap, preferred: Bitmap, isPassing: Test, budget: Budget): PassingDocuments {
  const first: number[] = []
  for (const doc of preferred.members()) {
    budget.spend(stepsPerVisit)
    if (listed.has(doc) && isPassing(doc)) first.push(doc)
  }
  const wanted = Math.max(0, maxRanked - first.length)
  let found = 0
  for (let from = 0; found < wanted; ) {
    const some = listed.membersFrom(from, listedScratch)
    budget.spend(some.length * stepsPerVisit)
    for (let i = 0; i < some.length && found < wanted; i++) {
      if (!preferred.has(some[i]!) && isPassing(some[i]!)) othersScratch[found++] = some[i]!
    }
    if (some.length < listedScratch.length) break
    from = some.at(-1)! + 1
  }
  return { preferred: first, others: othersScratch.subarray(0, found) }
}
