import type { SearchType } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { kindOfText, lengthOfText, nameOfText, textKind } from '../index/texts.ts'
import { maxTokens } from '../text/tokens.ts'
import { AreaMatcher } from './area-matcher.ts'
import { type Matcher, strengthOf } from './matcher.ts'
import { minPartialShare, quality, strength } from './weights.ts'

export interface ScoreOptions {
  readonly type: SearchType
  /** Words may be unmatched if the matched words have at least `minPartialShare` of the query's weight. */
  readonly partial: boolean
  readonly looksLikeCode: boolean
  /** 0 to 1; see `ParsedQuery`. */
  readonly shortness: number
}

/** Marks a strength that has not been looked up. */
const unknown = -1

/** Match between the words of the query and one text. */
interface TextMatch {
  /** Total weight of matched words, each times the strength of its match. */
  matched: number
  /** Total weight of matched terms of the text, each times the strength of its match. */
  covered: number
  /** Number of words that match a term of the text. */
  inText: number
  /** The matched terms are in the order of the words. */
  ordered: boolean
  /** The first term of the text is matched. */
  starts: boolean
  /** Every word matches a term exactly, or an area. */
  exact: boolean
  /** A word matches as a prefix. */
  unfinished: boolean
  /** A word matches as a misspelling. */
  misspelled: boolean
}

const noMatch = (): TextMatch => ({
  matched: 0,
  covered: 0,
  inText: 0,
  ordered: true,
  starts: false,
  exact: true,
  unfinished: false,
  misspelled: false,
})

/**
 * Scores documents of one segment against a query, text by text (rulings: Operations). Each word matches a term of the
 * text, or a property outside names: area, country, labels and, for COMBINED, addresses. The result of a comparison is
 * in public fields, which avoids an allocation per document; they are valid until the next comparison.
 */
export class Scorer {
  /** Quality of the best match, 0 to about 1; 0 if the document does not match. */
  quality = 0
  /** Index of the matching name in the document's list of names, or -1. */
  name = -1
  /** A name consists of exactly the words of the query, except for words that match the area. */
  complete = false
  /** Every word is a complete word of a name, or matches the area. */
  whole = false
  /** A word matched the area or country. */
  inArea = false
  /** The best match has a misspelled word. */
  misspelled = false

  readonly #segment: Segment
  readonly #matchers: readonly Matcher[]
  readonly #options: ScoreOptions
  readonly #areas: AreaMatcher
  /** Total weight of all words. */
  readonly #total: number
  /** The query has a category with a preposition: "restaurants in". */
  readonly #hasWhere: boolean
  #doc = 0
  /** A word can match outside names. */
  readonly #canMatchOutside: boolean
  /** Strength of each word's match outside names, or `unknown`. */
  readonly #outside: Float64Array
  /** 1 for each word that matches a label. */
  readonly #labelled: Uint8Array
  /** 1 for each term of the current text that a word has matched. */
  readonly #used = new Uint8Array(maxTokens)
  /** Match of the current text; reused for every text. */
  readonly #match: TextMatch = noMatch()

  constructor(segment: Segment, matchers: readonly Matcher[], options: ScoreOptions, budget: Budget) {
    this.#segment = segment
    this.#matchers = matchers
    this.#options = options
    this.#areas = new AreaMatcher(segment, matchers, budget)
    this.#total = matchers.reduce((sum, { weight }) => sum + weight, 0)
    this.#hasWhere = matchers.some(({ word }) => word.where)
    this.#canMatchOutside =
      options.type === 'COMBINED' ||
      matchers.some(
        ({ areas, labels, country, word }) => areas.size > 0 || labels.size > 0 || country !== 0 || word.optional,
      )
    this.#outside = new Float64Array(matchers.length)
    this.#labelled = new Uint8Array(matchers.length)
  }

  /** Compares a document with the query and sets the public fields; returns whether it matches. */
  matches(doc: number): boolean {
    this.quality = 0
    this.name = -1
    this.complete = false
    this.whole = false
    this.inArea = false
    this.misspelled = false
    this.#doc = doc
    // For the few words of a query, a loop takes less time than `fill`.
    for (let i = 0; i < this.#matchers.length; i++) {
      this.#outside[i] = this.#canMatchOutside ? unknown : 0
      this.#labelled[i] = 0
    }
    const { textStart, texts } = this.#segment.arrays
    const { type } = this.#options
    const end = textStart[doc + 1]!
    if (type === 'COMBINED') this.#matchAddresses(textStart[doc]!, end)
    if (this.#canMatchOutside) this.#scoreOutside()
    const first = textStart[doc]!
    for (let at = first; at < end; ) {
      const header = texts[at]!
      const next = at + 1 + lengthOfText(header)
      const kind = kindOfText(header)
      if (type === 'COMBINED' || (kind === textKind.address) === (type === 'ADDRESS')) {
        this.#scoreText(kind, nameOfText(header), at + 1, next, at === first)
      }
      at = next
    }
    return this.quality > 0
  }

  /** Returns the strength of a word's match outside names; looks it up at the first call for a document. */
  #outsideOf(i: number): number {
    if (this.#outside[i] !== unknown) return this.#outside[i]!
    const { area, labels, country } = this.#segment.arrays
    const matcher = this.#matchers[i]!
    const doc = this.#doc
    const inCountry = matcher.country !== 0 && matcher.country === country[doc]
    let best = inCountry ? strength.area : this.#areas.strengthOf(i, area[doc]!)
    if (best > 0) this.inArea = true
    if (!matcher.word.where && this.#options.type !== 'ADDRESS') {
      const label = matcher.labels.strengthOf(labels[doc]!)
      if (label > 0) this.#labelled[i] = 1
      if (label > best) best = label
    }
    if (best === 0 && matcher.word.optional) best = strength.area
    this.#outside[i] = best
    return best
  }

  /** Matches words with addresses as a property outside names, for COMBINED. */
  #matchAddresses(from: number, to: number): void {
    const { texts } = this.#segment.arrays
    for (let at = from; at < to; ) {
      const header = texts[at]!
      const next = at + 1 + lengthOfText(header)
      if (kindOfText(header) === textKind.address) {
        for (let i = 0; i < this.#matchers.length; i++) {
          for (let term = at + 1; term < next; term++) {
            const found = strengthOf(this.#segment, this.#matchers[i]!, texts[term]!) * strength.address
            if (found > this.#outsideOf(i)) this.#outside[i] = found
          }
        }
      }
      at = next
    }
  }

  /** Scores a document whose labels and area match all words, without its names. */
  #scoreOutside(): void {
    let matched = 0
    let labelled = false
    for (let i = 0; i < this.#matchers.length; i++) {
      const outside = this.#outsideOf(i)
      if (outside === 0) return
      matched += this.#matchers[i]!.weight * outside
      if (this.#labelled[i] === 1) labelled = true
    }
    if (!labelled) return
    this.quality = (matched / this.#total) * (this.#hasWhere ? quality.categoryInArea : quality.categoryAndArea)
  }

  /** Scores the text with the terms from `from` up to `to` (exclusive) and keeps the best match of the document. */
  #scoreText(kind: number, name: number, from: number, to: number, isPrimary: boolean): void {
    if (!this.#matchText(from, to)) return
    const { matched, covered, inText, ordered, starts, exact, unfinished, misspelled } = this.#match
    const { partial, shortness, looksLikeCode } = this.#options
    const share = matched / this.#total
    if (partial && share < minPartialShare) return
    const { texts, weight } = this.#segment.arrays
    let total = 0
    for (let at = from; at < to; at++) total += weight[texts[at]!]!
    let score =
      share *
      (quality.base +
        quality.completeness * (covered / total) +
        (ordered ? quality.ordered : 0) +
        (starts ? quality.startsName : 0))
    if (!isPrimary) {
      if (unfinished || inText < to - from) score -= quality.alias
      // An alternate name that matches a short query is mostly a code or an abbreviation.
      score -= quality.shortAlias * shortness ** 2
    }
    if (!starts) score -= quality.shortInside * shortness
    // Penalties never turn a match into a mismatch.
    score = Math.max(score, quality.minimum)
    if (kind === textKind.code && exact && looksLikeCode) score += quality.code
    if (exact) this.whole = true
    if (exact && inText === to - from) this.complete = true
    if (score > this.quality) {
      this.quality = score
      this.misspelled = misspelled
      this.name = kind === textKind.name ? name : -1
    }
  }

  /**
   * Matches the words with the terms of a text, each term at most once, and sets `#match`. Returns false if a required
   * word is unmatched or no word matches the text.
   */
  #matchText(from: number, to: number): boolean {
    const { texts, weight } = this.#segment.arrays
    const matchers = this.#matchers
    for (let i = 0; i < to - from; i++) this.#used[i] = 0
    const match = this.#match
    match.matched = 0
    match.covered = 0
    match.inText = 0
    match.ordered = true
    match.starts = false
    match.exact = true
    match.unfinished = false
    match.misspelled = false
    let last = -1
    for (let i = 0; i < matchers.length; i++) {
      const matcher = matchers[i]!
      const where = this.#bestTerm(matcher, from, to)
      const best = where < 0 ? 0 : strengthOf(this.#segment, matcher, texts[where]!)
      const isWhere = matcher.word.where
      // An exact match of a term is at least as strong as any match outside names.
      const outside = best === 1 && !isWhere ? 0 : this.#outsideOf(i)
      const value = isWhere && outside > 0 ? best * strength.nameForArea : best
      if (value === 0 && outside === 0) {
        if (!this.#options.partial) return false
        match.exact = false
        continue
      }
      if (value < outside) {
        match.matched += matcher.weight * outside
        match.exact &&= outside >= strength.area
        continue
      }
      const term = texts[where]!
      match.matched += matcher.weight * value
      match.covered += weight[term]! * best
      match.inText++
      match.ordered &&= where >= last
      match.starts ||= where === from
      this.#used[where - from] = 1
      last = where
      if (best < 1) {
        match.exact = false
        const isPrefix = term >= matcher.from && term < matcher.to
        match.unfinished ||= isPrefix
        match.misspelled ||= !isPrefix
      }
    }
    return match.inText > 0
  }

  /** Returns the position of the unused term that matches a word best, the first of equals; -1 if no term matches. */
  #bestTerm(matcher: Matcher, from: number, to: number): number {
    const { texts } = this.#segment.arrays
    const used = this.#used
    let best = 0
    let where = -1
    for (let at = from; at < to; at++) {
      if (used[at - from] === 1) continue
      const found = strengthOf(this.#segment, matcher, texts[at]!)
      if (found > best) {
        best = found
        where = at
        if (found === 1) break
      }
    }
    return where
  }
}
