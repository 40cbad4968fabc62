import type { ListedCategory } from '../../domain/category.ts'
import { type Fault, fault, isFault } from '../../domain/fault.ts'
import type { GeoAncestor, GeoContentsPage, GeoIndex } from '../../domain/geo-contents.ts'
import type { Id } from '../../domain/id.ts'
import type { ListPosition } from '../../domain/list-position.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { Scope } from '../../domain/scope.ts'
import type { QueryCaller } from '../../domain/search.ts'
import { chain } from '../../kit/chain.ts'
import { continueList } from './continue-list.ts'
import { getLocation } from './get-location.ts'
import { listCounted } from './list-categories.ts'
import { type Found, readHits, type SearchStores } from './read-hits.ts'

/** The geo and the page of its children that are asked for. */
interface GeoRequest {
  readonly id: Id
  readonly offset: number
  readonly limit: number
  /** Begins the page behind a position of an earlier one, in place of `offset`. */
  readonly position?: ListPosition | undefined
  /** Languages of names, in order of preference. */
  readonly languages: readonly string[]
}

/** A city, region or country with what it contains. */
export interface Geo extends Found<{ readonly id: Id }> {
  readonly location: LocationEntry
  readonly ancestors: readonly GeoAncestor[]
  /** Categories with places in it. */
  readonly categories: readonly ListedCategory[]
}

/** Returns a city, region or country with a page of the areas directly in it. */
export async function getGeo(
  stores: SearchStores & { readonly index: GeoIndex },
  scope: Scope,
  { id, offset, limit, position, languages }: GeoRequest,
  caller: QueryCaller,
): Promise<Geo | Fault> {
  const location = await getLocation(stores.locations, scope, id)
  if (isFault(location)) return location
  if (location.category !== 'GEO') return noGeo(id)
  const [locale] = languages
  const query = { id: location.id, scope, ...(locale !== undefined && { locale }) }
  let contents: GeoContentsPage | undefined
  const found = await readHits(stores, scope, () =>
    chain(
      continueList(position, { offset, limit }, part => stores.index.readGeo({ ...query, ...part }, caller)),
      page => {
        contents = page
        return page
      },
    ),
  )
  const { ancestors, counts } = contents!
  return { ...found, location, ancestors, categories: listCounted(counts, languages) }
}

const noGeo = (id: Id): Fault =>
  fault('location_unknown', {
    detail: `The location ${id} is not a city, region or country. Read it as /locations/${id}.`,
  })
