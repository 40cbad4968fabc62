import { findNearestNames } from '../kit/nearest-name.ts'
import { isInTree, knownCategories, normalizeCategoryId, toCategoryId, topLevelCategories } from './category.ts'

/** Categories of the tree, by `toCategoryId` of the words that the tree lacks. */
export type CategoryMap = ReadonlyMap<string, string>

/** A word that the tree lacks, and the category that it is assigned to. */
export interface CategoryAssignment {
  readonly word: string
  readonly category: string
}

/** Number of problems to name. */
const namedProblems = 10

/** Describes the problems of assignments in sentences, at most ten of them; `at` says where an assignment is. */
export function describeCategoryMapProblems(
  assignments: readonly (CategoryAssignment & { readonly at?: string })[],
): string[] {
  const problems = assignments.flatMap(({ word, category, at = `${word}=${category}` }) => {
    const problem =
      word === '' || category === '' ? 'a word or its category is missing' : findCategoryMapProblem(word, category)
    return problem === undefined ? [] : [`${at}: ${problem}.`]
  })
  if (problems.length <= namedProblems) return problems
  return [...problems.slice(0, namedProblems), `And ${problems.length - namedProblems} more.`]
}

/** Parses `word=category`; undefined for other text. Words may contain `=`, categories do not. */
export function parseCategoryAssignment(text: string): CategoryAssignment | undefined {
  const at = text.lastIndexOf('=')
  const [word, category] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()]
  return word === '' || category === '' ? undefined : { word, category }
}

/** Writes an assignment as `word=category`. */
export const formatCategoryAssignment = ({ word, category }: CategoryAssignment): string => `${word}=${category}`

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
