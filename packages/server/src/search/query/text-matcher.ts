import { maxTokens } from '../../kit/tokens.ts'
import type { Segment } from '../index/segment.ts'
import { isMatch, isSame, type Matcher, strengthOf } from './matcher.ts'
import type { OutsideStrengths } from './outside-strengths.ts'
import { strength } from './weights.ts'

/**
 * Matches the words of a query with the terms of one text, or with properties outside names. The result of a match is
 * in public fields, which avoids an allocation per text; they are valid until the next match.
 */
export class TextMatcher {
  /** Total weight of matched words, each times the strength of its match. */
  matched = 0
  /** Total weight of matched terms of the text, each times the strength of its match. */
  covered = 0
  /** Number of words that match a term of the text. */
  inText = 0
  /** Number of those that do not denote a kind of place. */
  named = 0
  /** True if the matched terms are in the order of the words. */
  ordered = true
  /** True if the first term of the text is matched. */
  starts = false
  /** True if every word matches a term exactly or by its meaning, or an area. */
  exact = true
  /** True if a word is unmatched. */
  lacksWord = false
  /** True if a word matches as a prefix. */
  unfinished = false
  /** True if a word matches as a misspelling. */
  misspelled = false

  readonly #segment: Segment
  readonly #matchers: readonly Matcher[]
  readonly #outside: OutsideStrengths
  /** True if words may be unmatched. */
  readonly #partial: boolean
  /** 1 for each term of the text that a word has matched. */
  readonly #used = new Uint8Array(maxTokens)

  constructor(segment: Segment, matchers: readonly Matcher[], outside: OutsideStrengths, partial: boolean) {
    this.#segment = segment
    this.#matchers = matchers
    this.#outside = outside
    this.#partial = partial
  }

  /**
   * Matches the words with the terms from `from` up to `to` (exclusive), each term at most once. Returns false if a
   * required word is unmatched or no word matches the text.
   */
  matches(from: number, to: number): boolean {
    const matchers = this.#matchers
    this.#clear(to - from)
    let last = -1
    for (let i = 0; i < matchers.length; i++) {
      const matcher = matchers[i]!
      const where = this.#bestTerm(matcher, from, to)
      const best = where < 0 ? 0 : strengthOf(this.#segment, matcher, this.#segment.arrays.texts[where]!)
      const isWhere = matcher.word.where
      // An exact match of a term is at least as strong as any match outside names.
      const outside = best === 1 && !isWhere ? 0 : this.#outside.strengthOf(i)
      const value = isWhere && outside > 0 ? best * strength.nameForArea : best
      if (value === 0 && outside === 0) {
        if (!this.#partial || matcher.word.required) return false
        this.exact = false
        this.lacksWord = true
        continue
      }
      if (value < outside) {
        this.matched += matcher.weight * outside
        this.exact &&= outside >= strength.area
        continue
      }
      this.matched += matcher.weight * value
      this.ordered &&= where >= last
      this.starts ||= where === from
      this.#used[where - from] = 1
      last = where
      if (!this.#addTerm(matcher, where, best) && matcher.word.required) return false
    }
    return this.inText > 0
  }

  #clear(terms: number): void {
    for (let i = 0; i < terms; i++) this.#used[i] = 0
    this.matched = 0
    this.covered = 0
    this.inText = 0
    this.named = 0
    this.ordered = true
    this.starts = false
    this.exact = true
    this.lacksWord = false
    this.unfinished = false
    this.misspelled = false
  }

  /** Adds a matched term, given by its position, with the strength of its match. Returns false for a misspelling. */
  #addTerm(matcher: Matcher, where: number, best: number): boolean {
    const { texts, weight } = this.#segment.arrays
    const term = texts[where]!
    this.covered += weight[term]! * best
    this.inText++
    if (matcher.word.categories.length === 0) this.named++
    if (best === 1 || isSame(matcher, term)) return true
    this.exact = false
    const isPrefix = term >= matcher.from && term < matcher.to
    this.unfinished ||= isPrefix
    this.misspelled ||= !isPrefix
    return isPrefix
  }

  /** Returns the position of the unused term that matches a word best, the first of equals; -1 if no term matches. */
  #bestTerm(matcher: Matcher, from: number, to: number): number {
    const { texts } = this.#segment.arrays
    const used = this.#used
    let where = -1
    // Most texts have one such term at most: strengths are compared only with a second one.
    let best = 0
    for (let at = from; at < to; at++) {
      const term = texts[at]!
      if (used[at - from] === 1) continue
      if (term === matcher.exact) return at
      if (!isMatch(matcher, term)) continue
      if (where < 0) {
        where = at
        continue
      }
      if (best === 0) best = strengthOf(this.#segment, matcher, texts[where]!)
      const found = strengthOf(this.#segment, matcher, term)
      if (found <= best) continue
      best = found
      where = at
    }
    return where
  }
}
