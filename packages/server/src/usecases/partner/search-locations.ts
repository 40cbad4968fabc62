import type { ListPosition } from '../../domain/list-position.ts'
import { fullScope, type Scope } from '../../domain/scope.ts'
import { maxRanked, type QueryCaller, type SearchHit, type SearchQuery } from '../../domain/search.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import { mapList } from '../../kit/map-list.ts'
import { continueList } from './continue-list.ts'
import { type Found, readHits, type SearchStores } from './read-hits.ts'

/**
 * Searches places by name, address, category and area, within a scope. A page may begin behind a position of an
 * earlier one.
 */
export const searchLocations = <B = never>(
  stores: SearchStores<B>,
  scope: Scope,
  query: SearchQuery,
  caller: QueryCaller,
  position?: ListPosition,
): Eventual<Found<SearchHit, B>> =>
  chain(
    readHits(
      stores,
      scope,
      () => continueList(position, query, part => stores.index.search({ ...query, ...part, scope }, caller)),
      maxRanked,
    ),
    ({ items, ...page }) => ({
      ...page,
      items: mapList(items, item =>
        item.entry === undefined || item.entry.id === item.hit.id ? item : { ...item, hit: ofSurvivor(item.hit) },
      ),
    }),
  )

/** Returns the hit of a survivor, which the matched name does not belong to. */
const ofSurvivor = ({ id, score, match }: SearchHit): SearchHit => ({ id, score, ...(match && { match }) })

/** Searches the complete inventory: the scope of a key does not apply to the catalog. */
export const searchCatalog = (
  stores: SearchStores,
  query: SearchQuery,
  caller: QueryCaller,
  position?: ListPosition,
): Eventual<Found<SearchHit>> => searchLocations(stores, fullScope, query, caller, position)
