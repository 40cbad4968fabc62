import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { type CategoryAssignment, describeCategoryMapProblems } from '../../domain/category-map.ts'

/** Returns a fault if words of an import cannot be assigned to these categories. */
export function checkCategories(categories: readonly CategoryAssignment[] = []): AdminFault | undefined {
  const problems = describeCategoryMapProblems(categories)
  return problems.length === 0
    ? undefined
    : adminFault('category_map_invalid', ['category_map'], { file: undefined, problems })
}
