import type { TopLevelCategory } from '../../domain/category.ts'
import type { Id } from '../../domain/id.ts'
import type { Location, LocationEntry } from '../../domain/location.ts'
import { type RatingSummary, type ReviewTotals, summarise } from '../../domain/ratings.ts'
import type { JsonColumns } from '../sql/database.ts'

/** A stored location, with the totals of its reviews. */
export interface LocationRow {
  id: bigint
  source: string
  country: string | null
  category: string
  updated_ms: bigint
  record: string
  totals: string | null
}

/** Wraps a row as a location entry. */
export const toLocationEntry = (store: JsonColumns, row: LocationRow): LocationEntry => new StoredLocation(store, row)

class StoredLocation implements LocationEntry {
  readonly id: Id
  readonly source: string
  readonly country?: string
  readonly category: TopLevelCategory
  readonly updatedMs: number
  readonly #store: JsonColumns
  readonly #record: string
  readonly #totals: string | null
  // Most entries are rendered in one way only: one slot takes less memory and time than a map.
  #variant: string | undefined
  #value: unknown
  #others: Map<string, unknown> | undefined

  constructor(store: JsonColumns, row: LocationRow) {
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
