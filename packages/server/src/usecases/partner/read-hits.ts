import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Interpretation } from '../../domain/interpretation.ts'
import type { PageEnd } from '../../domain/list-position.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { inScope, type Scope } from '../../domain/scope.ts'
import type { PlaceIndex } from '../../domain/search.ts'
import { chain, type Eventual } from '../../kit/chain.ts'

/** Hit of the index with its location. */
export interface FoundItem<H> {
  readonly entry: LocationEntry
  readonly hit: H
}

/** Hit of the index whose body is ready; its location is not read. */
export interface ReadyItem<H, B> {
  readonly entry?: undefined
  readonly body: B
  readonly hit: H
}

/** One page of results. `B` is the type of ready bodies; `never` if the caller has none. */
export interface Found<H, B = never> extends PageEnd {
  readonly items: readonly Item<H, B>[]
  readonly total: number
  /** Meaning that a search has read in its text. */
  readonly interpretation?: Interpretation
}

type Item<H, B> = FoundItem<H> | ([B] extends [undefined] ? never : ReadyItem<H, B>)

/** Stores that queries of the index need. */
export interface SearchStores<B = never> {
  readonly index: PlaceIndex
  readonly locations: LocationReader
  /** Returns the current body of a location within the scope; undefined if the location has to be read. */
  readonly findBody?: ((id: Id) => B | undefined) | undefined
}

interface Hit {
  readonly id: Id
}

interface Result<H> extends PageEnd {
  readonly hits: readonly H[]
  readonly total: number
  readonly revision: number
  readonly interpretation?: Interpretation
}

/** Maximum number of queries of the index for one page. */
const maxQueries = 3

/**
 * Runs a query of the index and returns the ready bodies of its hits, or reads their locations. A total of `maxTotal` is
 * a lower bound and stays.
 */
export const readHits = <H extends Hit, B = never>(
  stores: SearchStores<B>,
  scope: Scope,
  query: () => Eventual<Result<H>>,
  maxTotal = Number.POSITIVE_INFINITY,
): Eventual<Found<H, B>> =>
  chain(query(), result => {
    const { interpretation } = result
    const found = findReady(stores, result) ?? readLocations(stores, scope, { query, result, maxTotal })
    return interpretation === undefined ? found : chain(found, page => ({ ...page, interpretation }))
  })

/** Returns a page whose hits all have a ready body; undefined if a location has to be read. */
function findReady<H extends Hit, B>(
  { findBody }: SearchStores<B>,
  { hits, total, offset, next }: Result<H>,
): Found<H, B> | undefined {
  if (findBody === undefined) return undefined
  const items: (FoundItem<H> | ReadyItem<H, B>)[] = []
  for (const hit of hits) {
    const body = findBody(hit.id)
    if (body === undefined) return undefined
    items.push({ body, hit })
  }
  return { items: items as Found<H, B>['items'], total, offset, next }
}

/**
 * Reads the locations of the hits without a ready body. Until the index follows the store, it may still have locations
 * that the store has merged or removed. They are removed from the index and the query runs again, so that the page is
 * full, has each location once, and the total does not count them. A merged location is replaced by its survivor
 * if the index does not contain the survivor.
 */
async function readLocations<H extends Hit, B>(
  { index, locations, findBody }: SearchStores<B>,
  scope: Scope,
  page: { readonly query: () => Eventual<Result<H>>; readonly result: Result<H>; readonly maxTotal: number },
): Promise<Found<H, B>> {
  const { query, maxTotal } = page
  let { hits, total, revision, offset, next } = page.result
  for (let queries = 1; ; queries++) {
    const bodies = hits.map(({ id }) => findBody?.(id))
    const unread = hits.filter((_, i) => bodies[i] === undefined)
    const entries = unread.length > 0 ? await locations.getMany(unread.map(({ id }) => id)) : []
    const stale = staleIds(index, unread, entries)
    if (stale.length > 0 && queries < maxQueries) {
      await index.removeStale(stale, revision)
      ;({ hits, total, revision, offset, next } = await query())
      continue
    }
    const readyIds = new Set(hits.filter((_, i) => bodies[i] !== undefined).map(({ id }) => id))
    const read = distinctItems(scope, unread, entries, readyIds)
    const items = unread.length === hits.length ? read : withReady(hits, bodies, read)
    return {
      items: items as Found<H, B>['items'],
      total: total === maxTotal ? total : total - (hits.length - items.length),
      offset,
      next,
    }
  }
}

/** Inserts the hits with a ready body among those that were read, in the order of all hits. */
function withReady<H extends Hit, B>(
  hits: readonly H[],
  bodies: readonly (B | undefined)[],
  read: readonly FoundItem<H>[],
): (FoundItem<H> | ReadyItem<H, B>)[] {
  let next = 0
  const items: (FoundItem<H> | ReadyItem<H, B>)[] = []
  for (const [i, hit] of hits.entries()) {
    const body = bodies[i]
    if (body !== undefined) items.push({ body, hit })
    else if (read[next]?.hit === hit) items.push(read[next++]!)
  }
  return items
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

/**
 * Pairs hits with entries within the scope. Each entry occurs once: with its own hit, otherwise with the first. A
 * survivor whose id is in `readyIds` is omitted, because it has a hit with a ready body.
 */
export function distinctItems<H extends Hit>(
  scope: Scope,
  hits: readonly H[],
  entries: readonly (LocationEntry | undefined)[],
  readyIds: ReadonlySet<Id> = new Set(),
): FoundItem<H>[] {
  const items = hits.flatMap((hit, i) => {
    const entry = entries[i]
    return entry && inScope(scope, entry) ? [{ entry, hit }] : []
  })
  if (items.every(({ entry, hit }) => entry.id === hit.id)) return items
  const own = new Set(items.flatMap(({ entry, hit }) => (entry.id === hit.id ? [hit.id] : [])))
  const seen = new Set<Id>()
  return items.filter(({ entry, hit }) => {
    if (entry.id !== hit.id && (own.has(entry.id) || readyIds.has(entry.id) || seen.has(entry.id))) return false
    seen.add(entry.id)
    return true
  })
}
