import type { Manifest } from '../../domain/feed.ts'
import type { Catalogue, FeedEntry } from './catalogue.ts'
import { isGoneAnswer, Refused } from './outcome.ts'
import type { ResultState } from './result-state.ts'

/** What leads to the newest result: deltas on what is there, or a full and the deltas after it. */
export type Plan =
  | { readonly full?: undefined; readonly deltas: readonly Manifest[] }
  | {
      readonly full: Manifest
      readonly deltas: readonly Manifest[]
      /** Why what is there cannot be carried on. */
      readonly because?: string
    }

/** Undefined where a full is needed and none is there. `state` is left out to begin with a full. */
export async function planPull(
  catalogue: Catalogue,
  entry: FeedEntry,
  state: ResultState | undefined,
): Promise<Plan | undefined> {
  const since = state && (await deltasSince(catalogue, entry, state))
  if (since !== undefined && typeof since !== 'string') return { deltas: since }
  const full = await catalogue.latestFull(entry)
  if (!full) return undefined
  const deltas = linked(full.snapshot_id, (await deltasAfter(catalogue, entry, full.sequence)) ?? [])
  return { full, deltas, ...(since !== undefined && { because: since }) }
}

/** The deltas that lead on from a result, or why none do. */
async function deltasSince(
  catalogue: Catalogue,
  entry: FeedEntry,
  state: ResultState,
): Promise<readonly Manifest[] | string> {
  const { snapshot_id: id, sequence } = state
  if (state.version !== entry.version)
    return `the feed is pinned to version ${entry.version} now, and the file is in version ${state.version}`
  if (entry.latest_sequence !== undefined && entry.latest_sequence < sequence)
    return `the service no longer has snapshots up to ${id}`
  const deltas = await deltasAfter(catalogue, entry, sequence)
  if (!deltas) return `the deltas after ${id} are no longer complete`
  if (linked(id, deltas).length < deltas.length) return `the deltas of the service do not lead on from ${id}`
  // A service that was put back to an earlier state, and went another way, gives names and numbers a second time.
  if (deltas.length > 0 && !(await isServed(catalogue, entry, state)))
    return `the service has another snapshot by the name ${id} now`
  if (deltas.length === 0 && !(await isNewest(catalogue, entry, state)))
    return `the service has another result than that of ${id}, and no delta that leads to it`
  return deltas
}

/** Undefined where they are no longer complete (410). */
async function deltasAfter(catalogue: Catalogue, entry: FeedEntry, sequence: number) {
  try {
    return await catalogue.deltasAfter(entry, sequence)
  } catch (error) {
    if (isGoneAnswer(error)) return undefined
    throw error
  }
}

/** The deltas from the first on, as far as each takes on the result of the one before. */
function linked(from: string, deltas: readonly Manifest[]): readonly Manifest[] {
  let at = from
  const gap = deltas.findIndex(delta => {
    const follows = delta.kind === 'delta' && (delta.applies_to ?? []).includes(at)
    at = delta.snapshot_id
    return !follows
  })
  return gap < 0 ? deltas : deltas.slice(0, gap)
}

/** Where no delta follows, the full after it, or else the snapshot itself, must have the same result still. */
async function isNewest(catalogue: Catalogue, entry: FeedEntry, state: ResultState): Promise<boolean> {
  const full = await catalogue.latestFull(entry)
  if (full && full.sequence >= state.sequence) return full.checksum_of_result === state.checksum_of_result
  return isServed(catalogue, entry, state)
}

/** Whether the snapshot that a result is of has this result still, as far as the service can tell. */
async function isServed(catalogue: Catalogue, entry: FeedEntry, state: ResultState): Promise<boolean> {
  try {
    return (await catalogue.manifest(entry, state.snapshot_id)).checksum_of_result === state.checksum_of_result
  } catch (error) {
    // Its time was over, or it held an erased record: the full that is built then is newer.
    if (isGoneAnswer(error)) return true
    if (error instanceof Refused && error.status === 404) return false
    throw error
  }
}
