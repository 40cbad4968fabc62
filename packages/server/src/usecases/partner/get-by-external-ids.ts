import { externalKey, externalKeysOf } from '../../domain/external-id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { inScope, type Scope } from '../../domain/scope.ts'
import type { QueryCaller } from '../../domain/search.ts'
import type { SearchStores } from './read-hits.ts'

/** The locations with some ids in other sources. */
export interface ExternalIdsFound {
  /** In the requested order, those of one id by rank; each occurs once. */
  readonly entries: readonly LocationEntry[]
  /** The requested ids that no location in the scope has. */
  readonly missing: readonly string[]
}

/** Returns the locations that have ids such as `wikidata:Q1492`, within a scope. */
export async function getByExternalIds(
  { index, locations }: Pick<SearchStores, 'index' | 'locations'>,
  scope: Scope,
  externalIds: readonly string[],
  caller: QueryCaller,
): Promise<ExternalIdsFound> {
  const keys = externalIds.map(externalKey)
  const merged = await locations.findMerged(keys)
  const known = await index.findByKeys({ keys, scope }, caller)
  const found = known.map((ids, i) => [...ids, ...merged[i]!])
  const ids = [...new Set(found.flat())]
  const read = await locations.getMany(ids)
  const places = new Map(ids.map((id, i) => [id, read[i]]))
  const keysOf = new Map(read.map(entry => [entry, entry && new Set(externalKeysOf(entry.location()))]))
  const entries = new Set<LocationEntry>()
  const missing = externalIds.filter((_, i) => {
    // A merged place has the record of its survivor.
    const holders = found[i]!.flatMap(id => {
      const entry = places.get(id)
      const holds = entry && inScope(scope, entry) && (entry.id !== id || keysOf.get(entry)!.has(keys[i]!))
      return holds ? [entry] : []
    })
    for (const entry of holders) entries.add(entry)
    return holders.length === 0
  })
  return { entries: distinct([...entries]), missing }
}

/** Removes all but the first occurrence of each location: a survivor may have been read under two ids. */
const distinct = (entries: readonly LocationEntry[]): LocationEntry[] => [
  ...new Map(entries.map(entry => [entry.id, entry])).values(),
]
