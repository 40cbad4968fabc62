import { type TopLevelCategory, topLevelNames } from '../../domain/category.ts'
import type { PriceLevel } from '../../domain/location.ts'

const priceLevelNames: Readonly<Record<PriceLevel, string>> = {
  CHEAP: 'Cheap',
  MODERATE: 'Moderate',
  EXPENSIVE: 'Expensive',
  LUXURY: 'Luxury',
}

export const priceLevelName = (level: PriceLevel): string => priceLevelNames[level]

export const topLevelCategoryName = (category: TopLevelCategory): string => topLevelNames[category]

/** Presents an enumeration value as its key and its name. */
export const labelled = <T extends string>(id: T, name: (id: T) => string) => ({ id, display_name: name(id) })
