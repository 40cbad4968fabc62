import type { Category } from '../domain/location.ts'
import type { PlaceClass } from '../domain/place-class.ts'

const ofGeo: Readonly<Record<string, PlaceClass>> = {
  county: 'county',
  macrocounty: 'county',
  region: 'region',
  state: 'region',
  province: 'region',
  macroregion: 'region',
  country: 'country',
  empire: 'country',
  dependency: 'country',
  continent: 'country',
  borough: 'quarter',
  suburb: 'quarter',
  neighbourhood: 'quarter',
  neighborhood: 'quarter',
  macrohood: 'quarter',
  quarter: 'quarter',
  island: 'other',
}

const ofTop = { HOTEL: 'stay', RESTAURANT: 'food', ATTRACTION: 'sight', OTHER: 'other' } as const

/** Returns the class of a place by its first category. */
export function classOf({ id, topLevelCategory: top }: Pick<Category, 'id' | 'topLevelCategory'>): PlaceClass {
  if (top === 'GEO') return ofGeo[id.replace(/^geo:/, '')] ?? 'settlement'
  if (top !== 'TRANSPORT') return ofTop[top]
  return id === 'airport' || id === 'heliport' ? 'airport' : 'station'
}

/** Factor on the distances of a class: points of large places differ more between sources. */
export function distanceScale(placeClass: PlaceClass | undefined): number {
  if (placeClass === 'airport' || placeClass === 'station') return 5
  return placeClass !== undefined && areas.has(placeClass) ? 20 : 1
}

const areas: ReadonlySet<PlaceClass> = new Set(['settlement', 'county', 'region', 'country', 'quarter'])
