import { isInTree, knownCategories, normalizeCategoryId, topLevelCategories } from '../../domain/category.ts'
import { findNearestNames } from '../../kit/nearest-name.ts'
import type { IndexView } from '../index/index-view.ts'
import { categoryMark, reservedTerm } from '../text/reserved-terms.ts'

/** Number of categories that are suggested in place of an unknown one. */
const maxSuggestions = 3

/** Returns true if a category is in the tree or in a record of the index. */
const isKnown = ({ parts }: IndexView, id: string): boolean =>
  isInTree(id) || parts.some(({ segment }) => segment.terms.find(reservedTerm.category(id)) >= 0)

/**
 * Returns the ids of up to three categories with the most similar ids, the most similar first, if no record has a
 * category and the tree does not have it; otherwise undefined.
 */
export function suggestCategories(view: IndexView, sent: string): readonly string[] | undefined {
  const id = normalizeCategoryId(sent)
  if (isKnown(view, id)) return undefined
  return findNearestNames(id, listCategories(view), maxSuggestions)
}

/** Returns the ids of all categories of the tree and of the records. */
export function listCategories({ parts }: IndexView): readonly string[] {
  const ids = new Set<string>([...topLevelCategories, ...knownCategories()])
  for (const { segment } of parts) {
    const [first, last] = segment.terms.range(categoryMark)
    for (let term = first; term < last; term++) ids.add(segment.terms.text(term).slice(categoryMark.length))
  }
  return [...ids]
}
