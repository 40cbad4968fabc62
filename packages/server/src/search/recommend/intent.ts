import { findTopLevelCategory, type TopLevelCategory, topLevelCategories } from '../../domain/category.ts'
import type { TripType } from '../../domain/review.ts'
import { categoryPhrases, longestCategoryPhrase, separateCategory } from '../text/category-words.ts'
import { tokens } from '../text/tokens.ts'
import type { Destination } from './destinations.ts'
import { isStopWord, occasionFor, tripTypeOf } from './intent-words.ts'
import { destinationInText } from './recommendation-weights.ts'

/** Recommendation intent: the meaning of a query in plain words. */
export interface Intent {
  /** Top-level categories and category ids, one of them is required of a place; empty if the text has no category. */
  readonly categories: readonly string[]
  readonly tripType?: TripType
  /** Destination in the text; undefined if the query specifies one. */
  readonly destination?: Destination
  /** Remaining words, to look for in names, labels, descriptions and reviews. */
  readonly words: readonly string[]
  /** Words that denote the categories; they replace `words` if it is empty. */
  readonly categoryWords: readonly string[]
}

export interface IntentOptions {
  /** Takes precedence over a trip type in the text. */
  readonly tripType?: TripType
  /** Categories that the text may select. */
  readonly categories?: readonly TopLevelCategory[]
  /** The query has a destination; the text can only repeat it. */
  readonly hasDestination: boolean
}

/** Finds the destination with a name, given as tokens; `within` is an additional area: "georgia" for "athens". */
export type DestinationLookup = (words: readonly string[], within?: string) => Destination | undefined

/** Parses the text of a query: first the destination, then categories, then the trip type; stop words are removed. */
export function parseIntent(text: string, lookUp: DestinationLookup, options: IntentOptions): Intent {
  const all = tokens(separateCategory(text) ?? text)
  const span = findDestination(all, lookUp, options.hasDestination)
  const rest = span === undefined ? all : all.filter((_, i) => i < span.from || i >= span.to)
  const { categories, isCategoryWord } = categoriesIn(rest, options.categories)
  const free = rest.filter((word, i) => !isCategoryWord[i] && !isStopWord(word))
  const tripType = options.tripType ?? free.map(tripTypeOf).find(type => type !== undefined)
  return {
    categories,
    ...(tripType !== undefined && { tripType }),
    ...(span !== undefined && !options.hasDestination && { destination: span.destination }),
    words: [...new Set(free)],
    categoryWords: [...new Set(rest.filter((_, i) => isCategoryWord[i]))],
  }
}

/** Prepositions before a destination, in the languages of the category words; "a" and "à" have too many other uses. */
const prepositions = new Set(
  'in at near around of en cerca de del dans pres im am bei nahe nella nel nei em na no perto bij w kolo nara в во на около'.split(
    ' ',
  ),
)
const articles = new Set('the la le el los las den der'.split(' '))

/** Tokens of a text, `from` up to `to` (exclusive), that name a destination. */
interface DestinationSpan {
  readonly from: number
  readonly to: number
  readonly destination: Destination
}

/**
 * Finds the best destination in a text: one after a preposition before others, then the most popular, then the longest
 * name. A name without a preposition has to be popular or at the end of the text.
 */
function findDestination(
  all: readonly string[],
  lookUp: DestinationLookup,
  needsPreposition: boolean,
): DestinationSpan | undefined {
  let best: DestinationSpan | undefined
  let bestRank = 0
  for (const { from, to, isIntroduced, isLast } of destinationSpans(all)) {
    if (needsPreposition && !isIntroduced) continue
    const destination = lookUp(all.slice(from, to))
    if (!destination) continue
    if (!isIntroduced && !isLast && destination.popularity < destinationInText.minPopularity) continue
    const rank = destination.popularity + (isIntroduced ? destinationInText.introduced : 0) + (to - from) / 100
    if (rank <= bestRank) continue
    bestRank = rank
    best = { from, to, destination }
  }
  return best && narrowed(all, best, lookUp)
}

/** Yields the spans of a text that may name a destination, longest first. */
function* destinationSpans(all: readonly string[]) {
  const seen = new Set<string>()
  for (let length = Math.min(destinationInText.maxTokens, all.length); length > 0; length--) {
    for (let from = 0; from + length <= all.length; from++) {
      const to = from + length
      const words = all.slice(from, to)
      if (words.every(hasOtherMeaning)) continue
      const isIntroduced = isAfterPreposition(all, from)
      const isLast = to === all.length && from > 0
      // Repeated words rank the same unless they follow a preposition or end the text.
      const key = `${isIntroduced} ${isLast} ${words.join(' ')}`
      if (seen.has(key)) continue
      seen.add(key)
      yield { from, to, isIntroduced, isLast }
    }
  }
}

/** Extends a span if the following words select one of several destinations: "Athens Georgia", "Athens, Greece". */
function narrowed(all: readonly string[], span: DestinationSpan, lookUp: DestinationLookup): DestinationSpan {
  const words = all.slice(span.from, span.to)
  for (let to = Math.min(all.length, span.to + destinationInText.maxTokens); to > span.to; to--) {
    const following = all.slice(span.to, to)
    if (following.every(hasOtherMeaning)) continue
    const destination = lookUp(words, following.join(' '))
    if (destination) return { from: span.from, to, destination }
  }
  return span
}

/** Returns true if a preposition, or a preposition and an article, precede a token. */
const isAfterPreposition = (all: readonly string[], at: number): boolean =>
  prepositions.has(all[at - 1]!) || (articles.has(all[at - 1]!) && prepositions.has(all[at - 2]!))

/** Returns true if a word means something other than a destination. */
const hasOtherMeaning = (word: string): boolean =>
  isStopWord(word) || categoryPhrases.has(word) || tripTypeOf(word) !== undefined || prepositions.has(word)

/** Precedence between categories: a "hotel near the beach" is a hotel, a "restaurant in the park" is not a park. */
const precedence: readonly string[] = ['HOTEL', 'RESTAURANT', 'ATTRACTION', 'TRANSPORT']
const topLevelOf = (category: string): string => findTopLevelCategory(category.toLowerCase()) ?? 'OTHER'

/** Tokens, `from` up to `to` (exclusive), that denote categories. */
interface CategorySpan {
  readonly from: number
  readonly to: number
  readonly categories: readonly string[]
}

/** Returns the categories in a text, of one top-level category that is allowed, and the tokens that denote them. */
function categoriesIn(rest: readonly string[], allowed: readonly TopLevelCategory[] = topLevelCategories) {
  const spans = categorySpans(rest)
  const inText = [...spans.flatMap(span => span.categories), ...rest.flatMap(word => occasionFor(word) ?? [])]
  const topLevel = precedence.find(
    one => allowed.some(category => category === one) && inText.map(topLevelOf).includes(one),
  )
  const fits = (category: string) => topLevelOf(category) === topLevel
  const categories = new Set(spans.flatMap(span => span.categories.filter(fits)))
  const isCategoryWord = rest.map((_, i) =>
    spans.some(span => i >= span.from && i < span.to && span.categories.some(fits)),
  )
  // "Dinner" asks for restaurants of any kind, "dinner in a bar" only for bars.
  if (categories.size === 0 && topLevel !== undefined) categories.add(topLevel)
  return { categories: [...categories], isCategoryWord }
}

/** Finds category phrases greedily from the left, longest first. */
function categorySpans(rest: readonly string[]): CategorySpan[] {
  const spans: CategorySpan[] = []
  for (let from = 0; from < rest.length; from++) {
    for (let length = Math.min(longestCategoryPhrase, rest.length - from); length > 0; length--) {
      const categories = categoryPhrases.get(rest.slice(from, from + length).join(' '))
      if (!categories) continue
      spans.push({ from, to: from + length, categories })
      from += length - 1
      break
    }
  }
  return spans
}
