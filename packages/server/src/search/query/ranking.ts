import { maxRanked } from '../../domain/search.ts'
import { applyBestList } from './best-list.ts'
import { Bitmap } from './bitmap.ts'
import { addNamed, candidates, certainMatches, postingsOfWord } from './candidates.ts'
import { EarlyEnd } from './early-end.ts'
import type { Test } from './filters.ts'
import { type Matcher, matcherOf, withTakenTerms } from './matcher.ts'
import { type Leniency, Misspellings } from './misspellings.ts'
import type { Word } from './parse-query.ts'
import { type FilteredPart, PartResults, type RankingContext, type Variant } from './part-results.ts'
import { partialCandidates } from './partial-candidates.ts'
import { passingDocuments, stepsPerVisit } from './passing-documents.ts'
import { qualityPerLevel } from './quality-levels.ts'
import { boundOfType, boundOfWords, rounding } from './score-bounds.ts'
import { Scorer } from './scorer.ts'
import { restrictShortWords } from './short-words.ts'
import { addTyped, boundQuality, compareSingleWord } from './single-word.ts'
import { bonus, enoughResults, strength } from './weights.ts'
import { documentsOfWord, type WordDocuments } from './word-documents.ts'

/** Tolerance of a search: `forgiving` corrects misspellings and spaces, `partial` also ignores unmatched words. */
export type Tier = 'strict' | 'forgiving' | 'partial'
const leniencies: Readonly<Record<Tier, Leniency>> = { strict: 'none', forgiving: 'promised', partial: 'generous' }

/** Number of documents from which a bitmap of the documents of a word pays off. */
const minToList = 32

/** Number of documents of a word from which those close to the bias are looked up first. */
const minToPreferNearby = 1000

/**
 * Ranks the documents of one part for a query: adds each matching document once, with its best score over all variants.
 */
export class Ranking {
  readonly #part: FilteredPart
  readonly #context: RankingContext
  readonly #misspellings: Misspellings
  readonly #documents: PartResults

  constructor(part: FilteredPart, context: RankingContext) {
    this.#part = part
    this.#context = context
    this.#misspellings = new Misspellings(part.segment, context.budget)
    this.#documents = new PartResults(part, context)
  }

  /** Adds the documents that match a variant of the query's words under a tier; `factor` applies to their quality. */
  add(words: readonly Word[], tier: Tier, factor = 1): void {
    const { segment } = this.#part
    const { query, parsed, budget } = this.#context
    const type = query.type ?? 'NAME'
    const isSingleName = words.length === 1 && type === 'NAME'
    const matchers = this.#matchersOf(words, tier, isSingleName)
    const isAsTyped = tier === 'strict' && factor === 1
    if (isAsTyped && isSingleName && applyBestList(this.#part, matchers[0]!, this.#context, this.#documents)) return
    const partial = tier === 'partial'
    const { looksLikeCode, shortness } = parsed
    const scorer = new Scorer(segment, matchers, { type, partial, looksLikeCode, shortness })
    const variant = { scorer, factor, remember: !isAsTyped, partial }
    if (partial) {
      this.#compareAll(partialCandidates(segment, matchers, type, budget), variant)
      return
    }
    if (isSingleName && postingsOfWord(segment, matchers[0]!) >= minToList) {
      const documents = documentsOfWord(segment, matchers[0]!, parsed, budget)
      const count = documents.listed.count()
      if (count >= minToList && this.#compareSingleWord(documents, count, matchers[0]!, variant)) return
    }
    const docs = candidates(segment, matchers, type, budget)
    if (docs.length > maxRanked) budget.require(docs.length)
    const early = () =>
      new EarlyEnd(this.#documents, this.#context.best, {
        bound: () =>
          type === 'NAME' ? boundOfWords(segment, matchers, looksLikeCode, factor) : boundOfType(looksLikeCode, factor),
        allMatch: isSingleName,
        certain: () => (type === 'NAME' ? certainMatches(segment, matchers, docs, budget) : undefined),
      })
    const preferred = docs.length > maxRanked ? Bitmap.of(segment, 'preferred') : undefined
    if (preferred) {
      // The order of popularity may reach these too late.
      addNamed(segment, matchers, preferred)
      this.#documents.bias.addNearby(preferred, maxRanked, budget)
      budget.spend(docs.length / 8)
      this.#compareAll(preferred.intersect(docs), variant, early())
    }
    this.#compareAll(docs, variant, early(), preferred)
  }

  /** Looks up the words in the segment. */
  #matchersOf(words: readonly Word[], tier: Tier, isSingleName: boolean): readonly Matcher[] {
    const { budget, main } = this.#context
    const areCountries = words.every(({ country }) => country !== undefined)
    const wanted = { areas: !isSingleName, country: !isSingleName && !areCountries }
    const matchers = words.map(word =>
      matcherOf(this.#part.segment, word, main, this.#misspellings, leniencies[tier], wanted, budget),
    )
    restrictShortWords(this.#part.segment, matchers, budget)
    return withTakenTerms(matchers)
  }

  /**
   * Compares documents with the query, except those in `skip`, until this part has contributed `maxRanked` results.
   * With `early`, a document that cannot reach the page is only counted.
   */
  #compareAll(docs: ArrayLike<number>, variant: Variant, early?: EarlyEnd, skip?: Bitmap): void {
    const { dead, passes, segment } = this.#part
    const { results, budget } = this.#context
    const documents = this.#documents
    const { scorer, remember } = variant
    const { textStart } = segment.arrays
    for (let i = 0; i < docs.length && !documents.isFull; i++) {
      budget.spend(stepsPerVisit)
      const doc = docs[i]!
      if (dead?.[doc] === 1 || skip?.has(doc)) continue
      const isPassing = passes === undefined || passes(doc)
      // Documents that fail the filters count until it is clear that no additional tier runs.
      if (!isPassing && (results.complete || documents.isSettled)) continue
      const length = textStart[doc + 1]! - textStart[doc]!
      if (early?.excludes(doc)) {
        const isCertain = early.matchesCertainly(doc)
        budget.spend(isCertain ? 0 : 1 + length / 16)
        if (isCertain || scorer.includes(doc)) documents.skip(doc, remember)
        continue
      }
      budget.spend(3 + length / 8)
      if (!scorer.matches(doc)) continue
      documents.note(variant)
      documents.countMatch(doc, remember)
      if (!isPassing) continue
      documents.add(doc, variant)
    }
  }

  /**
   * Ranks the `count` documents of a single word. All of them match, so that only those that can reach the page are
   * compared. Returns false, and adds no document, if so few are live that an additional tier may run.
   */
  #compareSingleWord({ listed, levels }: WordDocuments, count: number, matcher: Matcher, variant: Variant): boolean {
    const { budget, parsed, results, best } = this.#context
    const { scorer, factor, remember } = variant
    const { segment } = this.#part
    const documents = this.#documents
    const { bias } = documents
    const preferred = Bitmap.of(segment, 'preferred')
    const knowsNamed = addNamed(segment, [matcher], preferred)
    const knowsTyped = addTyped(segment, matcher, preferred)
    const maxBias = bias.isActive
      ? count > minToPreferNearby
        ? bias.addNearby(preferred, maxRanked, budget)
        : bonus.proximity
      : 0
    const matchingBefore = results.matching
    const found = passingDocuments(listed, preferred, this.#countingTest(remember), budget)
    if (results.matching < enoughResults) {
      results.matching = matchingBefore
      return false
    }
    const bounds = boundQuality(segment, matcher, { looksLikeCode: parsed.looksLikeCode, knowsNamed })
    const bonusOf = (doc: number) => documents.popularityBonusOf(doc)
    const otherBonusOf = knowsTyped ? (doc: number) => documents.misspelledBonusOf(doc) : bonusOf
    const typedPerLevel = qualityPerLevel * factor
    const otherPerLevel = typedPerLevel * (knowsTyped ? documents.misspelledFactor : 1)
    const compared = compareSingleWord(segment, matcher, {
      ...found,
      best,
      bounds: {
        whole: bounds.whole * factor + rounding,
        other: (knowsTyped ? strength.edits[1] * documents.misspelledFactor : bounds.other) * factor + rounding,
      },
      maxQualityOf: doc => levels[doc]! * typedPerLevel,
      maxQualityOfOther: doc => levels[doc]! * otherPerLevel,
      maxBonusOf: doc => {
        budget.spend(stepsPerVisit)
        return bonusOf(doc) + bias.maxBonusOf(doc)
      },
      decreasingBonusOf: (doc, inName) => (inName ? bonusOf(doc) : otherBonusOf(doc)) + maxBias,
      compare: doc => {
        budget.spend(3)
        scorer.matches(doc)
        documents.note(variant)
        documents.add(doc, variant)
      },
      ...(remember && { skip: doc => documents.skip(doc, true) }),
    })
    if (!remember) documents.skipAll(found.preferred.length + found.others.length - compared)
    return true
  }

  /** Returns a test for live documents that pass the filters; it counts all live ones as matching. */
  #countingTest(remember: boolean): Test {
    const { dead, passes } = this.#part
    return doc => {
      if (dead?.[doc] === 1) return false
      this.#documents.countMatch(doc, remember)
      return passes === undefined || passes(doc)
    }
  }
}
