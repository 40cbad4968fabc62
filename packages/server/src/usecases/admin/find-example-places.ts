import type { Actor } from '../../domain/actor.ts'
import type { TopLevelCategory } from '../../domain/category.ts'
import type { LocationReader, ReviewReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LiveState } from '../../domain/live-state.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { PackageName, PackageTable } from '../../domain/package.ts'
import type { Review } from '../../domain/review.ts'
import { inScope, type Scope } from '../../domain/scope.ts'
import type { Box } from '../../domain/search.ts'

/** Dependencies of `findExamplePlaces`. */
export interface ExampleStores {
  readonly live: Pick<LiveState, 'nearby'>
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly packageTable: PackageTable
}

/** A place and one of its reviews, for examples of responses. */
export interface ExamplePlace {
  readonly entry: LocationEntry
  /** Undefined if the place has no review, or if the package does not include reviews. */
  readonly review: Review | undefined
}

/** The terms of a partner that its explorer key has. */
export interface ExampleTerms {
  readonly packageName?: PackageName | undefined
  readonly scope: Scope
}

const world: Box = { south: -90, west: -180, north: 90, east: 180 }
/** Kinds whose records differ most in their fields. */
const kinds: readonly TopLevelCategory[] = ['RESTAURANT', 'HOTEL', 'ATTRACTION']
const placesOfKind = 2

/**
 * Returns the ids of well-known places in a scope, of several kinds, at most six; empty while the search is not
 * available.
 */
export async function findExampleIds(live: ExampleStores['live'], scope: Scope): Promise<readonly Id[]> {
  const page = { scope, within: { box: world }, sort: 'popularity', offset: 0 } as const
  const found = await Promise.all(kinds.map(kind => live.nearby({ ...page, categories: [kind], limit: placesOfKind })))
  // One of each kind first: most examples then come from the first places.
  const ids = [0, 1].flatMap(at => found.flatMap(one => one?.ids[at] ?? []))
  if (ids.length > 0) return ids
  return (await live.nearby({ ...page, limit: placesOfKind }))?.ids ?? []
}

/**
 * Reads the places of examples that the explorer key of a partner can read, each with its newest review. A place that
 * was removed or is outside the scope is left out.
 */
export async function readExamplePlaces(
  { locations, reviews, packageTable }: Omit<ExampleStores, 'live'>,
  _actor: Actor,
  { terms, ids }: { readonly terms: ExampleTerms; readonly ids: readonly Id[] },
): Promise<readonly ExamplePlace[]> {
  const { permissions } = packageTable.packages[terms.packageName ?? 'discover']
  if (!permissions.includes('locations')) return []
  const entries = (await locations.getMany(ids)).filter(entry => entry && inScope(terms.scope, entry))
  const newest = { sortBy: 'MOST_RECENT', offset: 0, limit: 1 } as const
  return Promise.all(
    entries.map(async entry => {
      const mayRead = permissions.includes('reviews')
      const list = mayRead ? await reviews.list({ locationId: entry!.id, ...newest }) : undefined
      return { entry: entry!, review: list?.reviews[0] }
    }),
  )
}
