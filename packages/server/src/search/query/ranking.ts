import { maxRanked, type SearchQuery } from '../../domain/search.ts'
import { Bitmap } from '../index/bitmap.ts'
import { bagHash, termWeight } from '../index/build.ts'
import { Growable } from '../index/growable.ts'
import type { Part } from '../index/index-view.ts'
import { BoxRegion, unitsPerDegree } from '../index/regions.ts'
import { type Segment, statusCode } from '../index/segment.ts'
import { boxAround, distancesFrom } from '../index/sphere.ts'
import { bonus, closedPenalty, enoughResults, quality } from '../index/weights.ts'
import type { ParsedQuery, Word } from './analyse.ts'
import type { Budget } from './budget.ts'
import { candidates } from './candidates.ts'
import type { Test } from './filter.ts'
import { type Leniency, type Matcher, Misspellings, matcherOf } from './matcher.ts'
import { compareOneWord, worthBounding } from './one-word.ts'
import { partialCandidates } from './partial.ts'
import { Scorer } from './score.ts'

/** How much is forgiven: nothing; typing errors and spaces; words that nothing matches. */
export type Tier = 'strict' | 'forgiving' | 'partial'
const leniencies: Readonly<Record<Tier, Leniency>> = { strict: 'none', forgiving: 'promised', partial: 'generous' }

/** What one tier found: the places that pass the filters, column by column, and what matches the text alone. */
export class Found {
  /** Which part of the view. */
  readonly part = new Growable(Uint8Array, 64)
  readonly doc = new Growable(Uint32Array, 64)
  readonly score = new Growable(Float64Array, 64)
  /** The matching name, or -1. */
  readonly name = new Growable(Int32Array, 64)
  matching = 0
  /** Some place is called exactly so; some place has all words whole. */
  complete = false
  whole = false
  bestQuality = 0

  push(part: number, doc: number, score: number, name: number): void {
    this.part.push(part)
    this.doc.push(doc)
    this.score.push(score)
    this.name.push(name)
  }
}

/** What is known of the words as they were typed: some place has them; some place has them all, and whole. */
export interface AsTyped {
  readonly known: boolean
  readonly whole: boolean
}

export type FilteredPart = Part & { readonly number: number; readonly passes: Test | undefined }

/** Gathers what one part of the index holds for a query, each document once, with the best score that it gets. */
export class Ranking {
  readonly #part: FilteredPart
  readonly #misspellings: Misspellings
  readonly #main: Segment
  readonly #query: SearchQuery
  readonly #parsed: ParsedQuery
  readonly #budget: Budget
  readonly #found: Found
  /** Length of `found` at which this part has given as much as is ranked. */
  readonly #full: number
  /** Where documents that another spelling found stand in `found`. */
  readonly #seen = new Map<number, number>()
  readonly #popularityBonus: number
  readonly #popularityBonusMisspelt: number
  readonly #misspelt: number
  readonly #distanceTo: (latitude: number, longitude: number) => number

  constructor(
    part: FilteredPart,
    main: Segment,
    query: SearchQuery,
    parsed: ParsedQuery,
    budget: Budget,
    found: Found,
    asTyped: AsTyped,
  ) {
    this.#part = part
    this.#misspellings = new Misspellings(part.segment)
    this.#main = main
    this.#query = query
    this.#parsed = parsed
    this.#budget = budget
    this.#found = found
    this.#full = found.doc.length + maxRanked
    const ofFewLetters = query.near ? bonus.popularityOfFewLettersNear : bonus.popularityOfFewLetters
    this.#popularityBonus = bonus.popularity + ofFewLetters * parsed.shortness
    // Where some place is called as was typed, a city that is called almost so does not win by its size.
    this.#popularityBonusMisspelt = asTyped.known ? bonus.popularity : this.#popularityBonus
    this.#misspelt = asTyped.whole ? quality.misspeltBesideWhole : 1
    this.#distanceTo = distancesFrom(query.near ?? { latitude: 0, longitude: 0 })
  }

  /** Ranks what matches the words under a tier; scores are multiplied by `factor`. */
  add(words: readonly Word[], tier: Tier, factor = 1): void {
    const { segment } = this.#part
    const type = this.#query.type ?? 'NAME'
    const alone = words.length === 1 && type === 'NAME'
    const countriesOnly = words.every(({ country }) => country !== undefined)
    const matchers = words.map(word =>
      matcherOf(segment, word, wordWeight(this.#main, word), this.#misspellings, leniencies[tier], {
        areas: !alone,
        country: !alone && !countriesOnly,
      }),
    )
    const { looksLikeCode, shortness } = this.#parsed
    const scorer = new Scorer(segment, matchers, { type, partial: tier === 'partial', looksLikeCode, shortness })
    if (tier === 'partial') {
      this.#consider(partialCandidates(segment, matchers, type, this.#budget), scorer, factor, true)
      return
    }
    const docs = candidates(segment, matchers, type, this.#budget)
    const bounded = alone && docs.length >= worthBounding
    // So many comparisons are nothing for the calling thread: give up before the first, not after the last it can pay.
    if (!bounded && docs.length > maxRanked) this.#budget.spend(docs.length)
    if (this.#budget.exhausted) return
    const early = docs.length > maxRanked ? this.#early(matchers) : undefined
    const remember = tier !== 'strict' || factor !== 1
    if (bounded) {
      this.#oneWord(docs, early, matchers[0]!, scorer, factor, remember)
    } else {
      if (early) this.#consider(early.among(docs), scorer, factor, remember)
      this.#consider(docs, scorer, factor, remember, early)
    }
  }

  /** Compares documents with the query, until as many are found as are ranked. */
  #consider(docs: ArrayLike<number>, scorer: Scorer, factor: number, remember: boolean, skip?: Bitmap): void {
    const { dead, passes, segment } = this.#part
    const { textStart } = segment.arrays
    const found = this.#found
    let steps = 0
    for (let i = 0; i < docs.length && found.doc.length < this.#full && !this.#budget.exhausted; i++) {
      if ((i & 255) === 0) {
        this.#budget.spend(steps + 16)
        steps = 0
      }
      const doc = docs[i]!
      if (dead?.[doc] === 1 || skip?.has(doc)) continue
      const passed = passes === undefined || passes(doc)
      // What fails the filters is still counted, until it is clear that no further tier is asked.
      if (!passed && (found.complete || found.matching >= enoughResults)) continue
      steps += 3 + (textStart[doc + 1]! - textStart[doc]!) / 8
      if (!scorer.accepts(doc)) continue
      if (scorer.complete && factor === 1) found.complete = true
      if (scorer.whole && factor === 1) found.whole = true
      found.bestQuality = Math.max(found.bestQuality, scorer.quality * factor)
      if (!remember || !this.#seen.has(doc)) found.matching++
      if (!passed) continue
      this.#hand(doc, this.#scoreOf(doc, scorer, factor), scorer.name, remember)
    }
    this.#budget.spend(steps)
  }

  /** Many places of one word: all of them match, so that only those for the page need comparing. */
  #oneWord(
    docs: Uint32Array,
    early: Bitmap | undefined,
    matcher: Matcher,
    scorer: Scorer,
    factor: number,
    remember: boolean,
  ): void {
    const { dead, passes, segment } = this.#part
    const found = this.#found
    const seen = this.#seen
    const passing: number[] = []
    const take = (doc: number) => {
      if (dead?.[doc] === 1) return
      if (!remember || !seen.has(doc)) found.matching++
      if (passes === undefined || passes(doc)) passing.push(doc)
    }
    if (early) for (const doc of early.among(docs)) take(doc)
    const some = passing.length
    for (let i = 0; i < docs.length && passing.length < maxRanked && !this.#budget.exhausted; i++) {
      if ((i & 255) === 0) this.#budget.spend(64)
      if (!early?.has(docs[i]!)) take(docs[i]!)
    }
    if (some > 0) passing.sort((a, b) => a - b)
    this.#budget.spend(passing.length / 8)
    if (this.#budget.exhausted) return

    const compare = (doc: number) => {
      this.#budget.spend(3)
      scorer.accepts(doc)
      if (scorer.complete && factor === 1) found.complete = true
      if (scorer.whole && factor === 1) found.whole = true
      found.bestQuality = Math.max(found.bestQuality, scorer.quality * factor)
      return { score: this.#scoreOf(doc, scorer, factor), name: scorer.name }
    }
    const page = Math.min(maxRanked, this.#query.offset + this.#query.limit)
    compareOneWord(segment, matcher, passing, {
      page,
      factor,
      looksLikeCode: this.#parsed.looksLikeCode,
      bonusOf: doc => this.#popularityBonus * segment.arrays.popularity[doc]! + this.#proximityOf(doc),
      bonusFalls: this.#query.near === undefined,
      compare,
      hand: (doc, score, name) => this.#hand(doc, score, name, remember),
    })
  }

  /** Takes a place, or a better score of one that another spelling found. */
  #hand(doc: number, score: number, name: number, remember: boolean): void {
    const found = this.#found
    const known = remember ? this.#seen.get(doc) : undefined
    if (known === undefined) {
      if (remember) this.#seen.set(doc, found.doc.length)
      found.push(this.#part.number, doc, score, name)
    } else if (score > found.score.view()[known]!) {
      found.score.view()[known] = score
      found.name.view()[known] = name
    }
  }

  #scoreOf(doc: number, scorer: Scorer, factor: number): number {
    const { arrays } = this.#part.segment
    let score = scorer.quality * factor * (scorer.misspelt ? this.#misspelt : 1)
    score += (scorer.misspelt ? this.#popularityBonusMisspelt : this.#popularityBonus) * arrays.popularity[doc]!
    if (scorer.inArea) {
      const place = arrays.areaPlace[arrays.area[doc]!]!
      if (place > 0) score += bonus.areaPopularity * arrays.popularity[place - 1]!
    }
    score += this.#proximityOf(doc)
    return arrays.status[doc] === statusCode.CLOSED ? score - closedPenalty : score
  }

  /** What closeness adds, where a bias is given. */
  #proximityOf(doc: number): number {
    if (this.#query.near === undefined) return 0
    const { latitude, longitude } = this.#part.segment.arrays
    return (
      bonus.proximity * proximity(this.#distanceTo(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree))
    )
  }

  /** Documents that the order of popularity would reach too late: those close to the bias, and those called exactly so. */
  #early(matchers: readonly Matcher[]): Bitmap {
    const early = Bitmap.of(this.#part.segment, 'early')
    this.#addCalled(matchers, early)
    this.#addClose(early)
    return early
  }

  /** Documents called exactly so, where all words are common. */
  #addCalled(matchers: readonly Matcher[], to: Bitmap): void {
    const { commonHash, commonDocs } = this.#part.segment.arrays
    const hash = bagHash(matchers.map(({ exact }) => exact))
    const from = lowerBound(commonHash, hash)
    let end = from
    while (end < commonHash.length && commonHash[end] === hash && end - from < maxRanked) end++
    to.addRun(commonDocs, from, end)
  }

  #addClose(to: Bitmap): void {
    const { near } = this.#query
    if (near === undefined) return
    const { points } = this.#part.segment
    const regions = closeKm.map(radiusKm => new BoxRegion(boxAround(near, radiusKm)))
    const region = regions.find(one => points.count(one) <= maxRanked) ?? regions.at(-1)!
    points.visit(region, (from, end) => {
      this.#budget.spend((end - from) / 4)
      to.addRun(points.docs, from, end)
    })
  }
}

/** Radii in which places close to a bias are gathered; the widest that holds no more than are ranked. */
const closeKm = [30, 10, 3]

/** 1 where the place is, falling with the logarithm of the distance in kilometres, to 0 at the antipode. */
const proximity = (km: number): number => Math.max(0, 1 - Math.log1p(km) / Math.log1p(20_016))

/** How telling a word is, by the main segment's names; misspelled words count as rare. */
function wordWeight(main: Segment, word: Word): number {
  const { terms, arrays } = main
  const exact = terms.find(word.text)
  if (exact >= 0) return arrays.weight[exact]! / 255
  if (!word.unfinished) return 1
  const [from, to] = terms.range(word.text)
  return termWeight(arrays.nameStart[to]! - arrays.nameStart[from]!, main.count) / 255
}

/** The first place of an ascending list that is not below `value`. */
function lowerBound(list: Uint32Array, value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
