import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { kindOfText, lengthOfText, textKind } from '../index/texts.ts'
import { isBigram, maxTokens } from '../text/tokens.ts'
import { type Matcher, strengthOf } from './matcher.ts'

/** Maximum length of a short word, in code units. */
const shortWord = 3

/**
 * Matches words of a query with the names of areas. A short word is part of the names of many areas ("Mexico by" is
 * Danish). It matches only if the query contains the entire name of an area, or its beginning at the end of the query.
 */
export class AreaMatcher {
  readonly #segment: Segment
  readonly #matchers: readonly Matcher[]
  readonly #budget: Budget
  /** Result of `#isInQuery` by area and word: area * maxTokens + word. */
  readonly #inQuery = new Map<number, boolean>()

  constructor(segment: Segment, matchers: readonly Matcher[], budget: Budget) {
    this.#segment = segment
    this.#budget = budget
    this.#matchers = matchers
  }

  /** Returns the strength of the match between a word, given by its index, and an area; 0 if they do not match. */
  strengthOf(word: number, area: number): number {
    const {
      word: { text },
      areas,
    } = this.#matchers[word]!
    const found = areas.strengthOf(area)
    if (found === 0 || text.length > shortWord || isBigram(text)) return found
    const key = area * maxTokens + word
    let isInQuery = this.#inQuery.get(key)
    if (isInQuery === undefined) {
      isInQuery = this.#isInQuery(area, word)
      this.#inQuery.set(key, isInQuery)
    }
    return isInQuery ? found : 0
  }

  /** Returns true if the query contains a name of the area, or of its place, that contains the word. */
  #isInQuery(area: number, word: number): boolean {
    const { areaTexts, areaTextStart, areaPlace, texts, textStart } = this.#segment.arrays
    for (let at = areaTextStart[area]!; at < areaTextStart[area + 1]!; at += areaTexts[at]! + 1) {
      if (this.#queryContains(areaTexts, at + 1, at + 1 + areaTexts[at]!, word)) return true
    }
    const place = areaPlace[area]! - 1
    if (place < 0) return false
    for (let at = textStart[place]!; at < textStart[place + 1]!; ) {
      const header = texts[at]!
      const end = at + 1 + lengthOfText(header)
      if (kindOfText(header) === textKind.name && this.#queryContains(texts, at + 1, end, word)) return true
      at = end
    }
    return false
  }

  /** Returns true if the query contains the terms from `from` up to `to` (exclusive), and the word is one of them. */
  #queryContains(terms: Uint32Array, from: number, to: number, word: number): boolean {
    const segment = this.#segment
    this.#budget.spend(1 + this.#matchers.length / 4)
    let hasWord = false
    for (let at = from; at < to; at++) {
      const i = this.#matchers.findIndex(matcher => strengthOf(segment, matcher, terms[at]!) > 0)
      if (i < 0) return false
      if (strengthOf(segment, this.#matchers[word]!, terms[at]!) > 0) hasWord = true
      if (hasWord && this.#matchers[i]!.word.unfinished) return true
    }
    return hasWord
  }
}
