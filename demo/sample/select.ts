import { famous, flagshipKey } from './famous.ts'
import { completeFlagship } from './flagship.ts'
import { isPresentable } from './junk.ts'
import { type Place, placeKey } from './place.ts'
import { hash32 } from './random.ts'
import { withStatus } from './status.ts'
import { type SourceRow, tidy } from './tidy.ts'
import { mergeTwins } from './twins.ts'

interface Group {
  readonly fits: (place: Place) => boolean
  /** Number of rows of the business directory to keep, or of all rows if `ofAll` is set; default: all. */
  readonly limit?: number
  readonly ofAll?: true
}

const among = (list: string): ((place: Place) => boolean) => {
  const set = new Set(list.split(' '))
  return place => set.has(place.category)
}

/** The groups of the sample in order; a place belongs to the first group that it fits. */
const groups: readonly Group[] = [
  { fits: among('museum attraction monument theatre gallery park theme_park garden zoo') },
  { fits: among('geo:country geo:region') },
  { fits: among('geo:city'), limit: 19_500, ofAll: true },
  { fits: among('airport') },
  { fits: place => place.stars !== undefined },
  { fits: among('restaurant cafe bar bakery fast_food winery brewery'), limit: 8_000 },
  { fits: () => true, limit: 3_200 },
]

/** Selects the places of the sample, the flagship first. */
export function selectPlaces(rows: readonly SourceRow[], seed: number): Place[] {
  const normalized = rows.map(tidy).filter(place => place !== undefined)
  const places = mergeTwins(normalized.filter(isPresentable))
    .map(withSeparateCity)
    .map(completeFlagship)
    .map(withStatus)
  const rest = new Set(places)
  const selected: Place[] = []
  for (const group of groups) {
    const mine = [...rest].filter(group.fits)
    for (const place of mine) rest.delete(place)
    selected.push(...limited(mine, group, seed).sort(byRenown))
  }
  if (placeKey(selected[0]!) !== flagshipKey) throw new Error(`The file has no place ${flagshipKey}.`)
  return selected
}

const fixes = new Map(famous.map(([key, fix]) => [key, fix] as const))

/** Separates the city from the name of a famous sight. */
function withSeparateCity(place: Place): Place {
  const fix = fixes.get(placeKey(place))
  if (fix === undefined) return place
  const names = place.names?.fr === place.name ? { fr: fix.name } : place.names
  return { ...place, ...fix, ...(names && { names }) }
}

/**
 * Limits a group to the most renowned places (`ofAll`), or to a seeded choice of the directory; other sources are kept.
 */
function limited(places: Place[], group: Group, seed: number): Place[] {
  if (group.limit === undefined) return places
  if (group.ofAll) return places.sort(byRenown).slice(0, group.limit)
  const draw = (place: Place) => hash32(`${seed} ${placeKey(place)}`)
  const kept = places.filter(place => place.source !== 'whosonfirst')
  const drawn = places.filter(place => place.source === 'whosonfirst').sort((a, b) => draw(a) - draw(b))
  return [...kept, ...drawn.slice(0, group.limit)]
}

const famousRank = new Map([flagshipKey, ...famous.map(([key]) => key)].map((key, rank) => [key, rank]))
const rankOf = (place: Place): number => famousRank.get(placeKey(place)) ?? famousRank.size

/** Returns how much is known about a sight, a substitute for visitor counts. */
const amountKnown = (place: Place): number =>
  (place.descriptions ? 2 : 0) + (place.source === 'whosonfirst' ? 0 : 2) + (place.category === 'museum' ? 1 : 0)

/** Compares places: famous sights in their order, then by population, stars, amount known, name and key. */
function byRenown(a: Place, b: Place): number {
  return (
    rankOf(a) - rankOf(b) ||
    (b.population ?? 0) - (a.population ?? 0) ||
    (b.stars ?? 0) - (a.stars ?? 0) ||
    amountKnown(b) - amountKnown(a) ||
    compare(a.name, b.name) ||
    compare(placeKey(a), placeKey(b))
  )
}

/** Compares by code unit, because the order must not depend on the machine's locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
