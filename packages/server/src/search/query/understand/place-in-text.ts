import { mapList } from '../../../kit/map-list.ts'
import { isBigram } from '../../../kit/tokens.ts'
import { categoryPhrases } from '../../text/category-words.ts'
import { isStopWord, tripTypeOf } from '../../text/intent-words.ts'
import type { PlaceLookup } from './place-names.ts'
import type { ReadPlace } from './read-place.ts'

/** Rules for finding a place in a text. */
const rules = {
  /** Minimum popularity of a name that no preposition introduces; corresponds to about 50,000 inhabitants. */
  minPopularity: 0.5,
  /** The same of a name that is also a stop word ("Nice"); 200,000 inhabitants. */
  minPopularityOfStopWord: 0.6,
  /**
   * Added to the popularity of a name that a preposition introduces, or one that is also part of names, or the first,
   * second … comma of the text.
   */
  introduced: 2,
  partOfName: 0.5,
  comma: 1,
  furtherComma: 0.5,
  /** Maximum number of tokens in a name. */
  maxTokens: 5,
  /** The same of a name in a script without spaces between words. */
  maxBigrams: 12,
} as const

/** Prepositions before a place, in the languages of the category words; "a" and "à" have too many other uses. */
const prepositions = new Set(
  'in at near around of en cerca de del dans pres im am bei nahe nella nel nei em na no perto bij w kolo nara в во на около'.split(
    ' ',
  ),
)
/** Prepositions that are also part of names: "Universidad de Chile", "stazione di Chiusi". */
const partOfNames = new Set('of de del no na di della du des dos d von vom van'.split(' '))
const isPreposition = (word: string | undefined): boolean =>
  word !== undefined && (prepositions.has(word) || partOfNames.has(word))
/** Returns true for a preposition that does not occur in names. */
export const isStrictPreposition = (word: string): boolean => prepositions.has(word) && !partOfNames.has(word)
const articles = new Set('the la le el los las den der'.split(' '))

/** Tokens of a text, `from` up to `to` (exclusive), that name a place. */
export interface PlaceSpan {
  readonly from: number
  readonly to: number
  readonly place: ReadPlace
}

/** Span of a text that may name a place. */
export interface NameSpan {
  readonly from: number
  readonly to: number
  /** Follows a preposition. */
  readonly isIntroduced: boolean
  /** Follows a preposition that does not occur in names. */
  readonly isStrict: boolean
  /** Ends the text, and does not begin it. */
  readonly isLast: boolean
  /** Consists of stop words. */
  readonly isStopWords: boolean
}

/** Rules of a caller of `findPlaceInText`. */
export interface PlaceRules {
  /** Indexes of the tokens after commas. */
  readonly commas?: ReadonlySet<number>
  /** Returns true if the place of a span may be looked up. */
  readonly mayName: (span: NameSpan) => boolean
  /** Maximum number of look-ups. */
  readonly lookUps?: number
}

/**
 * Finds the best place in a text: one after a preposition before others, then the most popular, then the longest name.
 * A name without a preposition has to be popular or at the end of the text.
 */
export function findPlaceInText(
  all: readonly string[],
  lookUp: PlaceLookup,
  { mayName, commas = new Set(), lookUps = Number.POSITIVE_INFINITY }: PlaceRules,
): PlaceSpan | undefined {
  let best: PlaceSpan | undefined
  let bestRank = 0
  let left = lookUps
  for (const span of nameSpans(all, lastPieceOf(all, commas))) {
    if (left === 0) break
    if (!mayName(span) || isPieceOf(all, span, best)) continue
    left--
    const { from, to, isIntroduced, isStrict, isLast, isStopWords } = span
    const place = lookUp(all.slice(from, to))
    if (!place || (isStopWords && place.popularity < rules.minPopularityOfStopWord)) continue
    const isBehindComma = commas.has(from)
    if (!isIntroduced && !isLast && !isBehindComma && place.popularity < rules.minPopularity) continue
    const rank = place.popularity + introductionRank(span, commas) + (to - from) / 100
    // "Prefectura de Hyogo" is a longer name of Hyogo.
    if (rank <= bestRank || (best !== undefined && isPartOf({ from, to, place }, best, isStrict || !isIntroduced)))
      continue
    bestRank = rank
    best = { from, to, place }
  }
  return best && narrowed(all, withNarrower(all, best, lookUp), lookUp)
}

/** Returns what the preposition or the comma before a name adds to the popularity of its place. */
function introductionRank({ from, isIntroduced, isStrict }: NameSpan, commas: ReadonlySet<number>): number {
  if (isIntroduced) return isStrict ? rules.introduced : rules.partOfName
  const commasBefore = [...commas].filter(at => at < from).length
  return commas.has(from) ? Math.max(0, rules.comma - rules.furtherComma * commasBefore) : 0
}

/**
 * Returns the span of a place between words for a kind and a place that selects it: "hotels Madrid, Spain" is
 * Madrid.
 */
function withNarrower(all: readonly string[], span: PlaceSpan, lookUp: PlaceLookup): PlaceSpan {
  const area = all.slice(span.from, span.to).join(' ')
  const name = all.findIndex(word => !hasOtherMeaning(word))
  const isName = name > 0 && name < span.from && span.from - name <= rules.maxTokens
  if (!isName || all.slice(0, name).every(isStopWord)) return span
  const place = lookUp(all.slice(name, span.from), area)
  return place === undefined ? span : { from: name, to: span.to, place }
}

/** Returns true if a span consists of bigrams of a longer name: the second half of 马德里 (Madrid) is Delhi. */
const isPieceOf = (all: readonly string[], { from, to }: NameSpan, name: PlaceSpan | undefined): boolean =>
  name !== undefined && from >= name.from && to <= name.to && all.slice(name.from, name.to).every(isBigram)

/** Returns true if a span is a part of another one that names the same place or region, or behind a word such as "de". */
function isPartOf(span: PlaceSpan, whole: PlaceSpan, mayBeOther: boolean): boolean {
  if (span.from < whole.from || span.to > whole.to) return false
  if (!mayBeOther) return true
  const [a, b] = [span.place, whole.place]
  return (a.id !== undefined && a.id === b.id) || (a.regions !== undefined && a.regions[0] === b.regions?.[0])
}

/**
 * Returns the start of a long last piece of a text, behind a comma or in a script without spaces; a name in such a
 * script has a token for each pair of characters.
 */
function lastPieceOf(all: readonly string[], commas: ReadonlySet<number>): number | undefined {
  const lastComma = Math.max(0, ...commas)
  const bigrams = all.length - 1 - all.findLastIndex(token => !isBigram(token))
  const from = Math.max(lastComma, bigrams < all.length ? all.length - bigrams : 0)
  const length = all.length - from
  return from > 0 && length > rules.maxTokens && length <= rules.maxBigrams ? from : undefined
}

/** Returns the spans of a text that may name a place: a long last piece, then the others, longest first. */
function nameSpans(all: readonly string[], lastPiece: number | undefined): NameSpan[] {
  const spans: NameSpan[] = []
  const isOther = mapList(all, hasOtherMeaning)
  const before = mapList(all, (_, at) => prepositionBefore(all, at))
  const repeats = new Set(all).size < all.length
  const seen = new Set<string>()
  if (lastPiece !== undefined)
    spans.push({
      from: lastPiece,
      to: all.length,
      isIntroduced: false,
      isStrict: false,
      isLast: true,
      isStopWords: false,
    })
  for (let length = Math.min(rules.maxTokens, all.length); length > 0; length--) {
    for (let from = 0; from + length <= all.length; from++) {
      const to = from + length
      const preposition = before[from]
      const isIntroduced = preposition !== undefined
      const isStrict = isIntroduced && isStrictPreposition(preposition)
      const isLast = to === all.length && from > 0
      const firstName = isOther.indexOf(false, from)
      const isStopWords = firstName < 0 || firstName >= to
      if (isStopWords && !((isIntroduced || isLast) && all.slice(from, to).every(isOnlyStopWord))) continue
      if (repeats) {
        // Repeated words rank the same unless they follow a preposition or end the text.
        const key = `${isIntroduced} ${isStrict} ${isLast} ${all.slice(from, to).join(' ')}`
        if (seen.has(key)) continue
        seen.add(key)
      }
      spans.push({ from, to, isIntroduced, isStrict, isLast, isStopWords })
    }
  }
  return spans
}

/** Extends a span if the following words select one of several places: "Athens Georgia", "Athens, Greece". */
export function narrowed(all: readonly string[], span: PlaceSpan, lookUp: PlaceLookup): PlaceSpan {
  const words = all.slice(span.from, span.to)
  for (let to = Math.min(all.length, span.to + rules.maxTokens); to > span.to; to--) {
    const following = all.slice(span.to, to)
    if (following.every(hasOtherMeaning)) continue
    const place = lookUp(words, following.join(' '))
    if (place) return { from: span.from, to, place }
  }
  return span
}

/** Prepositions that ask for places around a place rather than in it. */
const nearness = new Set('near around cerca pres bei nahe perto bij kolo nara около'.split(' '))

/** Preposition, and perhaps an article, before the name of a place. */
export interface Introduction {
  /** Index of the first token. */
  readonly from: number
  /** It does not occur in names. */
  readonly isStrict: boolean
  /** It asks for places around the place. */
  readonly isNear: boolean
}

/** Returns the preposition before a token: "in", "near the", "cerca de". */
export function introductionOf(all: readonly string[], at: number): Introduction | undefined {
  let from = at
  if (articles.has(all[from - 1] ?? '')) from--
  let isStrict = false
  let isNear = false
  const before = from
  // "cerca de", "near to": several prepositions are one.
  while (from > 0 && (isPreposition(all[from - 1]) || all[from - 1] === 'to')) {
    from--
    isStrict ||= !partOfNames.has(all[from]!)
    isNear ||= nearness.has(all[from]!)
  }
  return from === before ? undefined : { from, isStrict, isNear }
}

/** Returns the preposition before a token, perhaps with an article between them. */
const prepositionBefore = (all: readonly string[], at: number): string | undefined =>
  [all[at - 1], articles.has(all[at - 1]!) ? all[at - 2] : undefined].find(isPreposition)

/** Returns true if a word means something other than a place. */
const hasOtherMeaning = (word: string): boolean =>
  isStopWord(word) || categoryPhrases.has(word) || tripTypeOf(word) !== undefined || prepositions.has(word)

/** Returns true if a stop word is neither a preposition nor a kind of place. */
const isOnlyStopWord = (word: string): boolean =>
  isStopWord(word) && !prepositions.has(word) && !categoryPhrases.has(word)
