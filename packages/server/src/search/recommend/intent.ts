import { type TopLevelCategory, topLevelCategories, topLevelCategory } from '../../domain/category.ts'
import type { TripType } from '../../domain/review.ts'
import { categoryPhrases, longestCategoryPhrase, separateCategory } from '../text/category-words.ts'
import { tokens } from '../text/tokens.ts'
import { isStopWord, occasionFor, tripNamed } from './intent-words.ts'
import type { Place } from './places.ts'
import { placeInText } from './recommendation-weights.ts'

/** An intent, taken apart. */
export interface Intent {
  /** Top-level categories and category ids of which a place has to have one; empty where none is named. */
  readonly kinds: readonly string[]
  readonly tripType?: TripType
  /** Taken from the text. */
  readonly place?: Place
  /** What is left, to be looked for in names, labels, descriptions and reviews. */
  readonly words: readonly string[]
  /** Words that name the kind, for want of others. */
  readonly kindWords: readonly string[]
}

export interface IntentOptions {
  readonly tripType?: TripType
  readonly categories?: readonly TopLevelCategory[]
  /** Somebody said where: the text only says so again. */
  readonly placeGiven: boolean
}

/** Looks a place up by the tokens of its name; "athens" within "georgia". */
export type PlaceLookup = (words: readonly string[], within?: string) => Place | undefined

/** Takes an intent apart: where first, then what kind of place, then with whom; the rest is text. */
export function parseIntent(text: string, lookUp: PlaceLookup, options: IntentOptions): Intent {
  const all = tokens(separateCategory(text) ?? text)
  const where = findPlace(all, lookUp, options.placeGiven)
  const rest = where === undefined ? all : all.filter((_, i) => i < where.from || i >= where.to)
  const { kinds, taken } = kindsIn(rest, options.categories)
  const free = rest.filter((word, i) => !taken[i] && !isStopWord(word))
  const tripType = options.tripType ?? free.map(tripNamed).find(type => type !== undefined)
  return {
    kinds,
    ...(tripType !== undefined && { tripType }),
    ...(where !== undefined && !options.placeGiven && { place: where.place }),
    words: [...new Set(free)],
    kindWords: [...new Set(rest.filter((_, i) => taken[i]))],
  }
}

/** Words that say that a place follows, in the languages of the category words; not "a" and "à", which say too little. */
const introducing = new Set(
  'in at near around of en cerca de del dans pres im am bei nahe nella nel nei em na no perto bij w kolo nara в во на около'.split(
    ' ',
  ),
)
const articles = new Set('the la le el los las den der'.split(' '))

interface PlaceSpan {
  readonly from: number
  readonly to: number
  readonly place: Place
}

/**
 * The part of the text that names a place: one behind "in" before others, a popular one before others, a longer name
 * before a shorter one. What nothing introduces has to be well known or stand at the end.
 */
function findPlace(all: readonly string[], lookUp: PlaceLookup, introducedOnly: boolean): PlaceSpan | undefined {
  const seen = new Set<string>()
  let best: PlaceSpan | undefined
  let most = 0
  for (let length = Math.min(placeInText.longest, all.length); length > 0; length--) {
    for (let from = 0; from + length <= all.length; from++) {
      const words = all.slice(from, from + length)
      if (words.every(saysSomethingElse)) continue
      const introduced = isIntroduced(all, from)
      if (introducedOnly && !introduced) continue
      const ends = from + length === all.length && from > 0
      // The same words again are no better, unless something introduces them or they end the text.
      const key = `${introduced} ${ends} ${words.join(' ')}`
      if (seen.has(key)) continue
      seen.add(key)
      const place = lookUp(words)
      if (!place || !(introduced || ends || place.popularity >= placeInText.leastPopularity)) continue
      const rank = place.popularity + (introduced ? placeInText.introduced : 0) + length / 100
      if (rank <= most) continue
      most = rank
      best = { from, to: from + length, place }
    }
  }
  return best && narrowed(all, best, lookUp)
}

/** "Athens Georgia", "Athens, Greece": the words behind a place may say which of that name. */
function narrowed(all: readonly string[], span: PlaceSpan, lookUp: PlaceLookup): PlaceSpan {
  const words = all.slice(span.from, span.to)
  for (let to = Math.min(all.length, span.to + placeInText.longest); to > span.to; to--) {
    const behind = all.slice(span.to, to)
    if (behind.every(saysSomethingElse)) continue
    const place = lookUp(words, behind.join(' '))
    if (place) return { from: span.from, to, place }
  }
  return span
}

const isIntroduced = (all: readonly string[], from: number): boolean =>
  introducing.has(all[from - 1]!) || (articles.has(all[from - 1]!) && introducing.has(all[from - 2]!))

const saysSomethingElse = (word: string): boolean =>
  isStopWord(word) || categoryPhrases.has(word) || tripNamed(word) !== undefined || introducing.has(word)

/** Hotel before restaurant before sight: a "hotel near the beach" is a hotel, a "restaurant in the park" no park. */
const precedence: readonly string[] = ['HOTEL', 'RESTAURANT', 'ATTRACTION', 'TRANSPORT']
const topOf = (kind: string): string => topLevelCategory(kind.toLowerCase()) ?? 'OTHER'

interface Named {
  readonly from: number
  readonly to: number
  readonly kinds: readonly string[]
}

/** The kinds of place that the words name, of one branch of the category tree, and which words do. */
function kindsIn(rest: readonly string[], categories: readonly TopLevelCategory[] = topLevelCategories) {
  const named = namedKinds(rest)
  const asked = [...named.flatMap(({ kinds }) => kinds), ...rest.flatMap(word => occasionFor(word) ?? [])]
  const top = precedence.find(one => categories.some(category => category === one) && asked.map(topOf).includes(one))
  const fits = (kind: string) => topOf(kind) === top
  const kinds = new Set(named.flatMap(span => span.kinds.filter(fits)))
  const taken = rest.map((_, i) => named.some(({ from, to, kinds: of }) => i >= from && i < to && of.some(fits)))
  // "Dinner" asks for restaurants of any kind, "dinner in a bar" for bars.
  if (kinds.size === 0 && top !== undefined) kinds.add(top)
  return { kinds: [...kinds], taken }
}

/** The longest phrases of the table of category words, from the left. */
function namedKinds(rest: readonly string[]): Named[] {
  const named: Named[] = []
  for (let from = 0; from < rest.length; from++) {
    for (let length = Math.min(longestCategoryPhrase, rest.length - from); length > 0; length--) {
      const kinds = categoryPhrases.get(rest.slice(from, from + length).join(' '))
      if (!kinds) continue
      named.push({ from, to: from + length, kinds })
      from += length - 1
      break
    }
  }
  return named
}
