import type { SearchType } from '../../domain/search.ts'
import type { Segment } from '../index/segment.ts'
import { isNameKind, kindOfText, lengthOfText, nameOfText, textKind } from '../index/texts.ts'
import type { Matcher } from './matcher.ts'
import { OutsideStrengths } from './outside-strengths.ts'
import { TextMatcher } from './text-matcher.ts'
import { certainty, minPartialShare, quality } from './weights.ts'

export interface ScoreOptions {
  readonly type: SearchType
  /**
   * True if words may be unmatched; the others must have at least `minPartialShare` of the query's weight.
   */
  readonly partial: boolean
  /** See `weightOfPlace`. */
  readonly placeWeight: number
  readonly looksLikeCode: boolean
  /** 0 to 1; see `ParsedQuery`. */
  readonly shortness: number
  readonly hasPossessive: boolean
  /** The words denote a kind of place, so that a place of the kind matches better than a name with the words. */
  readonly isKind: boolean
  /** A preposition or a place connects the words with an area: "restaurants in". */
  readonly inPlace: boolean
}

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
  /** True if a name consists of exactly the words of the query, except for words that match the area. */
  complete = false
  /** True if every word is a complete word of a name, or matches the area. */
  whole = false
  /** True if a word matched the area or country. */
  inArea = false
  /** True if the best match is one by category, which no name takes part in. */
  byCategory = false
  /** True if the best match has a misspelled word. */
  misspelled = false
  /** True if the best match lacks a word, or has a word as a prefix. */
  lacksWord = false
  unfinished = false
  /** Kind of the text of the best match, `textKind`; -1 without one. */
  kind = -1
  /** Confidence in the best match, 0 to 1, without the factor of a reading. */
  confidence = 0

  readonly #segment: Segment
  readonly #options: ScoreOptions
  readonly #outside: OutsideStrengths
  readonly #text: TextMatcher
  /** Total weight of all words. */
  readonly #total: number
  /** Quality of a document whose labels and area match all words. */
  readonly #outsideQuality: number

  constructor(segment: Segment, matchers: readonly Matcher[], options: ScoreOptions) {
    this.#segment = segment
    this.#options = options
    this.#outside = new OutsideStrengths(segment, matchers, options.type)
    this.#text = new TextMatcher(segment, matchers, this.#outside, options.partial)
    this.#total = matchers.reduce((sum, { weight }) => sum + weight, 0)
    // A category with a preposition: "restaurants in".
    const hasWhere = options.inPlace || matchers.some(({ word }) => word.where)
    this.#outsideQuality = hasWhere ? quality.categoryInArea : quality.categoryAndArea
  }

  /** See `ScoreOptions`. */
  get isKind(): boolean {
    return this.#options.isKind
  }

  /** See `ScoreOptions`. */
  get inPlace(): boolean {
    return this.#options.inPlace
  }

  /** Compares a document with the query and sets the public fields; returns true if it matches. */
  matches(doc: number): boolean {
    this.name = -1
    this.complete = false
    this.whole = false
    this.misspelled = false
    this.lacksWord = false
    this.unfinished = false
    this.kind = -1
    this.#outside.reset(doc)
    // Without words, everything in the place of the reading matches.
    const outside = this.#total === 0 ? 1 : this.#outside.total()
    if ((this.#options.isKind || this.#total === 0) && outside > 0) {
      this.quality = quality.kind
      this.confidence = 1
      this.byCategory = true
      this.inArea = this.#outside.inArea
      return true
    }
    this.quality = (outside / this.#total) * this.#outsideQuality
    this.confidence = outside / this.#total
    this.byCategory = this.quality > 0
    const { textStart, texts } = this.#segment.arrays
    const first = textStart[doc]!
    const end = textStart[doc + 1]!
    for (let at = first; at < end; ) {
      const header = texts[at]!
      const next = at + 1 + lengthOfText(header)
      if (this.#isCompared(header))
        this.#scoreText(header, at + 1, next, at === first || this.#isPrimary(header, first))
      at = next
    }
    this.inArea = this.#outside.inArea
    if (this.#options.isKind) this.quality = Math.min(this.quality, quality.kindInName)
    return this.quality > 0
  }

  /**
   * Returns true if a document matches the query; takes less time than `matches` and sets no public field. Must not be
   * called for a partial match.
   */
  includes(doc: number): boolean {
    this.#outside.reset(doc)
    if (this.#options.isKind && this.#outside.total() > 0) return true
    const { textStart, texts } = this.#segment.arrays
    const end = textStart[doc + 1]!
    for (let at = textStart[doc]!; at < end; ) {
      const header = texts[at]!
      const next = at + 1 + lengthOfText(header)
      if (this.#isCompared(header) && this.#text.matches(at + 1, next)) return true
      at = next
    }
    return this.#outside.total() > 0
  }

  /** Returns true if the type of the query compares a text, given by its header. */
  #isCompared(header: number): boolean {
    const { type } = this.#options
    return type === 'COMBINED' || (kindOfText(header) === textKind.address) === (type === 'ADDRESS')
  }

  /** Returns true if a text is another spelling of the primary name, which is the first text. */
  #isPrimary(header: number, first: number): boolean {
    return (
      kindOfText(header) === textKind.variant && nameOfText(header) === nameOfText(this.#segment.arrays.texts[first]!)
    )
  }

  /** Scores the text with the terms from `from` up to `to` (exclusive) and keeps the best match of the document. */
  #scoreText(header: number, from: number, to: number, isPrimary: boolean): void {
    if (!this.#text.matches(from, to)) return
    const { matched, covered, inText, named, ordered, starts, exact, unfinished, misspelled } = this.#text
    const { partial, shortness, looksLikeCode, hasPossessive } = this.#options
    const share = matched / this.#total
    if (partial && share < minPartialShare) return
    const { texts, weight } = this.#segment.arrays
    let total = 0
    for (let at = from; at < to; at++) total += weight[texts[at]!]!
    // A castle is not the one that was asked for because it is a castle.
    if (partial && named === 0 && !(inText > 1 && inText === to - from)) return
    const { placeWeight } = this.#options
    const typedShare = (matched + placeWeight) / (this.#total + placeWeight)
    const confidence = typedShare * (certainty.base + certainty.completeness * (covered / total))
    let score =
      share *
      (quality.base +
        quality.completeness * (covered / total) +
        (ordered ? quality.ordered : 0) +
        (starts ? quality.startsName : 0))
    if (!isPrimary) {
      if (unfinished) score -= quality.unfinishedAlias
      else if (inText < to - from) score -= quality.alias
      // An alternate name that matches a short query is mostly a code or an abbreviation.
      score -= quality.shortAlias * shortness ** 2
    }
    if (!starts) score -= quality.shortInside * shortness
    // The joined word of a possessive is that of a variant, so that the name as typed comes first.
    if ((kindOfText(header) === textKind.variant) !== hasPossessive) score *= quality.otherSpelling
    // Penalties never turn a match into a mismatch.
    score = Math.max(score, quality.minimum)
    const kind = kindOfText(header)
    if (kind === textKind.code && exact && looksLikeCode) score += quality.code
    if (exact) this.whole = true
    if (exact && inText === to - from) this.complete = true
    if (score > this.quality) {
      this.quality = score
      this.confidence = confidence
      this.byCategory = false
      this.misspelled = misspelled
      this.lacksWord = this.#text.lacksWord
      this.unfinished = unfinished
      this.kind = kind
      this.name = isNameKind(kind) ? nameOfText(header) : -1
    }
  }
}
