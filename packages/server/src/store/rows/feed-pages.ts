import type { IdRange } from '../../domain/feed-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'

/** Maximum number of records in a page. */
export const pageSize = 500
/** Number of characters after which a page ends. */
export const pageChars = 1_000_000
/** Maximum number of places that are cached while reviews are read. */
export const cachedPlaces = 5000
/** Maximum number of characters of the cached places. */
export const cachedPlaceChars = 8_000_000

/** Returns an entry that caches its ratings: a place may have many reviews, and each of them shows its ratings. */
export const cacheRatings = (entry: LocationEntry): LocationEntry => ({
  id: entry.id,
  source: entry.source,
  category: entry.category,
  updatedMs: entry.updatedMs,
  location: () => entry.location(),
  ratings: () => entry.derive('ratings', () => entry.ratings()),
  derive: (variant, make) => entry.derive(variant, make),
})

/** Returns the rows of a page, ascending by id, up to the end of a range; fewer mean that the range has ended. */
export function rowsWithin<R extends { readonly id: Id }>(page: R[], range: IdRange | undefined): R[] {
  if (range === undefined) return page
  const end = page.findIndex(({ id }) => id > range.upTo)
  return end < 0 ? page : page.slice(0, end)
}
