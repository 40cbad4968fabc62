import { findNearestNames } from '../kit/nearest-name.ts'
import { isInTree, knownCategories, normalizeCategoryId, toCategoryId, topLevelCategories } from './category.ts'

/** Categories of the tree, by `toCategoryId` of the words that the tree lacks. */
export type CategoryMap = ReadonlyMap<string, string>

/** Returns the map of words and categories in the form in which categories are compared. */
export const toCategoryMap = (entries: Iterable<readonly [word: string, category: string]>): CategoryMap =>
  new Map([...entries].map(([word, category]) => [toCategoryId(word), normalizeCategoryId(category)]))

/** Returns the reason why a word cannot be assigned to a category; undefined if it can. */
export function findCategoryMapProblem(word: string, category: string): string | undefined {
  if (isInTree(toCategoryId(word))) return `${toCategoryId(word)} is in the category tree already`
  if (isInTree(normalizeCategoryId(category))) return undefined
  const nearest = findNearestNames(category, [...topLevelCategories, ...knownCategories()], 3).join(', ')
  return `${category} is not in the category tree; the nearest ids are ${nearest}`
}
