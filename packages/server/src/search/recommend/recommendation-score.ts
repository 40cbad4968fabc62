import type { RatingSummary } from '../../domain/ratings.ts'
import { weightedRating } from '../index/popularity.ts'
import { found, parts, scale, temporarilyClosedPenalty } from './recommendation-weights.ts'

/** What the score of a place is made of (docs/guides/recommendations.md). */
export interface Facts {
  /** For each word of the intent: its weight, and how far it is answered, 0 to 1. */
  readonly words: readonly { readonly weight: number; readonly answered: number }[]
  readonly ratings: RatingSummary | undefined
  /** Days since the newest review; undefined where there is none with a date. */
  readonly newestDays?: number
  readonly closeness: number
  /** Reviews read that say of what kind the trip was, and those of the kind asked for; undefined where none is asked for. */
  readonly trips?: { readonly told: number; readonly asked: number }
  readonly temporarilyClosed: boolean
}

/** The score of a place, at most 1. */
export function scoreOf({ words, ratings, newestDays, closeness: close, trips, temporarilyClosed }: Facts): number {
  const { rating, count = 0 } = ratings?.overall ?? {}
  const weight = words.reduce((sum, word) => sum + word.weight, 0)
  const answered = words.reduce((sum, word) => sum + word.weight * word.answered, 0)
  return (
    parts.text * (weight > 0 ? answered / weight : 0) +
    parts.rating * ratingPart(weightedRating(rating, count)) +
    parts.count * Math.min(1, Math.log10(1 + count) / Math.log10(1 + scale.ratings)) +
    parts.recency * (newestDays === undefined ? 0 : 0.5 ** (Math.max(0, newestDays) / scale.recencyHalfLifeDays)) +
    parts.closeness * close +
    parts.trip * (trips === undefined ? 0 : tripPart(trips)) -
    (temporarilyClosed ? temporarilyClosedPenalty : 0)
  )
}

/** A confidence-weighted rating (0: none) from 0 to 1. */
export const ratingPart = (weighted: number): number => ((weighted === 0 ? scale.unrated : weighted) - 1) / 4

/** Closeness from 1 (in the middle) towards 0; a half where no middle is known. */
export const closeness = (km: number | undefined): number =>
  km === undefined ? 0.5 : scale.halfwayKm / (scale.halfwayKm + km)

/** How far reviews answer a word: the more of them, the more. */
export const saidIn = (reviews: number): number =>
  reviews === 0 ? 0 : Math.min(1, found.review + found.furtherReview * (reviews - 1))

/** The share of the asked kind, held back while only few reviews tell. */
const tripPart = ({ told, asked }: { told: number; asked: number }): number => asked / Math.max(told, scale.trips)
