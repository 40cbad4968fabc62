import type { Actor } from '../../domain/actor.ts'
import type { TopLevelCategory } from '../../domain/category.ts'
import type { LocationReader } from '../../domain/data-stores.ts'
import type { FoundPlaces, LiveState } from '../../domain/live-state.ts'
import type { LocationEntry, StatusValue } from '../../domain/location.ts'
import type { Box, Filters } from '../../domain/search.ts'

/** Dependencies of the use cases that find places with the search of the serving process. */
export interface PlaceFinding {
  readonly live: Pick<LiveState, 'search' | 'nearby'>
  readonly locations: LocationReader
}

/** Filters of lists of places for operators; a missing member does not filter. */
export interface PlaceFilters {
  readonly category?: TopLevelCategory | undefined
  readonly status?: StatusValue | undefined
  readonly source?: string | undefined
}

/** Selects places. */
export interface PlacesQuery extends PlaceFilters {
  /** Searched as partners search; without a text, the best rated places come first. */
  readonly text?: string | undefined
  readonly offset: number
  readonly limit: number
}

/** One page of places. */
export interface PlacesPage {
  readonly entries: readonly LocationEntry[]
  readonly total: number
}

const world: Box = { south: -90, west: -180, north: 90, east: 180 }

/** Finds places for operators; undefined while the search is not available. */
export async function findPlaces(
  { live, locations }: PlaceFinding,
  _actor: Actor,
  query: PlacesQuery,
): Promise<PlacesPage | undefined> {
  const found = await findIds(live, query)
  return found && readEntries(locations, found)
}

function findIds(live: PlaceFinding['live'], { text, offset, limit, ...filters }: PlacesQuery) {
  const page = { ...toFilters(filters), offset, limit }
  return text === undefined
    ? live.nearby({ ...page, within: { box: world }, sort: 'rating' })
    : live.search({ ...page, text, type: 'COMBINED' })
}

/** Number of places that are in memory at the same time. */
const batchSize = 500

/** Finds places as findPlaces does and converts each with `toRow`; only one batch of places is in memory at a time. */
export async function collectPlaces<Row>(
  { live, locations }: PlaceFinding,
  _actor: Actor,
  query: PlacesQuery,
  toRow: (entry: LocationEntry) => Row,
): Promise<readonly Row[] | undefined> {
  const found = await findIds(live, query)
  if (!found) return undefined
  const rows: Row[] = []
  for (let from = 0; from < found.ids.length; from += batchSize) {
    const ids = found.ids.slice(from, from + batchSize)
    const { entries } = await readEntries(locations, { ...found, ids })
    rows.push(...entries.map(toRow))
  }
  return rows
}

const toFilters = ({ category, status, source }: PlaceFilters): Filters => ({
  ...(category && { categories: [category] }),
  ...(status && { statuses: [status] }),
  ...(source !== undefined && { scope: { sources: [source] } }),
})

/** Finds the places near a place, nearest first. */
export async function findNeighbours(
  { live, locations }: PlaceFinding,
  _actor: Actor,
  { entry, limit }: { readonly entry: LocationEntry; readonly limit: number },
): Promise<readonly LocationEntry[]> {
  const within = { centre: entry.location().coordinates, radiusKm: neighbourhoodKm }
  const found = await live.nearby({ within, sort: 'distance', offset: 0, limit: limit + 1 })
  if (!found) return []
  const { entries } = await readEntries(locations, found)
  return entries.filter(one => one.id !== entry.id).slice(0, limit)
}

const neighbourhoodKm = 10

/** Reads the places of a result, without those that were removed since. */
async function readEntries(locations: LocationReader, { ids, total }: FoundPlaces): Promise<PlacesPage> {
  const entries = await locations.getMany(ids)
  return { entries: entries.filter(entry => entry !== undefined), total }
}
