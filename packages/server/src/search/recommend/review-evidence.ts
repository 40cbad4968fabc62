import type { Id } from '../../domain/id.ts'
import type { TripType } from '../../domain/review.ts'
import { commonShare } from '../reviews/common-share.ts'
import { tripNumbers } from '../reviews/format.ts'
import type { ReviewsIndex } from '../reviews/reviews-index.ts'
import type { ReviewsSegment } from '../reviews/reviews-segment.ts'
import type { WeightedIdea } from './intent-matcher.ts'
import { againstValue, bm25, minRarity } from './recommendation-weights.ts'
import { findMentions, type Mentions, maxIdeas } from './review-mentions.ts'

/** Added to the weights of the ideas of a review with the requested trip type, and in a preferred language. */
const preferred = { tripType: 0.5, language: 0.5 } as const

/** Query of an index of reviews. */
export interface EvidenceQuery {
  readonly ideas: readonly WeightedIdea[]
  readonly tripType?: TripType
  readonly languages: readonly string[]
}

/** Evidence that the index of reviews has about places for a query. */
export class ReviewEvidence {
  /** Weight of each idea: rare ones weigh more, 0 for a word that sentences of all kinds have. */
  readonly weights: readonly number[]
  /** Score of each place, from 0 to 1: the best has 1. */
  readonly scores: Float64Array
  readonly #index: ReviewsIndex
  readonly #query: EvidenceQuery
  readonly #mentions: Mentions

  /** Searches the reviews of places; `ids` are distinct. Throws DamagedReviews. */
  constructor(index: ReviewsIndex, query: EvidenceQuery, ids: BigUint64Array) {
    this.#index = index
    this.#query = query
    const found = findMentions(index, query.ideas, ids)
    this.#mentions = found.mentions
    this.weights = query.ideas.map((idea, i) =>
      isCommon(index, idea) ? 0 : idea.weight * rarityOf(found.reviews[i] ?? 0, index.facts.reviews),
    )
    this.scores = scoresOf(found.mentions, found.ofPlace, this.weights)
  }

  /** Returns the reviews that speak most of the query for each of some places, `most` at most, the best first. */
  reviewsOf(slots: ReadonlySet<number>, most: number): ReadonlyMap<number, readonly Id[]> {
    const found = new Map<number, { readonly id: Id; readonly value: number; readonly day: number }[]>()
    const { slot, segment, review, ideas } = this.#mentions
    const slotView = slot.view()
    for (let at = 0; at < slotView.length; at++) {
      const place = slotView[at]!
      if (!slots.has(place)) continue
      const { arrays } = this.#index.segments[segment.view()[at]!]!
      const number = review.view()[at]!
      const value = this.#valueOf(arrays, number, ideas.view()[at]!)
      if (value === 0) continue
      const list = found.get(place) ?? []
      found.set(place, list)
      list.push({ id: arrays.reviewIds[number]!, value, day: arrays.day[number]! })
    }
    return new Map(
      [...found].map(([place, list]) => [
        place,
        list
          .sort((a, b) => b.value - a.value || b.day - a.day || (a.id < b.id ? -1 : 1))
          .slice(0, most)
          .map(({ id }) => id),
      ]),
    )
  }

  /** Returns how much a review speaks of the query, for or against. */
  #valueOf({ trip, language }: ReviewsSegment['arrays'], review: number, ideas: number): number {
    const spoken = this.weights.reduce((sum, weight, i) => sum + ((ideas | (ideas >>> 16)) & (1 << i) ? weight : 0), 0)
    if (spoken === 0) return 0
    const { tripType, languages } = this.#query
    const name = this.#index.facts.languages[language[review]! - 1]
    const isPreferred = languages.some(tag => tag.split('-', 1)[0] === name)
    const isTrip = tripType !== undefined && trip[review] === tripNumbers.get(tripType)
    return spoken + (isTrip ? preferred.tripType : 0) + (isPreferred ? preferred.language : 0)
  }
}

function scoresOf({ slot, ideas }: Mentions, ofPlace: Uint32Array, weights: readonly number[]): Float64Array {
  const counts = new Float64Array(ofPlace.length * weights.length)
  const slots = slot.view()
  for (let at = 0; at < slots.length; at++) {
    const bits = ideas.view()[at]!
    for (let i = 0; i < Math.min(maxIdeas, weights.length); i++) {
      const value = bits & (1 << i) ? 1 : bits & (1 << (i + 16)) ? againstValue : 0
      if (value !== 0) counts[slots[at]! * weights.length + i]! += value
    }
  }
  const withReviews = ofPlace.filter(count => count > 0)
  const mean = withReviews.length === 0 ? 1 : withReviews.reduce((sum, count) => sum + count, 0) / withReviews.length
  const scores = Float64Array.from(ofPlace, (count, place) => {
    const length = bm25.k1 * (1 - bm25.b + (bm25.b * count) / mean)
    return weights.reduce((sum, weight, i) => {
      const mentions = Math.max(0, counts[place * weights.length + i]!)
      return sum + (weight * mentions * (bm25.k1 + 1)) / (mentions + length)
    }, 0)
  })
  const most = scores.reduce((a, b) => Math.max(a, b), 0)
  return most === 0 ? scores : scores.map(score => score / most)
}

/** Returns true for a word that is no concept and occurs in sentences of all kinds. */
const isCommon = ({ segments, facts }: ReviewsIndex, { concept, text }: WeightedIdea): boolean =>
  concept === undefined &&
  segments.reduce((sum, segment) => sum + segment.sentencesWith(text), 0) >= commonShare * facts.sentences

const rarityOf = (mentions: number, reviews: number): number =>
  Math.max(minRarity, 1 - Math.log(1 + mentions) / Math.log(2 + reviews))
