import type { PlaceTextReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Location } from '../../domain/location.ts'
import type { RecommendationHit } from '../../domain/recommendation.ts'
import type { Review, TripType } from '../../domain/review.ts'
import type { PlaceTexts } from '../../domain/review-query.ts'
import { similarity, type TextVectors } from '../../domain/text-vectors.ts'
import { fold } from '../../kit/fold.ts'
import { hashOfSentence, vectorsOfReview } from '../reviews/review-vectors.ts'
import type { ReviewsIndex } from '../reviews/reviews-index.ts'
import { tripForms } from '../text/intent-words.ts'
import { sentencesOf } from '../text/sentences.ts'
import { mentionsAny } from '../text/stems.ts'
import { diversify, type Varied } from './diversity.ts'
import { excerptsOf } from './excerpts.ts'
import { type IdeaMatcher, ideaMatcher } from './idea-matcher.ts'
import { scoreOf } from './recommendation-score.ts'
import { bounds, matchStrength, partWeights } from './recommendation-weights.ts'
import { ReviewEvidence } from './review-evidence.ts'
import { type PlaceSentences, type SentenceQuery, sentencesAbout } from './review-sentences.ts'
import { SentenceScorer } from './sentence-scores.ts'
import type { Shortlist } from './shortlist.ts'

/** Shortlist with the additional inputs of the ranking. */
export interface RankTask extends Shortlist {
  /** Preferred languages of reasons. */
  readonly languages: readonly string[]
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly limit: number
  /** Text of the query. */
  readonly text: string
}

/** Sources of the ranking next to the store. */
export interface RankSources {
  readonly reviews?: ReviewsIndex | undefined
  readonly vectors?: TextVectors | undefined
}

/** Place of a shortlist. */
interface Candidate {
  readonly id: Id
  readonly closeness: number
  readonly wanted: number
  readonly strengths: readonly number[]
  readonly factor: number
  /** Reviews that speak of the query, best first. */
  readonly reviews: readonly Id[]
}

/** Candidate whose texts have been read. */
interface ReadCandidate {
  readonly candidate: Candidate
  readonly texts: PlaceTexts
  readonly sentences: PlaceSentences
}

/** Candidate with its score. */
interface ScoredCandidate extends Varied {
  readonly id: Id
  readonly sentences: PlaceSentences
}

const dayMs = 86_400_000

/**
 * Ranks the places of a shortlist by their texts and reviews, and returns the best with reasons. Reads a bounded number
 * of rows (`bounds`); runs on a thread other than the serving one. Without an index of reviews, the newest of each
 * place are read. Throws DamagedReviews.
 */
export async function rank(
  reader: PlaceTextReader,
  task: RankTask,
  { reviews, vectors }: RankSources = {},
): Promise<RecommendationHit[]> {
  const ideas = task.ideas.map(ideaMatcher)
  const own = new Set(task.ideas.flatMap(({ forms }) => forms))
  const trip = tripForms[task.tripType ?? 'NONE'].filter(text => !own.has(text))
  const evidence = reviews && task.ideas.length > 0 ? new ReviewEvidence(reviews, task, task.candidates.ids) : undefined
  const candidates = chooseCandidates(task, evidence)
  const read = await readCandidates(reader, task, candidates, {
    ideas,
    mentionsTrip: mentionsAny(trip),
    similarityIn: await similarityTo(task.text, reviews, vectors),
  })
  const scorer = new SentenceScorer(
    read.map(({ sentences }) => sentences),
    task.ideas,
    evidence?.weights,
  )
  const scored = scoreAll(read, ideas, scorer, task)
  scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  const excerpts = { ...task, weights: scorer.weights, highlighted: [...own, ...trip] }
  return diversify(scored, task.limit).map(({ id, score, sentences }) => ({
    id,
    score,
    reasons: excerptsOf(sentences.relevant, excerpts),
  }))
}

/** Returns the similarity of the sentences of reviews to a text; undefined without their vectors. */
async function similarityTo(
  text: string,
  reviews: ReviewsIndex | undefined,
  vectors: TextVectors | undefined,
): Promise<SentenceQuery['similarityIn']> {
  if (reviews?.facts.vectors === undefined || reviews.facts.vectors.dimensions !== vectors?.dimensions) return undefined
  // A module that fails later than at the start takes nothing from what words say.
  const [wanted] = await vectors.embed([text]).catch(() => [])
  if (wanted === undefined) return undefined
  return ({ id }) => {
    const known = vectorsOfReview(reviews, id)
    return sentence => {
      const vector = known?.get(hashOfSentence(sentence))
      return vector === undefined ? 0 : similarity(wanted, vector)
    }
  }
}

/** Chooses the places with the best scores of the index, raised by what their reviews say of the query. */
function chooseCandidates({ candidates, ideas }: RankTask, evidence: ReviewEvidence | undefined): Candidate[] {
  const { ids, scores, closeness, wanted, strengths, factors } = candidates
  const total = ideas.reduce((sum, { weight }) => sum + weight, 0)
  const strengthsOf = (slot: number) => strengths.subarray(slot * ideas.length, (slot + 1) * ideas.length)
  const unmatched = (slot: number) =>
    1 - (total === 0 ? 0 : strengthsOf(slot).reduce((sum, one, i) => sum + one * ideas[i]!.weight, 0) / total)
  const raised = scores.map((score, slot) =>
    evidence === undefined
      ? score
      : score + partWeights.text * factors[slot]! * unmatched(slot) * evidence.scores[slot]!,
  )
  // Equal scores remain in their order.
  const slots = Array.from(raised.keys())
    .sort((a, b) => raised[b]! - raised[a]!)
    .slice(0, bounds.shortlist)
  const reviews = evidence?.reviewsOf(new Set(slots), bounds.pickedPerPlace)
  return slots.map(slot => ({
    id: ids[slot]!,
    closeness: closeness[slot]!,
    wanted: wanted[slot]!,
    strengths: Array.from(strengthsOf(slot)),
    factor: factors[slot]!,
    reviews: reviews?.get(slot) ?? [],
  }))
}

async function readCandidates(
  reader: PlaceTextReader,
  { tripType, languages }: RankTask,
  candidates: readonly Candidate[],
  query: SentenceQuery,
): Promise<ReadCandidate[]> {
  const found: ReadCandidate[] = []
  for (const candidate of candidates) {
    const sample = {
      first: candidate.reviews,
      most: bounds.reviewsPerPlace,
      ...(tripType !== undefined && { tripType }),
      languages,
    }
    const texts = await reader.read(candidate.id, sample)
    if (texts) found.push({ candidate, texts, sentences: sentencesAbout(texts.reviews, query) })
  }
  return found
}

/** Scores the candidates with one another: the best sentences of all are the scale of each. */
function scoreAll(
  read: readonly ReadCandidate[],
  ideas: readonly IdeaMatcher[],
  scorer: SentenceScorer,
  task: RankTask,
): ScoredCandidate[] {
  const bySentences = read.map(({ sentences }) => scorer.placeScoreOf(sentences))
  const most = Math.max(0, ...bySentences)
  return read.map(({ candidate, texts, sentences }, i) => {
    const { location } = texts
    const spoken = most === 0 ? Math.min(0, bySentences[i]!) : Math.max(-1, bySentences[i]! / most)
    return {
      id: candidate.id,
      sentences,
      score: score(candidate, texts, spoken, ideas, task),
      brand: location.accommodation?.brand ?? location.accommodation?.chain,
      kind: location.categories.at(-1)?.id,
      latitude: location.coordinates.latitude,
      longitude: location.coordinates.longitude,
    }
  })
}

/** Scores a candidate; `spoken` is what its reviews say of the ideas, from -1 to 1. */
function score(
  { closeness, wanted: facts, strengths, factor }: Candidate,
  { location, ratings, reviews }: PlaceTexts,
  spoken: number,
  ideas: readonly IdeaMatcher[],
  { ideas: wanted, tripType, nowMs }: RankTask,
): number {
  const descriptions = sentencesOf(descriptionsOf(location)).map(fold)
  const newest = Math.max(...reviews.map(({ publishedMs = Number.NEGATIVE_INFINITY }) => publishedMs))
  const value = scoreOf({
    words: wanted.map(({ weight }, i) => ({
      weight,
      strength: Math.max(
        strengths[i]!,
        descriptions.some(sentence => ideas[i]!.polarityIn(sentence) === 1) ? matchStrength.description : 0,
      ),
    })),
    spoken,
    ratings,
    ...(Number.isFinite(newest) && { newestDays: (nowMs - newest) / dayMs }),
    closeness,
    wanted: facts,
    ...(tripType !== undefined && { trips: tripsOf(reviews, tripType) }),
    temporarilyClosed: location.status?.value === 'TEMPORARILY_CLOSED',
  })
  return value * factor
}

const descriptionsOf = ({ descriptions = [] }: Location): string => descriptions.map(({ value }) => value).join('\n')

/** Counts the reviews with any trip type, and with the requested one. */
function tripsOf(reviews: readonly Review[], requested: TripType) {
  const known = reviews.filter(({ tripType }) => tripType !== undefined)
  return { known: known.length, matching: known.filter(({ tripType }) => tripType === requested).length }
}
