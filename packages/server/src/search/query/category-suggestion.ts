import type { AutocompleteQuery, CategorySuggestion, PlaceSuggestion } from '../../domain/autocomplete.ts'
import {
  categoryDisplayName,
  findTopLevelCategory,
  normalizeCategoryId,
  topLevelCategories,
  topLevelNames,
  withDescendants,
} from '../../domain/category.ts'
import { tokens } from '../../kit/tokens.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { BoxRegion } from '../index/regions.ts'
import { boxAround } from '../index/sphere.ts'
import { categoryPhrases, isConnective } from '../text/category-words.ts'
import { compileFilters } from './filters.ts'
import { categoryIdOf, pointOf } from './place-suggestion.ts'
import { type RankedDocument, rankPlaces } from './search-places.ts'

interface Suggested {
  readonly query: AutocompleteQuery
  readonly ranked: readonly RankedDocument[]
  readonly places: readonly PlaceSuggestion[]
  /** Returns the name of a ranked document as the query shows it. */
  readonly nameOf: (ranked: RankedDocument) => string
}

/** A kind of place, and whether the text names it. */
interface FoundCategory {
  readonly suggestion: CategorySuggestion
  readonly isTyped: boolean
}

/** Letters from which on the beginning of a word is read as that of a category. */
const minPrefix = 3

/**
 * Suggests the kind of place that a text names ("hostels", "hostels in hal"), or the kind that is most frequent in the
 * city that is the best match of the text.
 */
export function suggestCategory(view: IndexView, suggested: Suggested, budget: Budget): FoundCategory | undefined {
  const { text } = suggested.query
  const typed = readCategory(tokens(text))
  if (typed === undefined) return suggestInCity(view, suggested, budget)
  const { id, rest } = typed
  if (!passes(id, suggested.query)) return undefined
  if (rest.length === 0) return { suggestion: toSuggestion(id), isTyped: typed.isComplete }
  const { scope, countryCode } = suggested.query
  const area = rankPlaces(
    view,
    {
      text: rest.join(' ') + (/\s$/.test(text) ? ' ' : ''),
      isTyping: true,
      categories: ['GEO'],
      offset: 0,
      limit: 1,
      ...(scope && { scope }),
      ...(countryCode !== undefined && { countryCode }),
    },
    budget,
  )[0]
  return area && { suggestion: toSuggestion(id, areaOf(view, area, suggested)), isTyped: true }
}

/** Returns true if a filter by a kind of place leaves what the filters and the scope of a query do. */
function passes(id: string, { categories, categoryIds, scope }: AutocompleteQuery): boolean {
  const top = topLevelCategories.find(one => one === id) ?? findTopLevelCategory(id)
  const isBelow = (above: string) => withDescendants(normalizeCategoryId(above)).includes(id)
  const isWanted = categoryIds?.some(isBelow) ?? true
  return isWanted && [categories, scope?.categories].every(tops => tops?.some(one => one === top) ?? true)
}

interface Area {
  readonly geoId: bigint
  readonly name: string
}

const areaOf = ({ parts }: IndexView, ranked: RankedDocument, { nameOf }: Pick<Suggested, 'nameOf'>): Area => ({
  geoId: parts[ranked.part]!.segment.arrays.id[ranked.doc]!,
  name: nameOf(ranked),
})

/** Reads the category phrase at the start of a text, or at its end; the rest names an area. */
function readCategory(words: readonly string[]) {
  for (let length = words.length; length > 0; length--) {
    const [start, end] = [words.slice(0, length), words.slice(-length)]
    const [atStart, atEnd] = [start, end].map(phrase => categoryPhrases.get(phrase.join(' '))?.[0])
    if (atStart !== undefined) return { id: atStart, rest: withoutConnectives(words.slice(length)), isComplete: true }
    if (atEnd !== undefined) return { id: atEnd, rest: withoutConnectives(words.slice(0, -length)), isComplete: true }
  }
  const text = words.join(' ')
  if (text.length < minPrefix) return undefined
  const begun = categoryPhrases.keys().find(phrase => phrase.startsWith(text))
  return begun === undefined ? undefined : { id: categoryPhrases.get(begun)![0]!, rest: [], isComplete: false }
}

const withoutConnectives = (words: readonly string[]): readonly string[] => words.filter(word => !isConnective(word))

/** Radius around a city in which its kinds of places are counted, in kilometres. */
const cityKm = 10
/** Maximum number of places that are counted. */
const maxCounted = 5000
const suggestedTops = ['HOTEL', 'RESTAURANT', 'ATTRACTION'].map(top =>
  topLevelCategories.indexOf(top as (typeof topLevelCategories)[number]),
)

/** Suggests the most frequent kind of place in the city that is the best match. */
function suggestInCity(view: IndexView, suggested: Suggested, budget: Budget): FoundCategory | undefined {
  const { ranked, places, query } = suggested
  const [first, place] = [ranked[0], places[0]]
  if (!first || !place?.categoryId.startsWith('geo:')) return undefined
  // A query for a category asks for no other one.
  if (query.categories?.length || query.categoryIds?.length) return undefined
  const id = findFrequentKind(view, first, query, budget)
  return id === undefined ? undefined : { suggestion: toSuggestion(id, areaOf(view, first, suggested)), isTyped: false }
}

function findFrequentKind(
  view: IndexView,
  { part, doc }: RankedDocument,
  { scope }: AutocompleteQuery,
  budget: Budget,
): string | undefined {
  const region = new BoxRegion(boxAround(pointOf(view.parts[part]!.segment, doc), cityKm))
  const counts = new Map<string, number>()
  for (const { segment, dead } of view.parts) {
    const { arrays, points } = segment
    const passes = compileFilters(segment, scope ? { scope } : {}, budget)
    let left = maxCounted
    points.visit(region, budget, (from, to) => {
      for (let at = from; at < to && left > 0; at++, left--) {
        const one = points.docs[at]!
        budget.spend(0.5)
        if (dead?.[one] === 1 || !suggestedTops.includes(arrays.category[one]!) || passes?.(one) === false) continue
        const id = categoryIdOf(segment, one)
        counts.set(id, (counts.get(id) ?? 0) + 1)
      }
    })
  }
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return best?.[0]
}

const toSuggestion = (id: string, area?: Area): CategorySuggestion => ({
  type: 'category',
  text: area ? `${pluralName(id)} in ${area.name}` : pluralName(id),
  categoryIds: [id.toLowerCase()],
  ...(area && { geoId: area.geoId }),
})

/** Kinds whose name has no plural. */
const uncountable: readonly string[] = ['fast_food', 'nightlife', 'lodging', 'world_heritage']

/** Returns the English plural of the display name of a category: `Bakeries`. */
function pluralName(id: string): string {
  const top = topLevelCategories.find(one => one === id)
  if (top) return topLevelNames[top]
  const name = categoryDisplayName(id)
  if (uncountable.includes(id)) return name
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}
