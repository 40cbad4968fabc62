/** Weights of the search score. Strengths and parts of the quality are between 0 and 1. */

/** Strength of a match between a word of the query and a term, by kind of match. */
export const strength = {
  exact: 1,
  /** Another word of the same meaning: an abbreviation, or a spelling with pairs of letters. */
  same: 0.98,
  /** An incomplete word matches as a prefix: `prefix`, plus `prefixGain` times the typed share of the term. */
  prefix: 0.65,
  prefixGain: 0.3,
  /** Indexed by the number of edits. */
  edits: [1, 0.8, 0.62],
  area: 0.95,
  /** Factor for a match by name if "restaurants in" asks for an area. */
  nameForArea: 0.7,
  category: 0.85,
  /** `category` of airports and stations next to other words: other places name them to describe their location. */
  transport: 0.95,
  address: 0.85,
} as const

/** Parts of the quality: the matched share of the query, times `base` and the bonuses of the match. */
export const quality = {
  base: 0.6,
  /** Times the matched share of the name. */
  completeness: 0.32,
  /** The words have the same order as in the name. */
  ordered: 0.05,
  /** The match includes the first word of the name. */
  startsName: 0.03,
  /** Penalty for an incomplete match of a name that is not the primary one. */
  alias: 0.08,
  /** The same if only the beginning of a word was typed. */
  unfinishedAlias: 0.14,
  /** Penalty for any match of such a name, times the square of the query's shortness. */
  shortAlias: 0.22,
  /** Penalty for a match that does not start the name, times the query's shortness. */
  shortInside: 0.15,
  /** Quality of a match by category and area only. */
  categoryAndArea: 0.75,
  /** The same if a preposition connects them: "restaurants in Athens". */
  categoryInArea: 0.95,
  /** Quality of a place of the kind that is asked for, and the maximum of one with only a word for it in its name. */
  kind: 0.95,
  kindInName: 0.7,
  /** Minimum quality of a match. */
  minimum: 0.01,
  /** Bonus for a matching code that is typed in capitals. */
  code: 0.8,
  /** Factor for another spelling of a name than the one that was typed. */
  otherSpelling: 0.98,
  /** Factors for queries with an abbreviation changed, with words joined or split, and with words ignored. */
  spellingVariant: 0.97,
  wordBreak: 0.9,
  partial: 0.8,
  /** Factors for places of a similar kind where a place has none of the kind, and for the place itself. */
  widened: 0.8,
  placeOnly: 0.8,
  /** Factor for queries that are read as an address, although names are searched. */
  address: 0.85,
  /** Factor for places other than cities, regions and countries if the query is a name with a country: "Bern, Switzerland". */
  notGeo: 0.97,
  /** Factor for misspelled or unfinished matches if another place matches all words as typed. */
  misspelled: 0.8,
} as const

/** A query with fewer than `from` letters is short; shortness grows from 0 to 1 over `range` fewer letters. */
export const shortQuery = { from: 7, range: 4 } as const

/** Bonuses that are added to the quality. */
export const bonus = {
  /** Times the prominence of the document. */
  prominence: 0.15,
  /** Subtracted from the prominence of other places if the query is the name of a city, which stays first. */
  wholeGeo: 0.15,
  /** Additional bonus by prominence, times the query's shortness: short queries are ambiguous. */
  shortProminence: 0.75,
  /** The same for a query with a location bias, where places nearby are likely to be meant. */
  shortProminenceNear: 0.4,
  /** Times the prominence of the place that a matching area is named after. */
  areaPopularity: 0.1,
  /** Times the closeness to a landmark, 0 to 1 within the circle: as much as popularity. */
  closeness: 0.15,
  /** Part of that for a document in the circle around the place, which does not say that it is in the place. */
  inCircle: 0.5,
  /** Times the closeness to that place, of a place that matches by its category. */
  areaCloseness: 0.05,
  /** `areaCloseness` of an airport: the main one of a city is farther from its centre than airfields are. */
  airportCloseness: 0.01,
  /** For an international airport; for an airport or station with the name of the place, and with exactly this name. */
  transportName: 0.02,
  /** Times the proximity to the location bias. */
  proximity: 0.6,
  /** Bonus of a place that agrees with all that the text wants; a share of it for each fact. */
  wants: 0.08,
  /** `proximity` of a place at 3 km from the location bias. */
  proximityHere: 0.516,
} as const

/** Minimum share of a query, by weight, in a partial match. */
export const minPartialShare = 0.4

/**
 * Confidence in a match of a name: the matched share of the query, times `base` and `completeness` times the matched share
 * of the name, plus `close` for a place close to the location bias. A match that lacks words of the query has at least `min`
 * (R-156).
 */
export const certainty = { base: 0.65, completeness: 0.35, close: 0.15, min: 0.35 } as const

/**
 * Minimum popularity of a city, that of 50,000 people, from which a name at the end of a query certainly means it,
 * although neither a preposition nor a comma precedes it.
 */
export const minSurePlace = 0.5

/** Number of results below which a query is read again without the words that name nothing. */
export const fewResults = 5

/** Number of results from which no additional tier runs; an exact match of a name also suffices. */
export const enoughResults = 20

/** Quality of the best match from which the partial tier does not run. */
export const goodQuality = 0.65

/** Penalty for places with the name of a city nearby that is a result, too. */
export const followerPenalty = 0.35

/** Penalty for CLOSED places; greater than any score. */
export const closedPenalty = 10
