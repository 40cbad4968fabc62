import { fullScope, type Scope } from '../../domain/scope.ts'
import { maxRanked, type QueryCaller, type SearchHit, type SearchQuery } from '../../domain/search.ts'
import { type Found, readHits, type SearchStores } from './read-hits.ts'

/** Searches places by name, address, category and area, within a scope. */
export async function searchLocations<B = never>(
  stores: SearchStores<B>,
  scope: Scope,
  query: SearchQuery,
  caller: QueryCaller,
): Promise<Found<SearchHit, B>> {
  const search = () => stores.index.search({ ...query, scope }, caller)
  const { items, total } = await readHits(stores, scope, search, maxRanked)
  // The matched name belongs to the hit, not to its survivor.
  const ofSurvivor = ({ id, score }: SearchHit): SearchHit => ({ id, score })
  const isOwn = ({ entry, hit }: (typeof items)[number]) => entry === undefined || entry.id === hit.id
  return {
    items: items.map(item => (isOwn(item) ? item : { ...item, hit: ofSurvivor(item.hit) })),
    total,
  }
}

/** Searches the complete inventory: the scope of a key does not apply to the catalog. */
export const searchCatalog = (
  stores: SearchStores,
  query: SearchQuery,
  caller: QueryCaller,
): Promise<Found<SearchHit>> => searchLocations(stores, fullScope, query, caller)
