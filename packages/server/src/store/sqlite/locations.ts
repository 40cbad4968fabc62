import type { TopLevelCategory } from '../../domain/category.ts'
import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { Location, LocationEntry } from '../../domain/location.ts'
import { type RatingSummary, type ReviewTotals, summarise } from '../../domain/ratings.ts'
import type { Sqlite } from '../connection.ts'

/** A stored location. */
export interface LocationRow {
  id: bigint
  source: string
  country: string | null
  category: string
  updated_ms: bigint
  record: string
  totals: string | null
}

/** Columns of a LocationRow. Subqueries, because SQLite takes three times as long for the equivalent LEFT JOIN. */
export const locationColumns = `
  id, source, country, category, record,
  max(updated_ms, coalesce((SELECT updated_ms FROM review_totals WHERE location_id = locations.id), 0)) AS updated_ms,
  (SELECT totals FROM review_totals WHERE location_id = locations.id) AS totals
  FROM locations`

/** Wraps a row as a location entry. */
export const toLocationEntry = (store: Sqlite, row: LocationRow): LocationEntry => new StoredLocation(store, row)

/** Reads locations from data.sqlite. */
export function createSqliteLocations(db: Sqlite): LocationReader {
  const byId = db.prepare<[Id], LocationRow>(`SELECT ${locationColumns} WHERE id = ?`).safeIntegers()
  const survivor = db
    .prepare<[Id], LocationRow>(`SELECT ${locationColumns} WHERE id = (SELECT to_id FROM merges WHERE from_id = ?)`)
    .safeIntegers()
  const find = (id: Id): LocationEntry | undefined => {
    const row = byId.get(id) ?? survivor.get(id)
    return row && toLocationEntry(db, row)
  }
  return {
    get: async id => find(id),
    getMany: async ids => ids.map(find),
  }
}

class StoredLocation implements LocationEntry {
  readonly id: Id
  readonly source: string
  readonly country?: string
  readonly category: TopLevelCategory
  readonly updatedMs: number
  readonly #store: Sqlite
  readonly #record: string
  readonly #totals: string | null
  // Most entries are rendered in one way only: one slot takes less memory and time than a map.
  #variant: string | undefined
  #value: unknown
  #others: Map<string, unknown> | undefined

  constructor(store: Sqlite, row: LocationRow) {
    this.#store = store
    this.id = row.id
    this.source = row.source
    if (row.country !== null) this.country = row.country
    this.category = row.category as TopLevelCategory
    this.updatedMs = Number(row.updated_ms)
    this.#record = row.record
    this.#totals = row.totals
  }

  derive<T>(variant: string, make: () => T): T {
    if (this.#variant === variant) return this.#value as T
    const known = this.#others?.get(variant)
    if (known !== undefined) return known as T
    const made = make()
    if (this.#variant === undefined) {
      this.#variant = variant
      this.#value = made
    } else {
      this.#others ??= new Map()
      this.#others.set(variant, made)
    }
    return made
  }

  location(): Location {
    return this.#store.parseJson<Location>(this.#record)
  }

  ratings(record: Location = this.location()): RatingSummary | undefined {
    return summarise(
      record.ownRatings,
      this.#totals === null ? undefined : this.#store.parseJson<ReviewTotals>(this.#totals),
    )
  }
}
