import { findTopLevelCategory, type TopLevelCategory, topLevelCategories } from '../../../domain/category.ts'
import { categoryPhrases } from '../../text/category-words.ts'
import { occasionFor } from '../../text/intent-words.ts'
import { beginsKindPhrase, kindPhrases, longestKindPhrase } from '../../text/kind-words.ts'
import { withWords } from '../../text/query-words.ts'

/** Precedence between categories: a "hotel near the beach" is a hotel, a "restaurant in the park" is not a park. */
const precedence: readonly string[] = ['HOTEL', 'RESTAURANT', 'ATTRACTION', 'TRANSPORT']
const topLevelOf = (category: string): string => findTopLevelCategory(category.toLowerCase()) ?? 'OTHER'

/** Tokens, `from` up to `to` (exclusive), that denote categories. */
export interface KindSpan {
  readonly from: number
  readonly to: number
  readonly categories: readonly string[]
}

/** Kinds of places that a text asks for. */
export interface Kinds {
  /** Top-level categories and category ids. */
  readonly categories: readonly string[]
  /**
   * For each token, true if it denotes one of the categories and says no more. Words for rarer kinds may also be in the
   * names and reviews of other places: no place may have the category.
   */
  readonly isCategoryWord: readonly boolean[]
}

/** Words for closeness in the languages of the category words, folded. */
const nearWords = new Set(
  'near nearby by close opposite cerca junto pres proche cote nahe neben vicino accanto perto dichtbij naast vlakbij blisko kolo obok nara yakin рядом возле около недалеко'.split(
    ' ',
  ),
)

/**
 * Returns the categories in a text, of one top-level category that is allowed, and the tokens that denote them. What is
 * near something is wanted, not that thing: a "bar near the station" is a bar. A kind that another one has is a
 * property of it: "museum with a garden". `kindsOf` returns the categories of a phrase.
 */
export function kindsIn(
  rest: readonly string[],
  allowed: readonly TopLevelCategory[] = topLevelCategories,
  kindsOf = (_phrase: string, categories: readonly string[]) => categories,
): Kinds {
  // "Dîner" is folded to "diner", and asks for restaurants of any kind.
  const all = kindSpans(rest, kindPhrases).filter(span => occasionOf(rest, span) !== 'RESTAURANT')
  const isAllowed = (id: string) => allowed.some(category => category === topLevelOf(id))
  const owners = all.filter(({ categories }) => categories.some(isAllowed))
  const end = rest.findIndex(
    (word, i) => i > 0 && (nearWords.has(word) || (withWords.has(word) && owners.some(({ from }) => from < i))),
  )
  const isWanted = (at: number) => end < 0 || at < end
  const spans = all
    .filter(({ from }) => isWanted(from))
    .map(span => ({ ...span, categories: kindsOf(rest.slice(span.from, span.to).join(' '), span.categories) }))
  const isInSpan = (at: number) => all.some(({ from, to }) => at >= from && at < to)
  const occasions = rest.flatMap((word, i) => (isInSpan(i) || !isWanted(i) ? [] : (occasionFor(word) ?? [])))
  const inText = [...spans.flatMap(span => span.categories), ...occasions]
  const topLevel = precedence.find(
    one => allowed.some(category => category === one) && inText.map(topLevelOf).includes(one),
  )
  const fits = (category: string) => topLevelOf(category) === topLevel
  const categories = new Set(spans.flatMap(span => span.categories.filter(fits)))
  const isMere = ({ from, to }: KindSpan) => categoryPhrases.has(rest.slice(from, to).join(' '))
  const mere = spans.filter(span => isMere(span) && span.categories.some(fits))
  const isCategoryWord = rest.map((_, i) => mere.some(({ from, to }) => i >= from && i < to))
  // "Dinner" asks for restaurants of any kind, "dinner in a bar" only for bars.
  if (categories.size === 0 && topLevel !== undefined) categories.add(topLevel)
  return { categories: [...categories], isCategoryWord }
}

/** Returns the category that a span selects as an occasion, if it is one word. */
const occasionOf = (rest: readonly string[], { from, to }: KindSpan): string | undefined =>
  to - from === 1 ? occasionFor(rest[from]!) : undefined

/** Finds category phrases greedily from the left, longest first. */
export function kindSpans(rest: readonly string[], phrases = categoryPhrases): KindSpan[] {
  const spans: KindSpan[] = []
  for (let from = 0; from < rest.length; from++) {
    if (!beginsKindPhrase(rest[from]!)) continue
    for (let length = Math.min(longestKindPhrase, rest.length - from); length > 0; length--) {
      const categories = phrases.get(rest.slice(from, from + length).join(' '))
      if (!categories) continue
      spans.push({ from, to: from + length, categories })
      from += length - 1
      break
    }
  }
  return spans
}

/** Returns the category phrases that a text consists of; empty if it has other words. */
export function kindsAlone(rest: readonly string[]): readonly KindSpan[] {
  const spans = kindSpans(rest)
  return spans.reduce((sum, { from, to }) => sum + to - from, 0) === rest.length ? spans : []
}

/** Returns the distinct categories of phrases. */
export const categoriesOf = (spans: readonly KindSpan[]): readonly string[] => [
  ...new Set(spans.flatMap(({ categories }) => categories)),
]
