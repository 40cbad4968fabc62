import { topLevelCategories } from '../../domain/category.ts'
import { maxRanked, type Point, type SearchQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart } from '../index/index-view.ts'
import type { Lexicon } from '../index/lexicon.ts'
import { geoCategory, statusCode } from '../index/segment.ts'
import { areaCloseness, closenessTo, kilometresTo } from './area-closeness.ts'
import type { BestScores } from './best-scores.ts'
import { Bitmap } from './bitmap.ts'
import type { Test } from './filters.ts'
import type { FoundLeader, Leaders } from './leaders.ts'
import { LocationBias } from './location-bias.ts'
import type { ParsedQuery } from './parse-query.ts'
import type { Results } from './results.ts'
import type { Scorer } from './scorer.ts'
import type { TransportNames } from './understand/transport-names.ts'
import type { VariantPlace } from './variant-place.ts'
import type { WantedFacts } from './wanted-facts.ts'
import { bonus, certainty, closedPenalty, enoughResults, followerPenalty, quality } from './weights.ts'

const attraction = topLevelCategories.indexOf('ATTRACTION')
const transport = topLevelCategories.indexOf('TRANSPORT')
/** Maximum distance between a sight and the town that it shares its name with, in kilometres. */
const ownTownKm = 40

/** Outcome of the strict tier, which the scores of later tiers depend on. */
export interface StrictOutcome {
  /** True if a document matches the words as typed. */
  readonly known: boolean
  /** True if a document contains all words, complete and as typed. */
  readonly whole: boolean
}

/** Part of a view with the compiled filters of a query. */
export type FilteredPart = IndexPart & {
  /** Index of the part in the view. */
  readonly number: number
  readonly passes: Test | undefined
}

/** Parts that share a lexicon: those of the index, or its overlay. */
export interface PartGroup {
  readonly lexicon: Lexicon
  readonly parts: readonly FilteredPart[]
}

/** Number of documents that the parts of a group have contributed. */
export interface Contribution {
  /** Includes those that were counted, but not scored. */
  count: number
}

/** Inputs of a ranking that do not depend on the part. */
export interface RankingContext {
  /** Lexicon of the index, which determines the weights of words. */
  readonly lexicon: Lexicon
  readonly query: SearchQuery
  readonly parsed: ParsedQuery
  readonly budget: Budget
  readonly results: Results
  /** The best scores of the results, of all parts and variants. */
  readonly best: BestScores
  readonly strict: StrictOutcome
  /** True if the query has one reading only, so that no other finds the same documents. */
  readonly isAlone: boolean
  /** Positions of the cities, regions and countries whose entire name the query is. */
  readonly namesakes: readonly Point[]
  /** True if the only word is complete, so that it is hardly the beginning of another one. */
  readonly isBrand: boolean
  readonly leaders: Leaders
}

/** Variant of a query: its words, and a factor on the quality of matches. */
export interface Variant {
  readonly scorer: Scorer
  /** Index of the reading in the results. */
  readonly reading: number
  readonly factor: number
  /** True if other variants may find the same documents, so that results have to be remembered by document. */
  readonly remember: boolean
  /** True if words may be unmatched. */
  readonly partial: boolean
  /** True if only names that consist of exactly the words match. */
  readonly isWholeName: boolean
  /** Bonus for closeness to the centre of an area, of places that match by their category. */
  readonly areaCloseness: number
  /** Place of the reading; undefined if the area of each document decides. */
  readonly place: VariantPlace | undefined
  /** Facts that the text prefers; undefined if it has none that records have. */
  readonly wanted: WantedFacts | undefined
  /** The text asks for what is nearest: prominence does not count. */
  readonly isNearest: boolean
  /** Returns the leader of a document, from the column `leader`, if it is a result of the variant. */
  readonly findLeader: (leader: number) => FoundLeader | undefined
}

/** Adds documents of one part to the results of a query: each once, with its best score over all variants. */
export class PartResults {
  readonly #part: FilteredPart
  readonly #results: Results
  readonly #best: BestScores
  readonly #bias: LocationBias
  readonly #prominenceBonus: number
  readonly #prominenceBonusMisspelled: number
  readonly #prominenceBonusUnfinished: number
  readonly #unfinishedFactor: number
  readonly #notGeo: number
  readonly #namesakes: readonly Point[]
  readonly #collapses: boolean
  readonly #misspelledFactor: number
  /** Index in the results of documents that earlier variants found. */
  readonly #seen = new Map<number, number>()
  /** Documents that earlier variants have counted, but not scored. */
  #skipped: Bitmap | undefined
  readonly #contribution: Contribution

  constructor(
    part: FilteredPart,
    contribution: Contribution,
    { query, parsed, results, best, strict, namesakes, isBrand }: RankingContext,
  ) {
    this.#part = part
    this.#contribution = contribution
    this.#results = results
    this.#best = best
    this.#bias = new LocationBias(part.segment, query.near)
    const short = query.near ? bonus.shortProminenceNear : bonus.shortProminence
    this.#prominenceBonus = bonus.prominence + short * parsed.shortness
    // If a place has the name as typed, a large city with a similar name does not win by its prominence.
    this.#prominenceBonusMisspelled = strict.known ? bonus.prominence : this.#prominenceBonus
    this.#collapses = query.collapse === true
    this.#namesakes = namesakes
    this.#prominenceBonusUnfinished = isBrand ? bonus.prominence : this.#prominenceBonus
    this.#unfinishedFactor = isBrand ? quality.misspelled : 1
    this.#notGeo = isNameInCountry(parsed) ? quality.notGeo : 1
    this.#misspelledFactor = strict.whole ? quality.misspelled : 1
  }

  get bias(): LocationBias {
    return this.#bias
  }

  /** The group has contributed as many documents as can be ranked. */
  get isFull(): boolean {
    return this.#contribution.count >= maxRanked
  }

  /** No additional tier runs, so that only the number of further matches counts, and those that reach the page. */
  get isSettled(): boolean {
    return this.#results.matching >= enoughResults
  }

  /** Returns true if no variant has found a document yet. */
  isNew(doc: number): boolean {
    return !this.#seen.has(doc) && !this.#skipped?.has(doc)
  }

  /** Counts a document that matches the text, with or without the filters. A closed place is no answer. */
  countMatch(doc: number, remember: boolean): void {
    if (!this.isClosed(doc) && (!remember || this.isNew(doc))) this.#results.matching++
  }

  /** Returns true if a document is CLOSED. */
  isClosed(doc: number): boolean {
    return this.#part.segment.arrays.status[doc] === statusCode.CLOSED
  }

  /** Returns true if the confidence in a match that lacks words suffices; it is higher close to the location bias. */
  isAnswer(doc: number, { confidence }: Scorer): boolean {
    return confidence + (this.#bias.isClose(doc) ? certainty.close : 0) >= certainty.min
  }

  /** Returns an upper bound of the bonus by prominence, which never increases from one document to the next. */
  prominenceBonusOf(doc: number): number {
    return this.#prominenceBonus * this.#part.segment.arrays.prominence[doc]!
  }

  /** Returns such a bound for the documents that match only as a misspelling. */
  misspelledBonusOf(doc: number): number {
    return this.#prominenceBonusMisspelled * this.#part.segment.arrays.prominence[doc]!
  }

  /** Returns an upper bound of the bonus by prominence and location bias. */
  maxBonusOf(doc: number): number {
    return this.prominenceBonusOf(doc) + this.#bias.maxBonusOf(doc)
  }

  /** Returns such a bound for a document and all later ones. */
  maxBonusFrom(doc: number): number {
    return this.prominenceBonusOf(doc) + (this.#bias.isActive ? bonus.proximity : 0)
  }

  /** Factor on the quality of misspelled matches. */
  get misspelledFactor(): number {
    return this.#misspelledFactor
  }

  /** Counts a document that passes the filters, but cannot reach the page by the current variant. */
  skip(doc: number, remember: boolean): void {
    if (remember) {
      if (!this.isNew(doc)) return
      this.#skipped ??= Bitmap.of(this.#part.segment, 'skipped')
      this.#skipped.add(doc)
    }
    this.skipAll(1)
  }

  /** Counts documents that pass the filters, but cannot reach the page; no variant has found them. */
  skipAll(count: number): void {
    this.#results.unscored += count
    this.#contribution.count += count
  }

  /** Updates the properties of the results after the match of a document. */
  note(doc: number, { scorer, factor }: Variant): void {
    if (this.isClosed(doc)) return
    const results = this.#results
    if (scorer.complete && factor === 1) results.complete = true
    if (scorer.whole && factor === 1) results.whole = true
    results.bestQuality = Math.max(results.bestQuality, scorer.quality * factor)
  }

  /** Adds the document that the scorer compared last, or raises its score if a variant found it with a lower one. */
  add(doc: number, variant: Variant): void {
    const { name } = variant.scorer
    const leader = this.#leaderOf(doc, variant)
    if (leader !== undefined && this.#collapses) {
      this.#results.follow(leader, this.#part.number, doc)
      return
    }
    const score = this.#scoreOf(doc, variant) - (leader === undefined || this.#isHere(doc) ? 0 : followerPenalty)
    const known = variant.remember ? this.#seen.get(doc) : undefined
    if (known === undefined) {
      if (variant.remember) {
        if (this.#skipped?.delete(doc)) this.skipAll(-1)
        this.#seen.set(doc, this.#results.count)
      }
      this.addScored(doc, score, name, variant.reading)
    } else if (score > this.#results.columns.score[known]!) this.#results.raise(known, score, name, variant.reading)
  }

  /** Returns true for a station or airport so close to the location bias that it may be what is meant. */
  #isHere = (doc: number): boolean =>
    this.#part.segment.arrays.category[doc] === transport && this.#bias.bonusOf(doc) > bonus.proximityHere

  /** Adds a document with a score, the index of its matching name, and that of the reading that found it. */
  addScored(doc: number, score: number, name: number, reading: number): void {
    this.#results.push(this.#part.number, doc, score, name, reading)
    this.#best.add(score)
    this.#contribution.count++
  }

  /** Returns the leader of the document that the scorer compared last, if the name of both was typed. */
  #leaderOf(doc: number, { scorer, findLeader }: Variant): FoundLeader | undefined {
    const leader = this.#part.segment.arrays.leader[doc]!
    return leader === 0 || scorer.name < 0 ? undefined : findLeader(leader)
  }

  /** Returns the score of the document that the scorer compared last, without the penalty of a leader. */
  #scoreOf(doc: number, variant: Variant): number {
    const { scorer, factor, place, areaCloseness: ofCloseness, wanted, isNearest } = variant
    const { arrays } = this.#part.segment
    const isGeo = arrays.category[doc] === geoCategory
    const isBehind = !isGeo && this.#namesakes.length > 0 && !this.#isOtherSight(doc, scorer.complete)
    const prominence = arrays.prominence[doc]! - (isBehind ? bonus.wholeGeo : 0)
    let score = scorer.quality * factor * this.#factorFor(scorer) * (isGeo ? 1 : this.#notGeo)
    if (!isNearest) score += this.#prominenceBonusFor(scorer) * prominence
    if (wanted !== undefined) score += wanted.bonusOf(doc)
    if (place !== undefined) {
      score += this.#placeBonusOf(doc, place)
      if (scorer.byCategory && place.centre) score += ofCloseness * closenessTo(place.centre, arrays, doc)
    } else if (scorer.inArea) {
      const place = arrays.areaPlace[arrays.area[doc]!]! - 1
      if (place >= 0) score += bonus.areaPopularity * arrays.placePopularity[place]!
      if (place >= 0 && scorer.byCategory) score += ofCloseness * areaCloseness(arrays, doc, place)
    }
    score += this.#bias.bonusOf(doc)
    return arrays.status[doc] === statusCode.CLOSED ? score - closedPenalty : score
  }

  /**
   * Returns true for a sight that is called as the query, and that no town of this name is close to: it is then not the
   * sight of the town, and may be what is meant.
   */
  #isOtherSight(doc: number, isComplete: boolean): boolean {
    const { arrays } = this.#part.segment
    if (!isComplete || arrays.category[doc] !== attraction) return false
    return this.#namesakes.every(town => kilometresTo(town, arrays, doc) > ownTownKm)
  }

  /** Returns the factor on the quality of a match that is not as typed. */
  #factorFor({ misspelled, unfinished }: Scorer): number {
    if (misspelled) return this.#misspelledFactor
    return unfinished ? this.#unfinishedFactor : 1
  }

  /** Returns the bonus by prominence, which is small where another place is called as the query. */
  #prominenceBonusFor({ misspelled, unfinished }: Scorer): number {
    if (misspelled) return this.#prominenceBonusMisspelled
    return unfinished ? this.#prominenceBonusUnfinished : this.#prominenceBonus
  }

  /** Returns the bonus of a document for its position in the place of a reading. */
  #placeBonusOf(doc: number, place: VariantPlace): number {
    const { arrays } = this.#part.segment
    if (place.radiusKm === undefined || place.centre === undefined) {
      const { isNamed, isExact, isInternational } = place.transportNamesOf?.(doc) ?? noNames
      // Airports are in a town nearby, but have the name of the city that they belong to.
      const isIn = isNamed || place.areas.has(arrays.area[doc]!)
      const facts = Number(isNamed) + Number(isExact) + Number(isInternational)
      return place.bonus * (isIn ? 1 : bonus.inCircle) + bonus.transportName * facts
    }
    return place.bonus * Math.max(0, 1 - kilometresTo(place.centre, arrays, doc) / place.radiusKm)
  }
}

const noNames: TransportNames = { isNamed: false, isExact: false, isInternational: false }

/** Returns true for a query like "Bern, Switzerland", which names a place and its country, but no category. */
const isNameInCountry = ({ words }: ParsedQuery): boolean =>
  words.some(({ country }) => country !== undefined) &&
  words.some(({ country }) => country === undefined) &&
  words.every(({ categories }) => categories.length === 0)
