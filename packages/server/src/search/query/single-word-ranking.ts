import { maxRanked } from '../../domain/search.ts'
import { Bitmap } from './bitmap.ts'
import { addNamed } from './candidates.ts'
import type { Test } from './filters.ts'
import { addNearby } from './location-bias.ts'
import type { RankingContext } from './part-results.ts'
import { type PassingDocuments, passingDocuments, stepsPerVisit } from './passing-documents.ts'
import { qualityPerLevel } from './quality-levels.ts'
import type { RankedPart } from './ranked-part.ts'
import { rounding } from './score-bounds.ts'
import { addTyped, boundQuality, compareSingleWord } from './single-word.ts'
import { bonus, enoughResults, strength } from './weights.ts'
import type { WordDocuments } from './word-documents.ts'

/** Number of documents of a word from which those close to the bias are looked up first. */
const minToPreferNearby = 1000

/** Facts about the documents that were looked up before all others. */
interface Preference {
  /** All documents whose entire name is the word are among them, if the word is common. */
  readonly knowsNamed: boolean
  /** All documents that match the word as typed are among them. */
  readonly knowsTyped: boolean
  /** Upper bound of the bonus by location bias of all others. */
  readonly maxBias: number
}

/**
 * Ranks the `count` documents of a single word. All of them match, so that only those that can reach the page are
 * compared. Returns false, and adds no document, if so few are live that an additional tier may run.
 */
export function rankSingleWord(
  ranked: readonly RankedPart[],
  words: readonly WordDocuments[],
  count: number,
  context: RankingContext,
): boolean {
  const { query, results, budget } = context
  const preferred = ranked.map(({ segment }) => Bitmap.of(segment, 'preferred'))
  const segments = ranked.map(({ segment }) => segment)
  const matchers = ranked.map(part => part.matchers)
  const ofWord = matchers.map(([matcher]) => matcher!)
  const knowsNamed = addNamed(ranked, matchers, preferred)
  const knowsTyped = addTyped(ranked, ofWord, preferred)
  const near = query.near
  const maxBias =
    near === undefined
      ? 0
      : count > minToPreferNearby
        ? addNearby(near, segments, preferred, maxRanked, budget)
        : bonus.proximity
  const matchingBefore = results.matching
  const found = passingDocuments(
    ranked.map((part, i) => ({
      part,
      listed: words[i]!.listed,
      preferred: preferred[i]!,
      isPassing: countingTest(part),
    })),
    budget,
  )
  if (results.matching < enoughResults) {
    results.matching = matchingBefore
    return false
  }
  const preference = { knowsNamed, knowsTyped, maxBias }
  for (const [i, part] of ranked.entries()) rankPart(part, words[i]!.levels, found[i]!, preference, context)
  return true
}

/** Ranks the documents of one part. */
function rankPart(
  { segment, matchers, documents, variant }: RankedPart,
  levels: Uint16Array,
  found: PassingDocuments,
  { knowsNamed, knowsTyped, maxBias }: Preference,
  { parsed, budget, best }: RankingContext,
): void {
  const { scorer, factor, remember, wanted } = variant
  const { bias } = documents
  const matcher = matchers[0]!
  const bounds = boundQuality(segment, matcher, { looksLikeCode: parsed.looksLikeCode, knowsNamed })
  const maxWanted = wanted === undefined ? 0 : bonus.wants
  const wantedOf = (doc: number) => wanted?.bonusOf(doc) ?? 0
  const bonusOf = (doc: number) => documents.prominenceBonusOf(doc)
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
      return bonusOf(doc) + wantedOf(doc) + bias.maxBonusOf(doc)
    },
    tightBonusOf: doc => bonusOf(doc) + wantedOf(doc) + bias.bonusOf(doc),
    isBiased: bias.isActive,
    decreasingBonusOf: (doc, inName) => (inName ? bonusOf(doc) : otherBonusOf(doc)) + maxWanted + maxBias,
    compare: doc => {
      budget.spend(3)
      scorer.matches(doc)
      documents.note(doc, variant)
      documents.add(doc, variant)
    },
    ...(remember && { skip: doc => documents.skip(doc, true) }),
  })
  if (!remember) documents.skipAll(found.preferred.length + found.others.length - compared)
}

/** Returns a test for live documents that pass the filters; it counts all live ones as matching. */
function countingTest({ dead, passes, documents, variant: { remember } }: RankedPart): Test {
  return doc => {
    if (dead?.[doc] === 1) return false
    documents.countMatch(doc, remember)
    return passes === undefined || passes(doc)
  }
}
