import { isInTree, knownCategories, normalizeCategoryId, topLevelCategories } from '../../domain/category.ts'
import { isFullScope, type Scope } from '../../domain/scope.ts'
import { findNearestNames } from '../../kit/nearest-name.ts'
import { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { categoryMark, reservedTerm } from '../text/reserved-terms.ts'
import { compileFilters } from './filters.ts'
import { labelSetsOf } from './label-sets.ts'

/** Number of categories that are suggested in place of an unknown one. */
const maxSuggestions = 3

/**
 * Returns the ids of up to three categories with the most similar ids, the most similar first, if no record in the
 * scope has a category and the tree does not have it; otherwise undefined. A narrowed scope is shown ids of the tree
 * only, because the others name what records contain.
 */
export function suggestCategories(view: IndexView, sent: string, scope: Scope): readonly string[] | undefined {
  const id = normalizeCategoryId(sent)
  if (isInTree(id) || hasRecords(view, id, scope)) return undefined
  return findNearestNames(id, isFullScope(scope) ? listCategories(view) : categoriesOfTree(), maxSuggestions)
}

/** Returns true if a record in a scope has a category. */
function hasRecords({ parts }: IndexView, id: string, scope: Scope): boolean {
  if (isFullScope(scope)) return parts.some(({ segment }) => segment.terms.find(reservedTerm.category(id)) >= 0)
  // Few records have a category that is not in the tree: the work needs no limit.
  const budget = Budget.unlimited()
  return parts.some(({ segment, dead }) => {
    const passes = compileFilters(segment, { scope }, budget)!
    const { docStart, docs } = segment.labels
    for (const set of labelSetsOf(segment, [id], budget))
      for (let at = docStart[set]!; at < docStart[set + 1]!; at++)
        if (dead?.[docs[at]!] !== 1 && passes(docs[at]!)) return true
    return false
  })
}

const categoriesOfTree = (): readonly string[] => [...topLevelCategories, ...knownCategories()]

/** Returns the ids of all categories of the tree and of the records. */
export function listCategories({ parts }: IndexView): readonly string[] {
  const ids = new Set(categoriesOfTree())
  for (const { segment } of parts) {
    const [first, last] = segment.terms.range(categoryMark)
    for (let term = first; term < last; term++) ids.add(segment.terms.text(term).slice(categoryMark.length))
  }
  return [...ids]
}
