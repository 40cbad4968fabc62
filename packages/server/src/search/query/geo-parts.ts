import type { Scope } from '../../domain/scope.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart, IndexView } from '../index/index-view.ts'
import { compileFilters, type Test } from './filters.ts'
import { GeoLevels } from './geo-levels.ts'

/** A part of the index with the levels of its areas. */
export interface GeoPart {
  readonly view: IndexView
  readonly part: IndexPart
  readonly levels: GeoLevels
  /** Returns true for a live document within the scope. */
  readonly isListed: Test
}

/** Returns the parts of a view for a scope. */
export const geoParts = (view: IndexView, scope: Scope, budget: Budget): readonly GeoPart[] =>
  view.parts.map(part => {
    const passes = compileFilters(part.segment, { scope }, budget)
    return {
      view,
      part,
      levels: new GeoLevels(part.segment, budget),
      isListed: doc => part.dead?.[doc] !== 1 && (passes === undefined || passes(doc)),
    }
  })
