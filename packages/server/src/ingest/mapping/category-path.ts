import { findTopLevelCategory, type TopLevelCategory, toCategoryId } from '../../domain/category.ts'

/** Branches of categories in large taxonomies (Overture, Foursquare) that are not in the category tree. */
const branches: Readonly<Record<string, TopLevelCategory>> = {
  dining_and_drinking: 'RESTAURANT',
  eat_and_drink: 'RESTAURANT',
  food_and_drink: 'RESTAURANT',
  accommodation: 'HOTEL',
  arts_and_entertainment: 'ATTRACTION',
  landmarks_and_outdoors: 'ATTRACTION',
  landmark_and_historical_building: 'ATTRACTION',
  attractions_and_activities: 'ATTRACTION',
  cultural_and_historic: 'ATTRACTION',
  transport_hub: 'TRANSPORT',
  structure_and_geography: 'GEO',
}

/** A category in the form of nested records (rulings: Operations). */
export interface NestedCategory {
  readonly id: string
  readonly display_name: string
  readonly hierarchy: readonly string[]
  readonly top_level_category: TopLevelCategory | undefined
}

/**
 * Converts a path through a taxonomy, starting with the broadest step, to a category. Its branch comes from the
 * narrowest step that is in the category tree or in `branches`. The last word also matches: `pizza_restaurant`.
 */
export function toNestedCategory(path: readonly string[]): NestedCategory | undefined {
  const leaf = path.at(-1)
  if (leaf === undefined) return undefined
  const ids = path.map(toId)
  const candidates = ids
    .toReversed()
    .map(id => findTopLevelCategory(id) ?? branches[id] ?? findTopLevelCategory(id.split('_').at(-1)!))
  return {
    id: ids.at(-1)!,
    display_name: displayName(leaf),
    hierarchy: path.map(displayName),
    top_level_category: candidates.find(branch => branch !== undefined && branch !== 'OTHER'),
  }
}

/** Converts a step to an id: `Café, Coffee, and Tea House` -> `café_coffee_and_tea_house`. */
const toId = (step: string): string => toCategoryId(step.replace(/[,/()&]+/g, ' '))

/** Converts a step to a display name: `pizza_restaurant` -> `Pizza restaurant`. */
function displayName(step: string): string {
  const words = step.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
