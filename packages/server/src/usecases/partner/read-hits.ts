import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { inScope, type Scope } from '../../domain/scope.ts'
import type { PlaceIndex } from '../../domain/search.ts'

/** Hit of the index with its location. */
export interface FoundItem<H> {
  readonly entry: LocationEntry
  readonly hit: H
}

/** One page of results. */
export interface Found<H> {
  readonly items: readonly FoundItem<H>[]
  readonly total: number
}

/** Stores that queries of the index need. */
export interface SearchStores {
  readonly index: PlaceIndex
  readonly locations: LocationReader
}

interface Hit {
  readonly id: Id
}

interface Result<H> {
  readonly hits: readonly H[]
  readonly total: number
  readonly revision: number
}

/** Maximum number of queries of the index for one page. */
const maxQueries = 3

/**
 * Runs a query of the index and reads the locations of its hits. Until the index follows the store, it may still have
 * locations that the store has merged or removed. They are removed from the index and the query runs again, so that the
 * page is full, has each location once, and the total does not count them. A merged location is replaced by its
 * survivor if the index does not contain the survivor. A total of `maxTotal` is a lower bound and stays.
 */
export async function readHits<H extends Hit>(
  { index, locations }: SearchStores,
  scope: Scope,
  query: () => Promise<Result<H>>,
  maxTotal = Number.POSITIVE_INFINITY,
): Promise<Found<H>> {
  for (let queries = 1; ; queries++) {
    const { hits, total, revision } = await query()
    const entries = await locations.getMany(hits.map(({ id }) => id))
    const stale = staleIds(index, hits, entries)
    if (stale.length > 0 && queries < maxQueries) {
      await index.removeStale(stale, revision)
      continue
    }
    const items = distinctItems(scope, hits, entries)
    return { items, total: total === maxTotal ? total : total - (hits.length - items.length) }
  }
}

/** Returns the ids of hits that no longer exist, or whose survivor the index or an earlier hit has. */
function staleIds(
  index: PlaceIndex,
  hits: readonly Hit[],
  entries: readonly (LocationEntry | undefined)[],
): readonly Id[] {
  const survivors = new Set<Id>()
  return hits.flatMap(({ id }, i) => {
    const survivor = entries[i]?.id
    if (survivor === id) return []
    if (survivor === undefined || survivors.has(survivor) || index.has(survivor)) return [id]
    survivors.add(survivor)
    return []
  })
}

/** Pairs hits with entries within the scope. Each entry occurs once: with its own hit, otherwise with the first. */
export function distinctItems<H extends Hit>(
  scope: Scope,
  hits: readonly H[],
  entries: readonly (LocationEntry | undefined)[],
): FoundItem<H>[] {
  const items = hits.flatMap((hit, i) => {
    const entry = entries[i]
    return entry && inScope(scope, entry) ? [{ entry, hit }] : []
  })
  if (items.every(({ entry, hit }) => entry.id === hit.id)) return items
  const own = new Set(items.flatMap(({ entry, hit }) => (entry.id === hit.id ? [hit.id] : [])))
  const seen = new Set<Id>()
  return items.filter(({ entry, hit }) => {
    if (entry.id !== hit.id && (own.has(entry.id) || seen.has(entry.id))) return false
    seen.add(entry.id)
    return true
  })
}
