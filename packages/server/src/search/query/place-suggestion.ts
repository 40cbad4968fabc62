import type { AutocompleteQuery, PlaceSuggestion, SuggestedName } from '../../domain/autocomplete.ts'
import { chooseTexts, type Locale } from '../../domain/locale.ts'
import type { Point } from '../../domain/search.ts'
import { fold } from '../../kit/fold.ts'
import type { IndexView } from '../index/index-view.ts'
import { findNameText, listNameTexts } from '../index/name-texts.ts'
import { unitsPerDegree } from '../index/regions.ts'
import type { Segment } from '../index/segment.ts'
import { distancesFrom } from '../index/sphere.ts'
import { findHighlights, typedWords } from '../text/highlights.ts'
import type { RankedDocument } from './search-places.ts'
import { secondaryText } from './secondary-text.ts'

/** Returns the function that presents ranked documents as suggestions of a query. */
export function createPresenter(
  { parts }: IndexView,
  { text, locales, near }: AutocompleteQuery,
): (ranked: RankedDocument) => PlaceSuggestion {
  const typed = typedWords(text)
  const distanceTo = near && distancesFrom(near)
  return ({ part, doc, name }) => {
    const { segment } = parts[part]!
    const shown = chooseName(segment, doc, locales)
    const own = findHighlights(shown.value, typed)
    const matched = name < 0 || own.found === typed.words.length ? undefined : nameAt(segment, doc, name)
    const other =
      matched && fold(matched.value) !== fold(shown.value) ? findHighlights(matched.value, typed) : undefined
    const coordinates = pointOf(segment, doc)
    const described = secondaryText(segment, doc, shown.value, locales[0])
    return {
      type: 'location',
      id: segment.arrays.id[doc]!,
      name: shown,
      highlights: own.highlights,
      ...(matched && other && other.found > own.found && { matched: { ...matched, highlights: other.highlights } }),
      ...(described !== '' && { secondaryText: described }),
      categoryId: categoryIdOf(segment, doc),
      coordinates,
      ...(distanceTo && { distanceKm: distanceTo(coordinates.latitude, coordinates.longitude) }),
    }
  }
}

/** Returns the coordinates of a document. */
export const pointOf = ({ arrays: { latitude, longitude } }: Segment, doc: number): Point => ({
  latitude: latitude[doc]! / unitsPerDegree,
  longitude: longitude[doc]! / unitsPerDegree,
})

/** Returns the most special category id of a document. */
export const categoryIdOf = ({ arrays, terms }: Segment, doc: number): string =>
  terms.text(arrays.labelKind[arrays.labels[doc]!]!).slice(1)

const nameAt = ({ arrays, facts }: Segment, doc: number, name: number): SuggestedName | undefined =>
  findNameText(arrays, facts.languages, doc, name)

/** Returns the name in the first requested language that the document has, else its primary name. */
function chooseName({ arrays, facts }: Segment, doc: number, locales: readonly Locale[]): SuggestedName {
  const names = listNameTexts(arrays, facts.languages, doc, locales.length > 0 ? Number.POSITIVE_INFINITY : 1)
  const texts = names.map((name, i) => (i === 0 ? { ...name, primary: true as const } : name))
  const { language, value } = chooseTexts(texts, locales)[0] ?? { language: undefined, value: '' }
  return { ...(language !== undefined && { language }), value }
}
