import type { RatingSummary } from '../../domain/ratings.ts'
import { weightedRating } from '../index/popularity.ts'
import { complaintWeight, partWeights, scale, temporarilyClosedPenalty } from './recommendation-weights.ts'

/** Inputs of the score of a place (docs/guides/recommendations.md). */
export interface ScoreInputs {
  /** Weight of each word of the intent, and the strength of its match, 0 to 1. */
  readonly words: readonly { readonly weight: number; readonly strength: number }[]
  /** Evidence of the reviews, relative to the place whose reviews say most: from -1 (against the query) to 1. */
  readonly spoken?: number
  readonly ratings: RatingSummary | undefined
  /** Age of the newest review in days; undefined if no review has a date. */
  readonly newestDays?: number
  /** 0 to 1. */
  readonly closeness: number
  /** Bonus for facts that the query prefers. */
  readonly wanted?: number
  /** Number of reviews with any trip type, and with the requested one; undefined if the query has no trip type. */
  readonly trips?: { readonly known: number; readonly matching: number }
  readonly temporarilyClosed: boolean
}

/** Computes the score of a place, at most 1 and the bonus for facts; a penalty can make it negative. */
export function scoreOf(inputs: ScoreInputs): number {
  const { words, spoken = 0, ratings, newestDays, trips, wanted = 0 } = inputs
  const { rating, count = 0 } = ratings?.overall ?? {}
  const weight = words.reduce((sum, word) => sum + word.weight, 0)
  const matched = words.reduce((sum, word) => sum + word.weight * word.strength, 0)
  return (
    partWeights.text * textPart(weight > 0 ? matched / weight : 0, spoken) +
    partWeights.rating * ratingPart(weightedRating(rating, count)) +
    partWeights.count * Math.min(1, Math.log10(1 + count) / Math.log10(1 + scale.ratings)) +
    partWeights.recency *
      (newestDays === undefined ? 0 : 0.5 ** (Math.max(0, newestDays) / scale.recencyHalfLifeDays)) +
    partWeights.closeness * inputs.closeness +
    partWeights.trip * (trips === undefined ? 0 : tripPart(trips)) +
    wanted -
    (inputs.temporarilyClosed ? temporarilyClosedPenalty : 0)
  )
}

/** Combines the share of the query that the place's own texts match with what reviews say; complaints reduce it. */
const textPart = (matched: number, spoken: number): number =>
  spoken < 0 ? matched + spoken * complaintWeight : 1 - (1 - matched) * (1 - spoken)

/** Scales a confidence-weighted rating (0 if there is no rating) to 0 to 1. */
export const ratingPart = (weighted: number): number => ((weighted === 0 ? scale.unrated : weighted) - 1) / 4

/** Returns the closeness, 1 at the centre and decreasing to 0; 0.5 if the destination has no centre. */
export const closeness = (km: number | undefined): number =>
  km === undefined ? 0.5 : scale.halfClosenessKm / (scale.halfClosenessKm + km)

/** Returns the share of reviews with the requested trip type, reduced if only a few reviews have a trip type. */
const tripPart = ({ known, matching }: { known: number; matching: number }): number =>
  matching / Math.max(known, scale.trips)
