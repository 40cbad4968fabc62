import { categoryDisplayName, findParentCategory, topLevelNames } from '../../domain/category.ts'
import type { RawJson } from '../../kit/long-json.ts'
import type { PresentedCatalogLocation, PresentedCategory, PresentedLocation } from './presented.ts'
import { toTerraNames, withLanguage } from './text.ts'
import { priceWords, toDayName, topLevelWords, toVisitCode } from './words.ts'

/**
 * Converts a location of version 1 to the form of Terra. Members that Terra does not know, such as `attributions`, stay:
 * clients ignore them (SPEC §9.2), and licences require some.
 */
export const toTerraLocation = (location: PresentedLocation, hasLocales: boolean) => ({
  ...location,
  names: toTerraNames(location.names, hasLocales),
  // Always present in Terra: an empty list and a count of zero are true, an invented status would not be.
  descriptions: location.descriptions?.map(withLanguage) ?? [],
  photos: location.photos ?? { total_count: 0 },
  categories: location.categories.map(toTerraCategory),
  opening_hours: location.opening_hours && toTerraHours(location.opening_hours),
  phone_numbers: location.phone_numbers?.map(({ type = 'phone', value }) => ({ type, value })),
  price_level: toPriceWord(location),
  accommodation: location.accommodation && toTerraAccommodation(location.accommodation),
  recommended_visit_length:
    location.recommended_visit_length === undefined ? undefined : toVisitCode(location.recommended_visit_length),
  neighborhoods: location.neighborhoods?.map(({ geo_id: id, name }) => ({ geo_id: toIdText(id), name })),
})

/** Converts a location of the catalog to the smaller form that Terra has of it. */
export function toTerraCatalogLocation(location: PresentedCatalogLocation, hasLocales: boolean) {
  const { categories: _, status: __, traveler_ratings: ratings, ...rest } = location
  return {
    ...rest,
    names: toTerraNames(location.names, hasLocales),
    descriptions: location.descriptions?.map(withLanguage) ?? [],
    overall_rating: ratings?.overall,
  }
}

const toTerraCategory = ({ id, display_name, hierarchy, top_level_category: top }: PresentedCategory) => ({
  id,
  display_name,
  hierarchy: hierarchy?.join(' > '),
  parent_category: toParent(id),
  top_level_category: topLevelWords[top],
})

function toParent(category: string) {
  const id = findParentCategory(category)
  if (id === undefined) return undefined
  return { id, display_name: (topLevelNames as Readonly<Record<string, string>>)[id] ?? categoryDisplayName(id) }
}

const toTerraHours = ({ periods, ...rest }: NonNullable<PresentedLocation['opening_hours']>) => ({
  periods: periods?.map(({ day_of_week: day, opens, closes }) => ({
    day_of_week: toDayName(day),
    opens: `${opens}:00`,
    closes: `${closes}:00`,
  })),
  ...rest,
})

/** Returns the word for a price level, which Terra has for restaurants alone. */
const toPriceWord = ({ price_level: level, categories }: PresentedLocation): string | undefined =>
  level !== undefined && categories.some(({ top_level_category: top }) => top === 'RESTAURANT')
    ? priceWords[level]
    : undefined

/** Stars are whole numbers in Terra. */
const toTerraAccommodation = (accommodation: NonNullable<PresentedLocation['accommodation']>) => ({
  ...accommodation,
  star_rating: accommodation.star_rating === undefined ? undefined : Math.floor(accommodation.star_rating),
})

const toIdText = (id: number | RawJson | undefined): string | undefined =>
  typeof id === 'object' ? id.rawJSON : id?.toString()
