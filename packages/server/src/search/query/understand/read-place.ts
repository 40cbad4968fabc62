import type { Id } from '../../../domain/id.ts'
import type { Point } from '../../../domain/search.ts'

/**
 * Place that a text or a parameter names. Documents belong to it if one of their areas has one of its
 * names, or if they are within the circle; without names and centre, all documents of the country or the regions, or
 * with the postal code, do. `createPlace` gives all places one shape.
 */
export interface ReadPlace {
  /** Names of areas, each as tokens or one reserved term. */
  readonly names: readonly (readonly string[])[]
  /** ISO 3166-1 alpha-2 code of the country that documents have to be in, as far as their country is known. */
  readonly country?: string | undefined
  /** ISO 3166-2 codes of the regions that a state, province or larger region consists of; all in them belong to it. */
  readonly regions?: readonly string[] | undefined
  /** Name of an additional area that documents have to be in: "Georgia" in "Athens, Georgia", or its code. */
  readonly within?: string | undefined
  readonly centre?: Point | undefined
  /** Beginning of the postal codes of documents; other members do not apply then. */
  readonly postalCode?: string | undefined
  /** Radius of the circle around `centre`. */
  readonly radiusKm: number
  /** Distance from `centre` beyond which a name of an area is that of a namesake; undefined for large areas. */
  readonly reachKm?: number | undefined
  /** The circle is around a landmark, so that closeness counts. */
  readonly isCircle?: boolean
  /** Popularity of the place, 0 to 1. */
  readonly popularity: number
  /** Id of the GEO document. */
  readonly id?: Id | undefined
  /** Other places of that name, best first. */
  readonly namesakes?: readonly ReadPlace[] | undefined
}

/** Creates a place from its members. */
export const createPlace = ({
  names = [],
  country,
  regions,
  within,
  centre,
  postalCode,
  radiusKm = 0,
  reachKm,
  isCircle = false,
  popularity = 0,
  id,
  namesakes,
}: Partial<ReadPlace>): ReadPlace => ({
  names,
  country,
  regions,
  within,
  centre,
  postalCode,
  radiusKm,
  reachKm,
  isCircle,
  popularity,
  id,
  namesakes,
})

/** Scale of the population in the popularity of a GEO document; see popularity.ts. */
const scale = { minLogPopulation: 2, logPopulation: 5.5 }

/** Bounds of the radius of a named place in kilometres, and the root of its population for each kilometre. */
const radius = { min: 4, max: 40, perKm: 80 }

/** Returns the radius of a city in kilometres: it grows with the root of the population, which its popularity gives. */
export function radiusOf(popularity: number): number {
  const population = 10 ** (popularity * scale.logPopulation + scale.minLogPopulation)
  return Math.min(radius.max, Math.max(radius.min, Math.sqrt(population) / radius.perKm))
}

/** Distance in kilometres from a city beyond which places that declare to be in it are in a namesake. */
export const cityReachKm = 100
