import type { Actor } from '../../domain/actor.ts'
import type { LocationReader } from '../../domain/data-stores.ts'
import type { TimeOrder } from '../../domain/list-order.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { Override } from '../../domain/override.ts'
import type { PlaceDecisions } from '../../domain/places.ts'
import type { PlaceFilters } from './find-places.ts'

/** An override with its place. */
export interface ListedOverride {
  readonly override: Override
  /** The stored location, or the survivor of a merged one. Undefined for a place that is not stored. */
  readonly entry: LocationEntry | undefined
}

/** Selects overrides, newest first by default. */
export interface OverridesQuery extends PlaceFilters {
  readonly order?: TimeOrder | undefined
  readonly limit: number
  /** Revision of the last override of the previous page. */
  readonly after?: number | undefined
}

const batchSize = 200
/** Maximum number of overrides that one page reads. */
const maxRead = 5000

/** Lists overrides and merges with their places; `next` continues the list. */
export async function listOverrides(
  { places, locations }: { readonly places: PlaceDecisions; readonly locations: LocationReader },
  _actor: Actor,
  { order, limit, after, ...filters }: OverridesQuery,
): Promise<{ readonly rows: readonly ListedOverride[]; readonly next?: number }> {
  const rows: ListedOverride[] = []
  let position = after
  for (let read = 0; read < maxRead; read += batchSize) {
    const batch = await places.list({ order, limit: batchSize, after: position })
    const entries = await locations.getMany(batch.map(({ locationId }) => locationId))
    for (const [i, override] of batch.entries()) {
      if (rows.length === limit) return { rows, next: position! }
      position = override.revision
      if (matches(entries[i], filters)) rows.push({ override, entry: entries[i] })
    }
    if (batch.length < batchSize) return { rows }
  }
  return { rows, next: position! }
}

function matches(entry: LocationEntry | undefined, { category, status, source }: PlaceFilters): boolean {
  if (category === undefined && status === undefined && source === undefined) return true
  return (
    entry !== undefined &&
    (category === undefined || entry.category === category) &&
    (source === undefined || entry.source === source) &&
    (status === undefined || entry.location().status?.value === status)
  )
}
