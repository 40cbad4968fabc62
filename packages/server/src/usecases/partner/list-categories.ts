import {
  findParentCategory,
  isInTree,
  type ListedCategory,
  normalizeCategoryId,
  topLevelCategories,
  withDescendants,
} from '../../domain/category.ts'
import { categoryName } from '../../domain/category-names.ts'
import { type Fault, isFault } from '../../domain/fault.ts'
import type { Scope } from '../../domain/scope.ts'
import type { CategoryCount, PlaceIndex, QueryCaller } from '../../domain/search.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import { checkCategories } from './check-categories.ts'

/** Selects categories. */
export interface CategoriesQuery {
  /** Only the direct children of this category. */
  readonly parent?: string
  /** Counts only places in this country: ISO 3166-1 alpha-2. */
  readonly countryCode?: string
  /** Languages of the names, in order of preference; BCP 47 tags. */
  readonly languages: readonly string[]
}

/** Maximum number of categories that are not in the tree; those with the most places are listed. */
const maxOthers = 1000

/**
 * Lists the categories with the number of places within a scope: those of the tree, each after its
 * parent, then those that only records have.
 */
export function listCategories(
  { index }: { readonly index: Pick<PlaceIndex, 'countCategories' | 'suggestCategories'> },
  scope: Scope,
  { parent, countryCode, languages }: CategoriesQuery,
  caller: QueryCaller,
): Eventual<readonly ListedCategory[] | Fault> {
  const unknown = checkCategories(index, scope, parent === undefined ? [] : [parent], 'parent')
  if (isFault(unknown)) return unknown
  const wanted = parent === undefined ? undefined : normalizeCategoryId(parent)
  return chain(index.countCategories({ scope, ...(countryCode !== undefined && { countryCode }) }, caller), counts =>
    inTreeOrder(counts)
      .map(count => toListed(count, languages))
      .filter(({ parentId }) => wanted === undefined || parentId === wanted),
  )
}

/** Returns the categories that have places, in the order of the tree. */
export const listCounted = (counts: readonly CategoryCount[], languages: readonly string[]): ListedCategory[] =>
  counts.length === 0
    ? []
    : inTreeOrder(counts)
        .filter(({ count }) => count > 0)
        .map(count => toListed(count, languages))

/** Returns the counts of the tree in its order, then those of other categories that have places. */
function inTreeOrder(counts: readonly CategoryCount[]): readonly CategoryCount[] {
  const byId = new Map(counts.map(count => [count.id, count]))
  const others = counts
    .filter(({ id, count }) => count > 0 && !isInTree(id))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
  return [...topLevelCategories.flatMap(withDescendants).map(id => byId.get(id)!), ...others.slice(0, maxOthers)]
}

function toListed({ id, count, topLevelCategory: most }: CategoryCount, languages: readonly string[]): ListedCategory {
  const path = [id]
  for (let above = findParentCategory(id); above !== undefined; above = findParentCategory(above)) path.push(above)
  const topLevelCategory = topLevelCategories.find(top => top === path.at(-1)) ?? most
  return {
    id,
    displayName: categoryName(id, languages),
    ...(id !== topLevelCategory && { parentId: path[1] ?? topLevelCategory }),
    topLevelCategory,
    count,
  }
}
