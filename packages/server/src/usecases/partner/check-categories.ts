import { type Fault, fault } from '../../domain/fault.ts'
import type { Scope } from '../../domain/scope.ts'
import type { PlaceIndex } from '../../domain/search.ts'

/**
 * Returns a fault for the first category id that is neither in the tree nor in a record in a scope, with the nearest
 * ones.
 * `field` is the parameter that contains the ids.
 */
export function checkCategories(
  index: Pick<PlaceIndex, 'suggestCategories'>,
  scope: Scope,
  ids: readonly string[] = [],
  field = 'category_id',
): Fault | undefined {
  for (const id of ids) {
    const nearest = index.suggestCategories(id, scope)
    if (nearest === undefined) continue
    const message = `${field} must be the id of a category. The nearest ids are ${nearest.join(', ')}; /categories lists all.`
    return fault('parameters_invalid', {
      detail: message,
      fieldErrors: [{ field, message, rejectedValue: id.slice(0, 200) }],
    })
  }
  return undefined
}
