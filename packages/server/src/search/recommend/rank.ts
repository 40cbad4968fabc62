import type { PlaceTextReader } from '../../domain/data-stores.ts'
import type { Location } from '../../domain/location.ts'
import type { Reason, RecommendationHit } from '../../domain/recommendation.ts'
import type { Review, TripType } from '../../domain/review.ts'
import type { PlaceTexts } from '../../domain/review-query.ts'
import { fold } from '../text/fold.ts'
import { tripWords } from '../text/intent-words.ts'
import { mentions, mentionsAny } from '../text/stems.ts'
import { reviewStrength, scoreOf } from './recommendation-score.ts'
import { bounds, matchStrength } from './recommendation-weights.ts'
import type { Candidate, Shortlist } from './shortlist.ts'
import { snippetOf } from './snippet.ts'

/** Shortlist with the additional inputs of the ranking. */
export interface RankTask extends Shortlist {
  /** Preferred languages of reasons. */
  readonly languages: readonly string[]
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly limit: number
}

interface Word {
  readonly text: string
  readonly weight: number
  /** Returns true if a folded text mentions the word. */
  readonly isIn: (folded: string) => boolean
}

/** Words to look for in reviews, and the preferences between reviews. */
interface ReviewQuery {
  readonly words: readonly Word[]
  /** Returns true if a folded text mentions a word of the requested trip type. */
  readonly mentionsTrip: (folded: string) => boolean
  readonly tripType?: TripType
  readonly languages: readonly string[]
}

/** Review that mentions words of the intent; a candidate for a reason. */
interface RelevantReview {
  readonly review: Review
  /** Text of the review that mentions most. */
  readonly text: string
  readonly value: number
}

const dayMs = 86_400_000
/** Bonuses for reviews as reasons, in addition to the weights of the words that they mention. */
const reasonBonus = { tripType: 2, language: 1.5, tripWord: 0.5 } as const

/**
 * Ranks the places of a shortlist by their texts and reviews, and returns the best with reasons. Reads a bounded number
 * of rows (`bounds`); runs on a thread other than the serving one.
 */
export async function rank(reader: PlaceTextReader, task: RankTask): Promise<RecommendationHit[]> {
  const words = task.words.map(word => ({ ...word, isIn: mentions(word.text) }))
  const own = new Set(task.words.map(({ text }) => text))
  const trip = tripWords[task.tripType ?? 'NONE'].filter(text => !own.has(text))
  const query: ReviewQuery = { ...task, words, mentionsTrip: mentionsAny(trip) }
  const scored: { candidate: Candidate; score: number; relevant: readonly RelevantReview[] }[] = []
  for (const candidate of task.candidates) {
    const texts = await reader.read(candidate.id, {
      most: bounds.reviewsPerPlace,
      ...(task.tripType !== undefined && { tripType: task.tripType }),
      languages: task.languages,
    })
    if (!texts) continue
    const { mentioned, relevant } = searchReviews(texts.reviews, query)
    scored.push({ candidate, relevant, score: score(candidate, texts, mentioned, words, task) })
  }
  scored.sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1))
  const highlighted = [...own, ...trip]
  return scored.slice(0, task.limit).map(({ candidate, score: total, relevant }) => ({
    id: candidate.id,
    score: total,
    reasons: relevant.map(
      ({ review, text }): Reason => ({
        reviewId: review.id,
        snippet: snippetOf(text, highlighted, bounds.snippetLength),
      }),
    ),
  }))
}

/** Scores a candidate; `mentioned` has the number of reviews that mention each word. */
function score(
  { closeness, strengths }: Candidate,
  { location, ratings, reviews }: PlaceTexts,
  mentioned: readonly number[],
  words: readonly Word[],
  { tripType, nowMs }: RankTask,
): number {
  const descriptions = fold(descriptionsOf(location))
  const newest = Math.max(...reviews.map(({ publishedMs = Number.NEGATIVE_INFINITY }) => publishedMs))
  return scoreOf({
    words: words.map(({ weight, isIn }, i) => ({
      weight,
      strength: Math.max(
        strengths[i]!,
        reviewStrength(mentioned[i]!),
        isIn(descriptions) ? matchStrength.description : 0,
      ),
    })),
    ratings,
    ...(Number.isFinite(newest) && { newestDays: (nowMs - newest) / dayMs }),
    closeness,
    ...(tripType !== undefined && { trips: tripsOf(reviews, tripType) }),
    temporarilyClosed: location.status?.value === 'TEMPORARILY_CLOSED',
  })
}

const descriptionsOf = ({ descriptions = [] }: Location): string => descriptions.map(({ value }) => value).join('\n')

/** Counts the reviews with any trip type, and with the requested one. */
function tripsOf(reviews: readonly Review[], requested: TripType) {
  const known = reviews.filter(({ tripType }) => tripType !== undefined)
  return { known: known.length, matching: known.filter(({ tripType }) => tripType === requested).length }
}

/** Returns the number of reviews that mention each word, and the most relevant reviews. */
function searchReviews(
  reviews: readonly Review[],
  query: ReviewQuery,
): { mentioned: number[]; relevant: RelevantReview[] } {
  const mentioned = query.words.map(() => 0)
  const relevant: RelevantReview[] = []
  for (const review of reviews) {
    if (review.rating !== undefined && review.rating < bounds.minRating) continue
    const { best, words } = searchReview(review, query)
    for (const i of words) mentioned[i]!++
    if (best) relevant.push(best)
  }
  relevant.sort((a, b) => b.value - a.value || newerFirst(a.review, b.review))
  return { mentioned, relevant: relevant.slice(0, bounds.reasons) }
}

/** Returns the words that the texts of a review mention, and the most relevant text if there is one. */
function searchReview(
  review: Review,
  { words, mentionsTrip, tripType, languages }: ReviewQuery,
): { best: RelevantReview | undefined; words: ReadonlySet<number> } {
  const found = new Set<number>()
  let best: { readonly text: string; readonly value: number } | undefined
  for (const { value: text, language } of [...(review.text ?? []), ...(review.title ?? [])]) {
    const folded = fold(text)
    let value = 0
    for (const [i, { weight, isIn }] of words.entries()) {
      if (!isIn(folded)) continue
      found.add(i)
      value += weight
    }
    if (mentionsTrip(folded)) value += reasonBonus.tripWord
    if (value === 0) continue
    if (languages.some(one => primaryLanguage(one) === primaryLanguage(language))) value += reasonBonus.language
    if (best === undefined || value > best.value) best = { text, value }
  }
  const tripBonus = tripType !== undefined && review.tripType === tripType ? reasonBonus.tripType : 0
  return { best: best && { review, text: best.text, value: best.value + tripBonus }, words: found }
}

/** Returns the primary subtag of a language tag: "en" of "en-GB". */
const primaryLanguage = (language: string | undefined): string => language?.split('-')[0] ?? ''

const newerFirst = (a: Review, b: Review): number =>
  (b.publishedMs ?? 0) - (a.publishedMs ?? 0) || (a.id < b.id ? -1 : 1)
