import type { SearchQuery } from '../../domain/search.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart, IndexView } from '../index/index-view.ts'
import { Lexicon } from '../index/lexicon.ts'
import { areaTest, postalTest } from './area-filter.ts'
import { allOf, compileFilters, type Test } from './filters.ts'
import type { PartGroup } from './part-results.ts'

/** Returns the parts of the index, and its overlay, with the compiled filters of a query. */
export function groupsOf({ parts, mains, lexicon }: IndexView, query: SearchQuery, budget: Budget): PartGroup[] {
  const filtered = mapList(parts, (part, number) => ({ ...part, number, passes: filtersOf(part, query, budget) }))
  const overlays = mapList(filtered.slice(mains), part => ({ lexicon: Lexicon.of(part.segment), parts: [part] }))
  return [{ lexicon, parts: filtered.slice(0, mains) }, ...overlays]
}

/** Compiles the filters of a query and its area into one test; the postal code takes precedence over the area. */
function filtersOf({ segment }: IndexPart, query: SearchQuery, budget: Budget): Test | undefined {
  const { postalCode, geoName } = query
  const area =
    postalCode !== undefined
      ? postalTest(segment, postalCode)
      : geoName === undefined
        ? undefined
        : areaTest(segment, geoName, budget)
  return allOf([compileFilters(segment, query, budget), area])
}
