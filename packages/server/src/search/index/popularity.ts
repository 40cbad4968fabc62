import type { SearchDocument } from './document.ts'

/** Prior of the Bayesian average: mean rating, and its strength as a number of ratings. */
const prior = { mean: 3.5, ratings: 20 }

/**
 * Logarithmic scale (base 10) of popularity. A population counts from 100 people (0) to about 30 million (1); ratings
 * count from the first rating (0) to 10,000 (1).
 */
const scale = { minLogPopulation: 2, logPopulation: 5.5, logRatings: 4 }

/**
 * Returns the confidence-weighted rating, 1 to 5: a Bayesian average with a prior of twenty ratings of 3.5, so that a
 * single five-star review does not rank above thousands (rulings: Operations). Returns 0 without a rating.
 */
export function weightedRating(rating: number | undefined, count: number): number {
  if (rating === undefined) return 0
  const ratings = Math.max(1, count)
  return (rating * ratings + prior.mean * prior.ratings) / (ratings + prior.ratings)
}

/**
 * Returns the popularity, 0 to 1, from the population and from the number of ratings, both on a logarithmic scale. The
 * number of ratings is scaled by the confidence-weighted rating. The two parts combine as independent probabilities, so
 * that a high value of either suffices.
 */
export function popularity(rating: number | undefined, count: number, population: number): number {
  const people = (Math.log10(1 + Math.max(0, population)) - scale.minLogPopulation) / scale.logPopulation
  const byPopulation = Math.min(1, Math.max(0, people))
  const esteem = rating === undefined ? 0.5 : 0.5 + (weightedRating(rating, count) - 1) / 8
  const ratings = rating === undefined ? count : Math.max(1, count)
  const byRatings = Math.min(1, (Math.log10(1 + Math.max(0, ratings)) / scale.logRatings) * esteem)
  return 1 - (1 - byPopulation) * (1 - byRatings)
}

/** Maximum prominence of a place by its ratings and notability: only cities are more prominent. */
const maxProminence = 0.9
/** Prominence of a record that is complete, in addition; decides between places without any other fact. */
const ofCompleteness = 0.04

/** Areas between a city and a country: more people search for a city. */
export const largerAreas = ['county', 'region', 'state', 'province', 'macrocounty', 'macroregion']
const idsOfLarger = new Set(largerAreas.map(id => `geo:${id}`))
/** Share of the population of larger areas that counts, and the popularity that this costs them. */
const shareOfLarger = 0.2
export const lossOfLarger = -Math.log10(shareOfLarger) / scale.logPopulation

/**
 * Returns the prominence, 0 to 1, by which documents are ordered: of a city or country by its population, of an
 * area between them by a fifth of it, of any other place by its popularity and its notability. A complete record adds a
 * little.
 */
export function prominence(document: SearchDocument): number {
  const { category, categoryIds, rating, ratingCount, population, notability = 0, completeness = 0 } = document
  const isLarger = categoryIds.some(id => idsOfLarger.has(id))
  const known =
    category === 'GEO'
      ? popularity(undefined, 0, isLarger ? population * shareOfLarger : population)
      : Math.min(maxProminence, 1 - (1 - popularity(rating, ratingCount, population)) * (1 - notability))
  return Math.min(1, known + ofCompleteness * completeness)
}
