import { type TopLevelCategory, topLevelCategories, withDescendants } from '../../domain/category.ts'
import type { CategoryCount, CategoryCountQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart, IndexView } from '../index/index-view.ts'
import { compileFilters } from './filters.ts'
import { listCategories } from './known-categories.ts'
import { labelSetsOf } from './label-sets.ts'

/** Steps of a document that is compared with filters. */
const stepsPerPlace = 0.5

/**
 * Counts the places of each category of the tree and of the records, with those of the categories below it,
 * within a budget. A category has as many places as a filter by it finds.
 */
export function countCategories(view: IndexView, query: CategoryCountQuery, budget: Budget): readonly CategoryCount[] {
  return countLabelSets(
    view,
    view.parts.map(part => placesOfSets(part, query, budget)),
    budget,
  )
}

/** Returns the counts of categories from the number of places of each label set, by part. */
export function countLabelSets(
  view: IndexView,
  placesOf: readonly Uint32Array[],
  budget: Budget,
): readonly CategoryCount[] {
  const parts = view.parts.map((part, i) => ({ ...part, places: placesOf[i]! }))
  const tops = parts.map(({ segment }) => topLevelCategories.map(top => labelSetsOf(segment, [top], budget)))
  return listCategories(view).map(id => {
    const byTop = new Array<number>(topLevelCategories.length).fill(0)
    let count = 0
    for (const [number, { segment, places }] of parts.entries()) {
      for (const set of labelSetsOf(segment, withDescendants(id), budget)) {
        count += places[set]!
        const top = tops[number]!.findIndex(sets => sets.has(set))
        if (top >= 0) byTop[top]! += places[set]!
      }
    }
    return { id, count, topLevelCategory: mostFrequent(byTop) }
  })
}

/** Returns the top-level category of most places; OTHER without places. */
function mostFrequent(byTop: readonly number[]): TopLevelCategory {
  const most = Math.max(...byTop)
  return most === 0 ? 'OTHER' : topLevelCategories[byTop.indexOf(most)]!
}

/** Returns the number of live places of each label set that pass the filters. */
function placesOfSets(part: IndexPart, query: CategoryCountQuery, budget: Budget): Uint32Array {
  const { segment, dead, deadDocs } = part
  const { labels, labelDocStart } = segment.arrays
  const places = new Uint32Array(labelDocStart.length - 1)
  const passes = compileFilters(segment, query, budget)
  if (passes === undefined) {
    budget.spend(places.length / 4 + (deadDocs?.length ?? 0))
    for (let set = 0; set < places.length; set++) places[set] = labelDocStart[set + 1]! - labelDocStart[set]!
    for (const doc of deadDocs ?? []) places[labels[doc]!]!--
    return places
  }
  budget.require(segment.count * stepsPerPlace)
  for (let doc = 0; doc < segment.count; doc++) {
    budget.spend(stepsPerPlace)
    if (dead?.[doc] !== 1 && passes(doc)) places[labels[doc]!]!++
  }
  return places
}
