import type { TopLevelCategory } from '../../domain/category.ts'
import type { Wants } from '../../domain/interpretation.ts'
import type { TripType } from '../../domain/review.ts'
import { tokens } from '../../kit/tokens.ts'
import { kindSpans, kindsIn } from '../query/understand/kinds-in-text.ts'
import type { NearSpan } from '../query/understand/near.ts'
import { findPlaceInText, type PlaceSpan } from '../query/understand/place-in-text.ts'
import type { PlaceLookup } from '../query/understand/place-names.ts'
import type { ReadPlace } from '../query/understand/read-place.ts'
import { queryWordsIn } from '../query/understand/wants.ts'
import { isFoodWord } from '../text/dish-words.ts'
import { asksForStay, isStopWord, tripTypeOf } from '../text/intent-words.ts'
import { kindPhrases } from '../text/kind-words.ts'
import { separatePhrases } from '../text/separate.ts'
import { type Idea, ideasIn } from './ideas.ts'
import { kindsOfIdeas, kindsOfPhrase } from './kinds.ts'

/** Recommendation intent: the meaning of a query in plain words. */
export interface Intent {
  /** Top-level categories and category ids, one of them is required of a place; empty if the text has no category. */
  readonly categories: readonly string[]
  readonly tripType?: TripType
  /** Facts of records that the text prefers; amenities and the trip type are ideas. */
  readonly wants: Wants
  /** Destination in the text; undefined if the query specifies one. */
  readonly destination?: ReadPlace
  /** Ideas in the remaining words, to look for in names, labels, descriptions and reviews. */
  readonly ideas: readonly Idea[]
  /** Words that denote the categories; they replace `ideas` if it is empty. */
  readonly categoryWords: readonly string[]
}

export interface IntentOptions {
  /** Takes precedence over a trip type in the text. */
  readonly tripType?: TripType
  /** Categories that the text may select. */
  readonly categories?: readonly TopLevelCategory[]
  /** The query has a destination; the text can only repeat it. */
  readonly hasDestination: boolean
  /** Finds a circle around the sight, station or airport in a text that names no other place. */
  readonly findNear?: (all: readonly string[]) => NearSpan | undefined
}

/** Parses the text of a query: first the destination, then categories, then the trip type; stop words are removed. */
export function parseIntent(text: string, lookUp: PlaceLookup, options: IntentOptions): Intent {
  const all = tokens(separatePhrases(text) ?? text)
  const span =
    findPlaceInText(all, lookUp, { mayName: span => !options.hasDestination || span.isIntroduced }) ??
    (options.hasDestination ? undefined : nearSpan(all, options.findNear))
  const rest = span === undefined ? all : all.filter((_, i) => i < span.from || i >= span.to)
  const { categories, isCategoryWord } = kindsIn(rest, options.categories, kindsOfPhrase)
  const isQuantity = (i: number) => quantities.has(rest[i]!) && rest[i + 1] === 'of'
  const free = rest.filter((word, i) => !isCategoryWord[i] && !isStopWord(word) && !isQuantity(i))
  const tripType = options.tripType ?? free.map(tripTypeOf).find(type => type !== undefined)
  const ideas = withoutFood(ideasIn(rest, i => isCategoryWord[i]! || isQuantity(i)))
  // The parameter `category` already decides.
  const kinds = categories.length > 0 || options.categories !== undefined ? categories : kindsOfWords(rest, ideas)
  const { tripType: _, ...facts } = queryWordsIn(rest, kindSpans(rest, kindPhrases)).wants
  return {
    categories: kinds,
    ...(tripType !== undefined && { tripType }),
    ...(span !== undefined && !options.hasDestination && { destination: span.place }),
    wants: { ...facts, labels: [] },
    ideas,
    categoryWords: [...new Set(rest.filter((_, i) => isCategoryWord[i]))],
  }
}

/** Returns ideas without words for food in general, if one is a dish or a cuisine: "cocina italiana". */
function withoutFood(ideas: readonly Idea[]): readonly Idea[] {
  const isFood = ideas.some(({ isDish }) => isDish)
  return isFood ? ideas.filter(({ text, isDish }) => isDish || !isFoodWord(text)) : ideas
}

/** Returns the kinds of places for words that name no kind; rooms and houses are places to stay. */
function kindsOfWords(rest: readonly string[], ideas: readonly Idea[]): readonly string[] {
  const kinds = kindsOfIdeas(ideas)
  return kinds.length === 0 && asksForStay(rest) ? ['HOTEL'] : kinds
}

/** Returns the tokens from the words of closeness to the end, with the circle that they ask for. */
function nearSpan(all: readonly string[], findNear: IntentOptions['findNear']): PlaceSpan | undefined {
  const found = findNear?.(all)
  return found && { from: found.at, to: all.length, place: found.place }
}

/** Words of quantity before "of", which are no trip types: "a couple of days". */
const quantities = new Set(['couple', 'group'])
