import { fullScope, type Scope } from '../../domain/scope.ts'
import { maxRanked, type SearchHit, type SearchQuery } from '../../domain/search.ts'
import { type Found, readHits, type SearchStores } from './read-hits.ts'

/** Searches places by name, address, category and area, within a scope. */
export async function searchLocations(
  stores: SearchStores,
  scope: Scope,
  query: SearchQuery,
): Promise<Found<SearchHit>> {
  const { items, total } = await readHits(stores, scope, () => stores.index.search({ ...query, scope }), maxRanked)
  // `matchedName` is an index into the names of the hit, not of its survivor.
  const ofSurvivor = ({ id, score }: SearchHit): SearchHit => ({ id, score })
  return {
    items: items.map(item => (item.entry.id === item.hit.id ? item : { ...item, hit: ofSurvivor(item.hit) })),
    total,
  }
}

/** Searches the complete inventory: the scope of a key does not apply to the catalog. */
export const searchCatalog = (stores: SearchStores, query: SearchQuery): Promise<Found<SearchHit>> =>
  searchLocations(stores, fullScope, query)
