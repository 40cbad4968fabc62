/** All weights of the recommendation score in one place (docs/guides/recommendations.md explains them; R-43). */

/** What each part, which lies between 0 and 1, adds to the score. They sum up to 1. */
export const parts = {
  /** How much of the intent the place answers, in its names, labels, description and reviews. */
  text: 0.4,
  /** Confidence-weighted rating. */
  rating: 0.25,
  /** How many ratings there are, on a log scale. */
  count: 0.1,
  /** How fresh the newest review is. */
  recency: 0.05,
  /** How close it is to the middle of where to look. */
  closeness: 0.1,
  /** How many of its reviews are of the asked kind of trip. */
  trip: 0.1,
} as const

/** How far a word of the intent counts as answered, by where it was found. */
export const found = {
  label: 1,
  name: 0.9,
  description: 0.7,
  /** One review, and what each further one adds up to 1. */
  review: 0.6,
  furtherReview: 0.2,
} as const

export const scale = {
  /** Ratings that are worth the whole of `count`. */
  ratings: 1000,
  /** After so many days a newest review is worth half. */
  recencyHalfLifeDays: 730,
  /** A place that nobody rated counts as rated so, 1 to 5. */
  unrated: 3,
  /** Closeness is a half at this distance from the centre of a place. */
  halfwayKm: 5,
  /** Reviews of the asked kind that are worth the whole of `trip`, besides their share. */
  trips: 3,
} as const

/** Taken off a place that is TEMPORARILY_CLOSED. */
export const temporarilyClosedPenalty = 0.2

/** Least weight of a word, and what words such as "dinner" weigh, which already say which kind of place is meant. */
export const word = { least: 0.3, occasion: 0.5 } as const

/** Places that are looked at closely, and reviews that are read of each: 1,200 rows at most, however many there are. */
export const bounds = {
  /** Of all that pass, the best by what the index knows. */
  shortlist: 100,
  reviewsPerPlace: 12,
  reasons: 3,
  snippetLength: 160,
  /** A review rated below this is no reason to go. */
  leastRating: 3,
} as const

/** Where a place is looked for in the intent. */
export const placeInText = {
  /** A name that nothing like "in" introduces has to be of a place this popular (about 5,000 inhabitants). */
  leastPopularity: 0.5,
  /** What "in" before it adds to popularity. */
  introduced: 1,
  longest: 5,
} as const

/** A place by name also takes in what lies this close to its centre, whatever its address says. */
export const aroundPlaceKm = 10
