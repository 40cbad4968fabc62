import { findTopLevelCategory } from '../../../domain/category.ts'
import type { Budget } from '../../index/budget.ts'
import type { IndexView } from '../../index/index-view.ts'
import { unitsPerDegree } from '../../index/regions.ts'
import { distancesFrom } from '../../index/sphere.ts'
import { kindPhrases } from '../../text/kind-words.ts'
import { labelSetsBelow } from '../label-sets.ts'
import { kindSpans } from './kinds-in-text.ts'
import type { Landmark } from './landmarks.ts'
import { documentsIn } from './place-documents.ts'
import type { PlaceLookup } from './place-names.ts'
import type { ReadPlace } from './read-place.ts'
import { namesInTransport, transportNames } from './transport-names.ts'

/** Radius in kilometres within which an airport or a station is one of a city. */
const reachKm = 25
const ofName = new Set(['of', 'de', 'del', 'di', 'da', 'do', 'von', 'van', 'the', 'la'])

/** Separates the word for a kind from a name: "airport" from "Oslo airport"; without one, no words are left. */
export function splitKind(words: readonly string[]): { kinds: readonly string[]; rest: readonly string[] } {
  const kind = kindSpans(words, kindPhrases).find(({ categories }) => categories.length > 0)
  if (kind === undefined) return { kinds: [], rest: [] }
  const rest = words.filter((_, i) => i < kind.from || i >= kind.to)
  while (ofName.has(rest[0] ?? '')) rest.shift()
  while (ofName.has(rest.at(-1) ?? '')) rest.pop()
  return { kinds: kind.categories, rest }
}

/** Airport or station of a city. */
export interface CityAirport {
  readonly city: ReadPlace
  readonly landmark: Landmark
}

/**
 * Finds the airport or station of a city ("Oslo airport", "aeropuerto de Madrid"): an international airport first, then
 * one with the name of the city, then the closest to its centre.
 */
export function airportOfCity(
  view: IndexView,
  words: readonly string[],
  lookUp: PlaceLookup,
  budget: Budget,
): CityAirport | undefined {
  const { kinds, rest } = splitKind(words)
  const city = rest.length === 0 || !kinds.some(isTransport) ? undefined : lookUp(rest)
  if (city === undefined) return undefined
  // A country or region has no centre.
  const distanceTo = city.centre === undefined ? () => 0 : distancesFrom(city.centre)
  const radiusKm = Math.max(city.radiusKm, reachKm)
  let landmark: Landmark | undefined
  let best = Number.NEGATIVE_INFINITY
  for (const part of view.parts) {
    const { segment, dead } = part
    const { arrays } = segment
    const sets = labelSetsBelow(segment, kinds, budget)
    const docs = documentsIn(part, { ...city, radiusKm }, budget)
    budget.spend(docs.length / 4)
    const namesOf = transportNames(segment, namesInTransport(rest, city))
    for (const doc of docs) {
      if (!sets.has(arrays.labels[doc]!) || dead?.[doc] === 1) continue
      const km = distanceTo(arrays.latitude[doc]! / unitsPerDegree, arrays.longitude[doc]! / unitsPerDegree)
      budget.spend((arrays.textStart[doc + 1]! - arrays.textStart[doc]!) / 4)
      const { isInternational, isNamed } = namesOf(doc)
      const rank = (isInternational ? 2 : 0) + (isNamed ? 1 : 0) - km / (2 * radiusKm)
      if (rank <= best || km > 2 * radiusKm) continue
      best = rank
      landmark = { segment, doc }
    }
  }
  return landmark && { city, landmark }
}

const isTransport = (id: string): boolean => findTopLevelCategory(id) === 'TRANSPORT'
