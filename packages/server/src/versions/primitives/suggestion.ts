import type { Highlight, PlaceSuggestion, SuggestedName, Suggestion } from '../../domain/autocomplete.ts'
import type { Locale } from '../../domain/locale.ts'
import { toLongJson } from '../../kit/long-json.ts'

/**
 * Returns the presenter of suggestions, which versions share but for the form of language tags. Undefined members are
 * absent from the JSON.
 */
export const createSuggestionPresenter = (formatLocale: (tag: Locale) => string) => {
  const nameFields = ({ language, value }: SuggestedName) => ({
    language: language === undefined ? undefined : formatLocale(language),
    value,
  })
  return (suggestion: Suggestion): object =>
    suggestion.type === 'location'
      ? presentPlace(suggestion, nameFields)
      : {
          type: suggestion.type,
          text: suggestion.text,
          category_ids: suggestion.categoryIds,
          geo_id: suggestion.geoId && toLongJson(suggestion.geoId),
        }
}

const presentPlace = (place: PlaceSuggestion, nameFields: (name: SuggestedName) => object): object => ({
  type: place.type,
  id: toLongJson(place.id),
  name: nameFields(place.name),
  highlights: orAbsent(place.highlights),
  matched: place.matched && {
    ...nameFields(place.matched),
    highlights: orAbsent(place.matched.highlights),
  },
  secondary_text: place.secondaryText,
  category_id: place.categoryId,
  coordinates: place.coordinates,
  distance_kilometers: place.distanceKm === undefined ? undefined : Math.round(place.distanceKm * 1000) / 1000,
})

/** Returns undefined for an empty list. */
const orAbsent = (highlights: readonly Highlight[]): readonly Highlight[] | undefined =>
  highlights.length > 0 ? highlights : undefined
