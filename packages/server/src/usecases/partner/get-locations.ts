import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { inScope, type Scope } from '../../domain/scope.ts'

/** The result of a multi-GET. */
export interface LocationsFound {
  /** In the requested order; the survivor of merges appears once. */
  readonly entries: readonly LocationEntry[]
  readonly missing: readonly Id[]
  readonly merged: readonly { readonly from: Id; readonly to: Id }[]
}

/** Returns several locations; ids that do not exist or are out of scope are missing. `ids` has no duplicates. */
export async function getLocations(
  locations: LocationReader,
  scope: Scope,
  ids: readonly Id[],
): Promise<LocationsFound> {
  const found = await locations.getMany(ids)
  const entries: LocationEntry[] = []
  const missing: Id[] = []
  const merged: { from: Id; to: Id }[] = []
  for (const [i, id] of ids.entries()) {
    const entry = found[i]
    if (!entry || !inScope(scope, entry)) missing.push(id)
    else {
      if (entry.id !== id) merged.push({ from: id, to: entry.id })
      entries.push(entry)
    }
  }
  // Without merges there are no duplicates.
  return { entries: merged.length === 0 ? entries : withoutDuplicates(entries), missing, merged }
}

/** Removes all but the first occurrence of each entry. */
const withoutDuplicates = (entries: readonly LocationEntry[]): LocationEntry[] => [
  ...new Map(entries.map(entry => [entry.id, entry])).values(),
]
