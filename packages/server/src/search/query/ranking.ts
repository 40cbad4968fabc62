import { maxRanked, type SearchQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart } from '../index/index-view.ts'
import { type Segment, statusCode } from '../index/segment.ts'
import { Bitmap } from './bitmap.ts'
import { addNamed, candidates, documentsOfWord, postingsOfWord } from './candidates.ts'
import type { Test } from './filters.ts'
import { LocationBias } from './location-bias.ts'
import { type Matcher, matcherOf, wordWeight } from './matcher.ts'
import { type Leniency, Misspellings } from './misspellings.ts'
import type { ParsedQuery, Word } from './parse-query.ts'
import { partialCandidates } from './partial-candidates.ts'
import { passingDocuments, stepsPerVisit } from './passing-documents.ts'
import type { Results } from './results.ts'
import { Scorer } from './scorer.ts'
import { boundQuality, compareSingleWord, minToTerminateEarly } from './single-word.ts'
import { bonus, closedPenalty, enoughResults, quality } from './weights.ts'

/** Tolerance of a search: `forgiving` corrects misspellings and spaces, `partial` also ignores unmatched words. */
export type Tier = 'strict' | 'forgiving' | 'partial'
const leniencies: Readonly<Record<Tier, Leniency>> = { strict: 'none', forgiving: 'promised', partial: 'generous' }

/** Number of documents of a word from which those close to the bias are looked up first. */
const minToPreferNearby = 1000

/** Outcome of the strict tier, which the scores of later tiers depend on. */
export interface StrictOutcome {
  /** A document matches the words as typed. */
  readonly known: boolean
  /** A document contains all words, complete and as typed. */
  readonly whole: boolean
}

/** Part of a view with the compiled filters of a query. */
export type FilteredPart = IndexPart & {
  /** Index of the part in the view. */
  readonly number: number
  readonly passes: Test | undefined
}

/** Inputs of a ranking that do not depend on the part. */
export interface RankingContext {
  /** Main segment, which determines the weights of words. */
  readonly main: Segment
  readonly query: SearchQuery
  readonly parsed: ParsedQuery
  readonly budget: Budget
  readonly results: Results
  readonly strict: StrictOutcome
}

/** Variant of a query: its words, and a factor on the quality of matches. */
interface Variant {
  readonly scorer: Scorer
  readonly factor: number
  /** Other variants may find the same documents, so results have to be remembered by document. */
  readonly remember: boolean
}

/**
 * Ranks the documents of one part for a query: adds each matching document once, with its best score over all variants.
 */
export class Ranking {
  readonly #part: FilteredPart
  readonly #context: RankingContext
  readonly #misspellings: Misspellings
  readonly #bias: LocationBias
  /** Length of the results at which this part has contributed `maxRanked` documents. */
  readonly #full: number
  /** Index in the results of documents that earlier variants found. */
  readonly #seen = new Map<number, number>()
  /** Documents that earlier variants have counted, but not scored. */
  #skipped: Bitmap | undefined
  readonly #popularityBonus: number
  readonly #popularityBonusMisspelled: number
  readonly #misspelledFactor: number

  constructor(part: FilteredPart, context: RankingContext) {
    const { query, parsed, results, strict, budget } = context
    this.#part = part
    this.#context = context
    this.#misspellings = new Misspellings(part.segment, budget)
    this.#bias = new LocationBias(part.segment, query.near)
    this.#full = results.doc.length + maxRanked
    const short = query.near ? bonus.shortPopularityNear : bonus.shortPopularity
    this.#popularityBonus = bonus.popularity + short * parsed.shortness
    // If a place has the name as typed, a large city with a similar name does not win by its popularity.
    this.#popularityBonusMisspelled = strict.known ? bonus.popularity : this.#popularityBonus
    this.#misspelledFactor = strict.whole ? quality.misspelled : 1
  }

  /** Adds the documents that match a variant of the query's words under a tier; `factor` applies to their quality. */
  add(words: readonly Word[], tier: Tier, factor = 1): void {
    const { segment } = this.#part
    const { query, parsed, budget, main } = this.#context
    const type = query.type ?? 'NAME'
    const isSingleName = words.length === 1 && type === 'NAME'
    const areCountries = words.every(({ country }) => country !== undefined)
    const wanted = { areas: !isSingleName, country: !isSingleName && !areCountries }
    const matchers = words.map(word =>
      matcherOf(segment, word, wordWeight(main, word), this.#misspellings, leniencies[tier], wanted, budget),
    )
    const { looksLikeCode, shortness } = parsed
    const options = { type, partial: tier === 'partial', looksLikeCode, shortness }
    const scorer = new Scorer(segment, matchers, options, budget)
    const variant = { scorer, factor, remember: tier !== 'strict' || factor !== 1 }
    if (tier === 'partial') {
      this.#compareAll(partialCandidates(segment, matchers, type, budget), { ...variant, remember: true })
      return
    }
    if (isSingleName && postingsOfWord(segment, matchers[0]!) >= minToTerminateEarly) {
      const listed = documentsOfWord(segment, matchers[0]!, budget)
      const count = listed.count()
      if (count >= minToTerminateEarly) {
        this.#compareSingleWord(listed, count, matchers[0]!, variant)
        return
      }
    }
    const docs = candidates(segment, matchers, type, budget)
    if (docs.length > maxRanked) budget.require(docs.length)
    const preferred = docs.length > maxRanked ? Bitmap.of(segment, 'preferred') : undefined
    if (preferred) {
      // The order of popularity may reach these too late.
      addNamed(segment, matchers, preferred)
      this.#bias.addNearby(preferred, maxRanked, budget)
      budget.spend(docs.length / 8)
      this.#compareAll(preferred.intersect(docs), variant)
    }
    this.#compareAll(docs, variant, preferred)
  }

  /** Compares documents with the query, except those in `skip`, until this part has contributed `maxRanked` results. */
  #compareAll(docs: ArrayLike<number>, variant: Variant, skip?: Bitmap): void {
    const { dead, passes, segment } = this.#part
    const { results, budget } = this.#context
    const { scorer, remember } = variant
    const { textStart } = segment.arrays
    for (let i = 0; i < docs.length && results.doc.length < this.#full; i++) {
      budget.spend(stepsPerVisit)
      const doc = docs[i]!
      if (dead?.[doc] === 1 || skip?.has(doc)) continue
      const isPassing = passes === undefined || passes(doc)
      // Documents that fail the filters count until it is clear that no additional tier runs.
      if (!isPassing && (results.complete || results.matching >= enoughResults)) continue
      budget.spend(3 + (textStart[doc + 1]! - textStart[doc]!) / 8)
      if (!scorer.matches(doc)) continue
      this.#note(variant)
      if (!remember || this.#isNew(doc)) results.matching++
      if (isPassing) this.#collect(doc, this.#scoreOf(doc, variant), scorer.name, remember)
    }
  }

  /**
   * Ranks the `count` documents of a single word. All of them match, so that only those that can reach the page are
   * compared.
   */
  #compareSingleWord(listed: Bitmap, count: number, matcher: Matcher, variant: Variant): void {
    const { budget, query, parsed, results } = this.#context
    const { scorer, factor, remember } = variant
    const { segment } = this.#part
    const { popularity } = segment.arrays
    const preferred = Bitmap.of(segment, 'preferred')
    const knowsNamed = addNamed(segment, [matcher], preferred)
    const maxBias = this.#bias.isActive
      ? count > minToPreferNearby
        ? this.#bias.addNearby(preferred, maxRanked, budget)
        : bonus.proximity
      : 0
    const found = passingDocuments(listed, preferred, this.#countingTest(remember), budget)
    const bounds = boundQuality(segment, matcher, { looksLikeCode: parsed.looksLikeCode, knowsNamed })
    const compared = compareSingleWord(segment, matcher, {
      ...found,
      page: Math.min(maxRanked, query.offset + query.limit),
      bounds: { named: bounds.named * factor, whole: bounds.whole * factor, other: bounds.other * factor },
      maxBonusOf: doc => {
        budget.spend(stepsPerVisit)
        return this.#popularityBonus * popularity[doc]! + this.#bias.maxBonusOf(doc)
      },
      decreasingBonusOf: doc => this.#popularityBonus * popularity[doc]! + maxBias,
      compare: doc => {
        budget.spend(3)
        scorer.matches(doc)
        this.#note(variant)
        const score = this.#scoreOf(doc, variant)
        this.#collect(doc, score, scorer.name, remember)
        return score
      },
      ...(remember && { skip: doc => this.#skip(doc) }),
    })
    if (!remember) results.unscored += found.preferred.length + found.others.length - compared
  }

  /** Returns a test for live documents that pass the filters; it counts all live ones as matching. */
  #countingTest(remember: boolean): Test {
    const { dead, passes } = this.#part
    const { results } = this.#context
    return doc => {
      if (dead?.[doc] === 1) return false
      if (!remember || this.#isNew(doc)) results.matching++
      return passes === undefined || passes(doc)
    }
  }

  /** Returns true if no variant has found a document yet. */
  #isNew(doc: number): boolean {
    return !this.#seen.has(doc) && !this.#skipped?.has(doc)
  }

  /** Counts a document that cannot reach the page by the present variant. */
  #skip(doc: number): void {
    if (!this.#isNew(doc)) return
    this.#skipped ??= Bitmap.of(this.#part.segment, 'skipped')
    this.#skipped.add(doc)
    this.#context.results.unscored++
  }

  /** Updates the properties of the results after a match. */
  #note({ scorer, factor }: Variant): void {
    const { results } = this.#context
    if (scorer.complete && factor === 1) results.complete = true
    if (scorer.whole && factor === 1) results.whole = true
    results.bestQuality = Math.max(results.bestQuality, scorer.quality * factor)
  }

  /** Adds a document to the results, or raises its score if another variant found it with a lower one. */
  #collect(doc: number, score: number, name: number, remember: boolean): void {
    const { results } = this.#context
    const known = remember ? this.#seen.get(doc) : undefined
    if (known === undefined) {
      if (this.#skipped?.delete(doc)) results.unscored--
      if (remember) this.#seen.set(doc, results.doc.length)
      results.push(this.#part.number, doc, score, name)
    } else if (score > results.score.view()[known]!) {
      results.score.view()[known] = score
      results.name.view()[known] = name
    }
  }

  /** Returns the score of the document that the scorer compared last. */
  #scoreOf(doc: number, { scorer, factor }: Variant): number {
    const { arrays } = this.#part.segment
    let score = scorer.quality * factor * (scorer.misspelled ? this.#misspelledFactor : 1)
    score += (scorer.misspelled ? this.#popularityBonusMisspelled : this.#popularityBonus) * arrays.popularity[doc]!
    if (scorer.inArea) {
      const place = arrays.areaPlace[arrays.area[doc]!]!
      if (place > 0) score += bonus.areaPopularity * arrays.popularity[place - 1]!
    }
    score += this.#bias.bonusOf(doc)
    return arrays.status[doc] === statusCode.CLOSED ? score - closedPenalty : score
  }
}
