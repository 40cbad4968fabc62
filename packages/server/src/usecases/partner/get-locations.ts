import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { inScope, type Scope } from '../../domain/scope.ts'
import type { LocationReader } from '../../domain/stores.ts'

/** What a multi-GET found. */
export interface LocationsFound {
  /** In the order asked; a survivor of a merge once, whoever led to it. */
  readonly entries: readonly LocationEntry[]
  readonly missing: readonly Id[]
  readonly merged: readonly { readonly from: Id; readonly to: Id }[]
}

/** Several locations; what does not exist or is out of scope is missing. `ids` holds no duplicates. */
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
  // Without merges nothing can be there twice.
  return { entries: merged.length === 0 ? entries : withoutRepeats(entries), missing, merged }
}

/** Each once, where it came first. */
const withoutRepeats = (entries: readonly LocationEntry[]): LocationEntry[] => [
  ...new Map(entries.map(entry => [entry.id, entry])).values(),
]
