import type { Location } from '../../domain/location.ts'
import type { Reason, RecommendationHit } from '../../domain/recommendation.ts'
import type { Review, TripType } from '../../domain/review.ts'
import type { PlaceTextReader, PlaceTexts } from '../../domain/stores.ts'
import { fold } from '../text/fold.ts'
import { mentions, mentionsAny } from '../text/stems.ts'
import { tripWords } from './intent-words.ts'
import { saidIn, scoreOf } from './recommendation-score.ts'
import { bounds, found } from './recommendation-weights.ts'
import type { Candidate, Shortlist } from './shortlist.ts'
import { snippetOf } from './snippet.ts'

/** A shortlist, and what else decides the order. */
export interface RankTask extends Shortlist {
  readonly languages: readonly string[]
  readonly nowMs: number
  readonly limit: number
}

interface Word {
  readonly text: string
  readonly weight: number
  readonly isIn: (folded: string) => boolean
}

/** A review that says something of the intent. */
interface Speaker {
  readonly review: Review
  readonly text: string
  readonly value: number
}

const dayMs = 86_400_000
/** What speaks for one reason before another, beside the weights of the words that it holds. */
const preferred = { trip: 2, language: 1.5, tripWord: 0.5 } as const

/**
 * Looks closely at the places of a shortlist: reads what is said of them, scores them and gives the best, each with
 * reasons. Reads a bounded number of rows; runs where it holds up nobody.
 */
export async function rank(reader: PlaceTextReader, task: RankTask): Promise<RecommendationHit[]> {
  const words = task.words.map(word => ({ ...word, isIn: mentions(word.text) }))
  const own = new Set(task.words.map(({ text }) => text))
  const trip = tripWords[task.tripType ?? 'NONE'].filter(text => !own.has(text))
  const isOfTrip = mentionsAny(trip)
  const scored: { candidate: Candidate; score: number; speakers: readonly Speaker[] }[] = []
  for (const candidate of task.candidates) {
    const texts = await reader.read(candidate.id, {
      most: bounds.reviewsPerPlace,
      ...(task.tripType !== undefined && { tripType: task.tripType }),
      languages: task.languages,
    })
    if (!texts) continue
    const { mentioned, speakers } = listen(texts.reviews, words, isOfTrip, task)
    scored.push({ candidate, speakers, score: score(candidate, texts, mentioned, words, task) })
  }
  scored.sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1))
  const sought = [...own, ...trip]
  return scored.slice(0, task.limit).map(({ candidate, score: total, speakers }) => ({
    id: candidate.id,
    score: total,
    reasons: speakers.map(
      ({ review, text }): Reason => ({
        reviewId: review.id,
        snippet: snippetOf(text, sought, bounds.snippetLength),
      }),
    ),
  }))
}

function score(
  { closeness, answered }: Candidate,
  { location, ratings, reviews }: PlaceTexts,
  mentioned: readonly number[],
  words: readonly Word[],
  { tripType, nowMs }: RankTask,
): number {
  const descriptions = fold(described(location))
  const newest = Math.max(...reviews.map(({ publishedMs = Number.NEGATIVE_INFINITY }) => publishedMs))
  return scoreOf({
    words: words.map(({ weight, isIn }, i) => ({
      weight,
      answered: Math.max(answered[i]!, saidIn(mentioned[i]!), isIn(descriptions) ? found.description : 0),
    })),
    ratings,
    ...(Number.isFinite(newest) && { newestDays: (nowMs - newest) / dayMs }),
    closeness,
    ...(tripType !== undefined && { trips: tripsOf(reviews, tripType) }),
    temporarilyClosed: location.status?.value === 'TEMPORARILY_CLOSED',
  })
}

const described = ({ descriptions = [] }: Location): string => descriptions.map(({ value }) => value).join('\n')

function tripsOf(reviews: readonly Review[], asked: TripType) {
  const told = reviews.filter(({ tripType }) => tripType !== undefined)
  return { told: told.length, asked: told.filter(({ tripType }) => tripType === asked).length }
}

/** How many reviews mention each word, and the reviews that say most of the intent. */
function listen(
  reviews: readonly Review[],
  words: readonly Word[],
  isOfTrip: (folded: string) => boolean,
  { tripType, languages }: RankTask,
): { mentioned: number[]; speakers: Speaker[] } {
  const mentioned = words.map(() => 0)
  const speakers: Speaker[] = []
  for (const review of reviews) {
    if (review.rating !== undefined && review.rating < bounds.leastRating) continue
    let best: { text: string; value: number } | undefined
    const held = new Set<number>()
    for (const { value: text, language } of [...(review.text ?? []), ...(review.title ?? [])]) {
      const folded = fold(text)
      let value = 0
      for (const [i, { weight, isIn }] of words.entries()) {
        if (!isIn(folded)) continue
        held.add(i)
        value += weight
      }
      if (isOfTrip(folded)) value += preferred.tripWord
      if (value === 0) continue
      if (languages.some(one => bare(one) === bare(language))) value += preferred.language
      if (best === undefined || value > best.value) best = { text, value }
    }
    for (const i of held) mentioned[i]!++
    if (!best) continue
    const value = best.value + (tripType !== undefined && review.tripType === tripType ? preferred.trip : 0)
    speakers.push({ review, text: best.text, value })
  }
  speakers.sort((a, b) => b.value - a.value || newerFirst(a.review, b.review))
  return { mentioned, speakers: speakers.slice(0, bounds.reasons) }
}

const bare = (language: string | undefined): string => language?.split('-')[0] ?? ''

const newerFirst = (a: Review, b: Review): number =>
  (b.publishedMs ?? 0) - (a.publishedMs ?? 0) || (a.id < b.id ? -1 : 1)
