import type { SearchType } from '../../domain/search.ts'
import { type Segment, textKind } from '../index/segment.ts'
import { leastPartial, quality, strength } from '../index/weights.ts'
import { isBigram, maxTokens } from '../text/tokens.ts'
import { type Matcher, strengthOf } from './matcher.ts'

/** What a scorer is to accept. */
export interface ScoreOptions {
  readonly type: SearchType
  /** Words may stay unmatched as long as `leastPartial` of the query's weight is. */
  readonly partial: boolean
  readonly looksLikeCode: boolean
  readonly shortness: number
}

/** Letters up to which a word is more likely part of an area's name than one. */
const fewAreaLetters = 3

/** Not looked up yet. */
const unknown = -1

/**
 * Compares documents of one segment with a query, text by text (rulings: Operations). A word matches in the name at hand, or in
 * what the document shares with others: its area, country, labels. `quality` and the rest hold the last document's.
 */
export class Scorer {
  /** Match quality; about 0 to 1. */
  quality = 0
  /** Place of the matching name, or -1. */
  name = -1
  /** Every word is a whole word of a name that has no others, or of the area. */
  complete = false
  /** Every word is a whole word of a name, or of the area. */
  whole = false
  /** Whether a word matched by the area. */
  inArea = false
  /** Whether a word of the name is one that the query misspells. */
  misspelt = false

  readonly #segment: Segment
  readonly #matchers: readonly Matcher[]
  readonly #options: ScoreOptions
  readonly #total: number
  /** Whether "restaurants in" stands before a word. */
  readonly #asksWhere: boolean
  #doc = 0
  /** Whether anything can match outside of names. */
  readonly #anyAround: boolean
  /** Per word, how well the document matches outside of names, or `unknown`; and whether that counts as being called so. */
  readonly #around: Float64Array
  readonly #labelled: Uint8Array
  readonly #used = new Uint8Array(maxTokens)
  /** By area and word, whether the query holds a name of the area with that word in it. */
  readonly #spelled = new Map<number, boolean>()

  constructor(segment: Segment, matchers: readonly Matcher[], options: ScoreOptions) {
    this.#segment = segment
    this.#matchers = matchers
    this.#options = options
    this.#total = matchers.reduce((sum, { weight }) => sum + weight, 0)
    this.#asksWhere = matchers.some(({ word }) => word.where)
    this.#anyAround =
      options.type === 'COMBINED' ||
      matchers.some(
        ({ areas, labels, country, word }) => areas.size > 0 || labels.size > 0 || country !== 0 || word.optional,
      )
    this.#around = new Float64Array(matchers.length)
    this.#labelled = new Uint8Array(matchers.length)
  }

  /** Whether the document matches. */
  accepts(doc: number): boolean {
    this.quality = 0
    this.name = -1
    this.complete = false
    this.whole = false
    this.inArea = false
    this.misspelt = false
    this.#doc = doc
    this.#around.fill(this.#anyAround ? unknown : 0)
    this.#labelled.fill(0)
    const { textStart, texts } = this.#segment.arrays
    const { type } = this.#options
    const end = textStart[doc + 1]!
    if (type === 'COMBINED') this.#lookAtAddresses(textStart[doc]!, end)
    if (this.#anyAround) this.#scoreWithoutName()
    const first = textStart[doc]!
    for (let at = first; at < end; ) {
      const header = texts[at]!
      const next = at + 1 + (header & 0xff)
      const kind = header >>> 30
      if (type === 'COMBINED' || (kind === textKind.address) === (type === 'ADDRESS')) {
        this.#scoreText(kind, (header >>> 8) & 0x3fffff, at + 1, next, at === first)
      }
      at = next
    }
    return this.quality > 0
  }

  /** How well the document matches a word outside of names; looked up when first asked. */
  #aroundOf(i: number): number {
    if (this.#around[i] !== unknown) return this.#around[i]!
    const { area, labels, country } = this.#segment.arrays
    const matcher = this.#matchers[i]!
    const doc = this.#doc
    const inCountry = matcher.country !== 0 && matcher.country === country[doc]
    let best = inCountry ? strength.area : this.#inArea(i, area[doc]!)
    if (best > 0) this.inArea = true
    if (!matcher.word.where && this.#options.type !== 'ADDRESS') {
      const label = matcher.labels.strengthOf(labels[doc]!)
      if (label > 0) this.#labelled[i] = 1
      if (label > best) best = label
    }
    if (best === 0 && matcher.word.optional) best = strength.area
    this.#around[i] = best
    return best
  }

  /**
   * How well a word matches the names of an area. A few letters are in the names of many ("Mexico by" is Danish): they
   * count only in a name that the query holds from its first word to the last, or to the end of the query.
   */
  #inArea(i: number, area: number): number {
    const { word, areas } = this.#matchers[i]!
    const found = areas.strengthOf(area)
    if (found === 0 || word.text.length > fewAreaLetters || isBigram(word.text)) return found
    const key = area * maxTokens + i
    let spelled = this.#spelled.get(key)
    if (spelled === undefined) {
      spelled = this.#isSpelled(area, i)
      this.#spelled.set(key, spelled)
    }
    return spelled ? found : 0
  }

  #isSpelled(area: number, word: number): boolean {
    const { areaTexts, areaTextStart, areaPlace, texts, textStart } = this.#segment.arrays
    for (let at = areaTextStart[area]!; at < areaTextStart[area + 1]!; at += areaTexts[at]! + 1) {
      if (this.#isHeld(areaTexts, at + 1, at + 1 + areaTexts[at]!, word)) return true
    }
    const place = areaPlace[area]! - 1
    if (place < 0) return false
    for (let at = textStart[place]!; at < textStart[place + 1]!; ) {
      const end = at + 1 + (texts[at]! & 0xff)
      if (texts[at]! >>> 30 === textKind.name && this.#isHeld(texts, at + 1, end, word)) return true
      at = end
    }
    return false
  }

  /** Whether the query holds a name, with one of its words in it. */
  #isHeld(terms: Uint32Array, from: number, to: number, word: number): boolean {
    const segment = this.#segment
    let held = false
    for (let at = from; at < to; at++) {
      const i = this.#matchers.findIndex(matcher => strengthOf(segment, matcher, terms[at]!) > 0)
      if (i < 0) return false
      if (strengthOf(segment, this.#matchers[word]!, terms[at]!) > 0) held = true
      if (held && this.#matchers[i]!.word.unfinished) return true
    }
    return held
  }

  /** COMBINED: what an address says may stand in for a word of the name. */
  #lookAtAddresses(from: number, to: number): void {
    const { texts } = this.#segment.arrays
    for (let at = from; at < to; ) {
      const header = texts[at]!
      const next = at + 1 + (header & 0xff)
      if (header >>> 30 === textKind.address) {
        for (let i = 0; i < this.#matchers.length; i++) {
          for (let term = at + 1; term < next; term++) {
            const found = strengthOf(this.#segment, this.#matchers[i]!, texts[term]!) * strength.address
            if (found > this.#aroundOf(i)) this.#around[i] = found
          }
        }
      }
      at = next
    }
  }

  /** A place matched by its kind alone, or by kind and area. */
  #scoreWithoutName(): void {
    let matched = 0
    let labelled = false
    for (let i = 0; i < this.#matchers.length; i++) {
      const around = this.#aroundOf(i)
      if (around === 0) return
      matched += this.#matchers[i]!.weight * around
      if (this.#labelled[i] === 1) labelled = true
    }
    if (!labelled) return
    this.quality = (matched / this.#total) * (this.#asksWhere ? quality.categoryInArea : quality.categoryAndArea)
  }

  #scoreText(kind: number, name: number, from: number, to: number, first: boolean): void {
    const { texts, weight } = this.#segment.arrays
    const matchers = this.#matchers
    const used = this.#used
    used.fill(0, 0, to - from)
    let matched = 0
    let covered = 0
    let inText = 0
    let ordered = true
    let exact = true
    let last = -1
    let starts = false
    let unfinished = false
    let misspelt = false
    for (let i = 0; i < matchers.length; i++) {
      const matcher = matchers[i]!
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
      // A whole word of the name needs no help from around.
      const around = best === 1 && !matcher.word.where ? 0 : this.#aroundOf(i)
      const value = matcher.word.where && around > 0 ? best * strength.nameForArea : best
      if (value === 0 && around === 0) {
        if (!this.#options.partial) return
        exact = false
        continue
      }
      if (value < around) {
        matched += matcher.weight * around
        if (around < strength.area) exact = false
        continue
      }
      matched += matcher.weight * value
      used[where - from] = 1
      covered += weight[texts[where]!]! * best
      inText++
      if (where < last) ordered = false
      if (where === from) starts = true
      last = where
      if (best < 1) {
        exact = false
        const term = texts[where]!
        if (term >= matcher.from && term < matcher.to) unfinished = true
        else misspelt = true
      }
    }
    if (inText === 0) return
    const share = matched / this.#total
    if (this.#options.partial && share < leastPartial) return
    let whole = 0
    for (let at = from; at < to; at++) whole += weight[texts[at]!]!
    const completeness = covered / whole
    let score =
      share *
      (quality.base +
        quality.completeness * completeness +
        (ordered ? quality.ordered : 0) +
        (starts ? quality.startsName : 0))
    const complete = exact && inText === to - from
    const { shortness } = this.#options
    if (!first) {
      if (unfinished || inText < to - from) score -= quality.alias
      // An alternate name of a few letters is mostly a code or abbreviation.
      score -= quality.aliasOfFewLetters * shortness ** 2
    }
    if (!starts) score -= quality.insideOfFewLetters * shortness
    // A match stays a match, however much is taken off.
    score = Math.max(score, quality.least)
    if (kind === textKind.code && exact && this.#options.looksLikeCode) score += quality.code
    if (exact) this.whole = true
    if (complete) this.complete = true
    if (score > this.quality) {
      this.quality = score
      this.misspelt = misspelt
      this.name = kind === textKind.name ? name : -1
    }
  }
}
