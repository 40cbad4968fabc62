/** Mean and strength, in ratings, of what is assumed of a place before anybody rated it. */
const prior = { mean: 3.5, ratings: 20 }

/**
 * What makes a place popular, as log counts: where it begins to, and the span that is worth the whole of 1. A hundred
 * people make no place worth a journey, thirty million the whole; ratings count from the first, and ten thousand are the whole.
 */
const scale = { leastLogPopulation: 2, logPopulation: 5.5, logRatings: 4 }

/**
 * Confidence-weighted rating, 1 to 5: the mean as it would be with twenty more ratings of 3.5 (a Bayesian average),
 * so that one five-star review does not beat thousands (rulings: Operations). 0 where there is no rating.
 */
export function weightedRating(rating: number | undefined, count: number): number {
  if (rating === undefined) return 0
  const ratings = Math.max(1, count)
  return (rating * ratings + prior.mean * prior.ratings) / (ratings + prior.ratings)
}

/**
 * Popularity, 0 to 1: grows with the rating's confidence, the number of ratings and the population, each on a log
 * scale; either ratings or population suffices.
 */
export function popularity(rating: number | undefined, count: number, population: number): number {
  const people = (Math.log10(1 + Math.max(0, population)) - scale.leastLogPopulation) / scale.logPopulation
  const byPopulation = Math.min(1, Math.max(0, people))
  const esteem = rating === undefined ? 0.5 : 0.5 + (weightedRating(rating, count) - 1) / 8
  const ratings = rating === undefined ? count : Math.max(1, count)
  const byRatings = Math.min(1, (Math.log10(1 + Math.max(0, ratings)) / scale.logRatings) * esteem)
  return 1 - (1 - byPopulation) * (1 - byRatings)
}
