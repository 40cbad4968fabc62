import type { Change } from '../../domain/change.ts'
import type { ChangeLog, LocationReader } from '../../domain/data-stores.ts'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import { type ChangesStart, describeChange, lastChanges, type PlaceChange } from '../../domain/place-change.ts'
import { inScope, type Scope } from '../../domain/scope.ts'

/** Stores that a list of changes is read from. */
export interface ChangeStores {
  readonly changes: Pick<ChangeLog, 'lastSeq' | 'after'>
  readonly locations: LocationReader
}

/** A part of the changes. */
export interface ChangesPart {
  /** The latest change of each location, in the order of the change log. */
  readonly changes: readonly PlaceChange[]
  /** Number of the last change that was read; the next part starts behind it. */
  readonly through: number
  /** True if there are further changes. */
  readonly hasMore: boolean
}

/** Changes in one read of the change log. */
const rowsPerRead = 1000
/** Maximum number of reads for one part, which bounds its cost if most changes are outside the scope or of reviews. */
const maxReads = 10

/** Returns 410 for changes that are no longer kept. */
const changesGone = (): Fault =>
  fault('changes_gone', {
    detail:
      'Some of the changes since then are no longer kept. Read the locations that you store again, and continue with the changes since the start of that.',
  })

/**
 * Lists the locations within a scope that have changed, `limit` at most. Removed locations have no record to compare
 * with the scope and are always listed. Returns a fault if some of the changes have been pruned, or if the data
 * was replaced by older data.
 */
export async function listChanges(
  stores: ChangeStores,
  scope: Scope,
  { since, limit }: { readonly since: ChangesStart; readonly limit: number },
): Promise<ChangesPart | Fault> {
  const start = 'seq' in since ? since.seq : await findStart(stores.changes, since.ms)
  if (start === undefined || start > (await stores.changes.lastSeq())) return changesGone()
  const found = new Map<Id, PlaceChange>()
  let through = start
  for (let reads = 0; reads < maxReads && found.size < limit; reads++) {
    const rows = await stores.changes.after(through, rowsPerRead)
    if (rows === undefined) return changesGone()
    const taken = takePlaces(rows, limit - found.size)
    for (const change of await describe(stores.locations, scope, taken)) {
      found.delete(change.id)
      found.set(change.id, change)
    }
    through = taken.at(-1)?.seq ?? through
    if (taken.length === rows.length && rows.length < rowsPerRead) return toPart(found, through, false)
  }
  return toPart(found, through, through < (await stores.changes.lastSeq()))
}

const toPart = (found: ReadonlyMap<Id, PlaceChange>, through: number, hasMore: boolean): ChangesPart => ({
  changes: [...found.values()],
  through,
  hasMore,
})

/**
 * Finds the number behind which the changes since a time begin, by bisection. Undefined if changes since then may have
 * been pruned.
 */
async function findStart(changes: ChangeStores['changes'], sinceMs: number): Promise<number | undefined> {
  let low = 0
  let high = await changes.lastSeq()
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = await changes.after(middle, 1)
    if (next === undefined || (next[0] !== undefined && next[0].atMs < sinceMs)) low = middle + 1
    else high = middle
  }
  const isPruned = low > 0 && (await changes.after(low - 1, 1)) === undefined
  return isPruned ? undefined : low
}

/** Returns the longest part of the changes from their start on that concerns at most `limit` places. */
function takePlaces(rows: readonly Change[], limit: number): readonly Change[] {
  const places = new Set<Id>()
  const end = rows.findIndex(({ kind, id }) => kind === 'location' && places.add(id).size > limit)
  return end < 0 ? rows : rows.slice(0, end)
}

/** Describes the latest change of each place that is within the scope, or no longer exists. */
async function describe(locations: LocationReader, scope: Scope, rows: readonly Change[]): Promise<PlaceChange[]> {
  const changes = lastChanges(rows)
  const entries = await locations.getMany(changes.map(({ id }) => id))
  return changes
    .map((change, i) => describeChange(change, entries[i]))
    .filter(({ entry }) => entry === undefined || inScope(scope, entry))
}
