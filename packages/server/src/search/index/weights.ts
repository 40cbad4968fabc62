/** All weights of the search score in one place. Strengths and parts of quality lie between 0 and 1. */

/** How well a word of the query matches by each road. */
export const strength = {
  exact: 1,
  /** An unfinished word: this, and up to `prefixGain` more the more of the term was typed. */
  prefix: 0.65,
  prefixGain: 0.3,
  /** By number of edits. */
  edits: [1, 0.8, 0.62],
  area: 0.95,
  /** A name where "restaurants in" asks for an area. */
  nameForArea: 0.7,
  category: 0.85,
  address: 0.85,
} as const

/** How quality is put together: the part of the query that matched, times one of these sums. */
export const quality = {
  base: 0.6,
  /** Times the part of the name that matched. */
  completeness: 0.32,
  ordered: 0.05,
  startsName: 0.03,
  /** Taken off an incomplete match of a name that is not the primary one; and off any such match of a few letters. */
  alias: 0.08,
  aliasOfFewLetters: 0.22,
  /** Taken off where a few letters are not how the name starts. */
  insideOfFewLetters: 0.15,
  /** A place matched by category and area alone. */
  categoryAndArea: 0.75,
  categoryInArea: 0.95,
  least: 0.01,
  /** A code typed in capitals. */
  code: 0.8,
  /** Factor on short words written out and the like, on joined or split words, and on matches that leave words of the query out. */
  otherwiseWritten: 0.97,
  respelled: 0.9,
  partial: 0.8,
  /** Factor on misspelt matches where some place has all words as they were typed. */
  misspeltBesideWhole: 0.8,
} as const

/** Letters of a query from which it is not short, and how many fewer make it wholly so. */
export const fewLetters = { from: 7, range: 4 } as const

/** What is added to quality. */
export const bonus = {
  /** Times popularity; more for a few letters, which say little else. */
  popularity: 0.15,
  popularityOfFewLetters: 0.75,
  /** The same where a bias is given: what is around the corner is meant as well. */
  popularityOfFewLettersNear: 0.4,
  /** Times the popularity of the area that a word named. */
  areaPopularity: 0.1,
  /** Times proximity, where a bias is given. */
  proximity: 0.6,
} as const

/** The part of a query, by weight, that a partial match must hold. */
export const leastPartial = 0.4

/** A tier that finds at least this many places is enough; an exact name always is. */
export const enoughResults = 20

/** Quality of the best place from which words of the query are not left out. */
export const goodQuality = 0.65

/** More than any score. */
export const closedPenalty = 10
