import type { LocationEntry } from '../../domain/location.ts'
import { everything, inScope, type Scope } from '../../domain/scope.ts'
import type { PlaceIndex, SearchHit, SearchQuery } from '../../domain/search.ts'
import type { LocationReader } from '../../domain/stores.ts'

/** One page of places that were found. */
export interface Found<H> {
  readonly items: readonly { readonly entry: LocationEntry; readonly hit: H }[]
  readonly total: number
}

interface Stores {
  readonly index: PlaceIndex
  readonly locations: LocationReader
}

/** Places by name, address, category and area, within a scope. */
export async function searchLocations(stores: Stores, scope: Scope, query: SearchQuery): Promise<Found<SearchHit>> {
  const { hits, total } = await stores.index.search({ ...query, scope })
  return { items: await withEntries(stores.locations, scope, hits), total }
}

/** The same over the whole inventory: a key's scope never narrows the catalog. */
export const searchCatalog = (stores: Stores, query: SearchQuery): Promise<Found<SearchHit>> =>
  searchLocations(stores, everything, query)

/** Reads what was found. A place that has just gone, or left the scope, is left out. */
export async function withEntries<H extends { readonly id: bigint }>(
  locations: LocationReader,
  scope: Scope,
  hits: readonly H[],
): Promise<{ entry: LocationEntry; hit: H }[]> {
  const entries = await locations.getMany(hits.map(hit => hit.id))
  return hits.flatMap((hit, i) => {
    const entry = entries[i]
    return entry && inScope(scope, entry) ? [{ entry, hit }] : []
  })
}
