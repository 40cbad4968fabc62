import type { Point } from '../../../packages/server/src/domain/search.ts'
import { distancesFrom } from '../../../packages/server/src/search/index/sphere.ts'
import type { FlatPlace } from '../flat-places.ts'

/** A place that queries are made from, and that results are judged by. */
export interface Known extends Point {
  readonly name: string
  readonly folded: string
  /** Names in other languages. */
  readonly names: readonly string[]
  readonly nameIn: Readonly<Record<string, string>>
  readonly source: string
  readonly category: string
  readonly city: string | undefined
  readonly country: string | undefined
  /** State or province as the source writes it: a code of its own, or a name. */
  readonly region: string | undefined
  readonly address: string | undefined
  readonly postalCode: string | undefined
  readonly population: number
  readonly iata: string | undefined
  readonly stars: number | undefined
  /** Id of Wikidata. */
  readonly wikidata: string | undefined
  readonly isCapital: boolean
}

/** Normalises a text, deliberately without the folding of the index. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Codes of GeoNames that are the last seat of a government: `PPLC`. */
const capital = 'PPLC'

export const known = (place: FlatPlace): Known => ({
  name: place.name,
  folded: plain(place.name),
  names: Object.values(place.names ?? {}),
  nameIn: place.names ?? {},
  source: place.source,
  category: place.category ?? '',
  latitude: place.lat!,
  longitude: place.lon,
  city: place.city,
  country: place.country,
  region: place.region ?? place.admin_code,
  address: place.address,
  postalCode: place.postal_code,
  population: place.population ?? 0,
  iata: place.iata,
  stars: place.stars,
  wikidata: place.wikidata,
  isCapital: place.feature_code === capital,
})

export const kilometres = (a: Point, b: Point): number => distancesFrom(a)(b.latitude, b.longitude)

const plainNames = new WeakMap<Known, ReadonlySet<string>>()

/** Returns all names of a place, normalised. */
export function namesOf(place: Known): ReadonlySet<string> {
  const found = plainNames.get(place) ?? new Set([place.name, ...place.names].map(plain).filter(name => name !== ''))
  plainNames.set(place, found)
  return found
}

/** Returns true if two places share a name in any language. */
export const shareName = (a: Known, b: Known): boolean => {
  const names = namesOf(b)
  return [...namesOf(a)].some(name => names.has(name))
}

const settlements = new Set(
  'city locality localadmin town village hamlet borough suburb neighbourhood'.split(' ').map(kind => `geo:${kind}`),
)
/** Returns true for a town of any size; false for a county, region or country. */
export const isSettlement = ({ category }: Known): boolean => settlements.has(category)
