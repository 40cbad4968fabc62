/** Weights and limits of recommendations; docs/guides/recommendations.md explains them. */

/** Weights of the parts of the score. Each part is between 0 and 1; the weights add up to 1. */
export const partWeights = {
  /** Share of the intent's words that names, labels, descriptions and reviews match. */
  text: 0.4,
  /** Confidence-weighted rating. */
  rating: 0.25,
  /** Number of ratings, on a logarithmic scale. */
  count: 0.1,
  /** Age of the newest review. */
  recency: 0.05,
  /** Distance from the centre of the destination. */
  closeness: 0.1,
  /** Share of reviews with the requested trip type. */
  trip: 0.1,
} as const

/** Strength of the match of a word, by where it occurs. */
export const matchStrength = {
  label: 1,
  name: 0.9,
  /** A concept in a name: many names have a word such as "view" or "garden". */
  conceptInName: 0.5,
  description: 0.7,
} as const

/** Parameters of BM25 (Robertson and Zaragoza 2009). Its documents are sentences, or all reviews of a place. */
export const bm25 = { k1: 1.2, b: 0.6 } as const

/** Value of a sentence or a review with words against an idea; words for it have 1. */
export const againstValue = -0.5

/** Minimum rarity of an idea among sentences or reviews. */
export const minRarity = 0.1

/** Factor on what reviews say against the query. */
export const complaintWeight = 0.5

/** Factor on the score for each step from the kinds that were asked for to others. */
export const wideningFactor = 0.85

export const scale = {
  /** Number of ratings at which `count` is 1. */
  ratings: 1000,
  /** Age of the newest review in days at which `recency` is 0.5. */
  recencyHalfLifeDays: 730,
  /** Rating, 1 to 5, that is assumed for a place without ratings. */
  unrated: 3,
  /** Distance in kilometres at which `closeness` is 0.5. */
  halfClosenessKm: 5,
  /** Minimum number of reviews with a trip type for `trip` to reach 1. */
  trips: 3,
} as const

/** Similarity of vectors from which a sentence speaks of the query, and the score of an equal one. */
export const similar = { least: 0.5, weight: 0.5 } as const

/** Penalty of a place that is TEMPORARILY_CLOSED. */
export const temporarilyClosedPenalty = 0.2

/** Minimum weight of a word, and factor for occasions such as "dinner", which already select a category. */
export const intentWordWeights = { minimum: 0.3, occasion: 0.5 } as const

/** Limits of the work per query: at most 1,200 reviews are read, independent of the number of places. */
export const bounds = {
  /** Maximum number of places whose reviews are searched in the index of reviews. */
  pool: 5000,
  /** Maximum number of places whose texts are read. */
  shortlist: 100,
  reviewsPerPlace: 12,
  /** Maximum number of them that the index of reviews picks; the others are the newest. */
  pickedPerPlace: 9,
  reasons: 3,
  /** In characters. */
  snippetLength: 160,
  /** Minimum rating of a review that serves as a reason. */
  minRating: 3,
} as const
