import type { ListedCategory } from '../../domain/category.ts'

/** Presents a category in the list of all categories. */
export const listedCategory = (category: ListedCategory) => ({
  id: category.id,
  display_name: category.displayName,
  parent_id: category.parentId,
  top_level_category: category.topLevelCategory,
  count: category.count,
})
