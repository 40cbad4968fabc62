import type { Manifest } from '../../domain/feed.ts'
import type { Catalogue, FeedEntry } from './catalogue.ts'
import { isGoneResponse, Refused } from './outcome.ts'
import type { ResultState } from './result-state.ts'

/** Snapshots that produce the newest result: deltas for the existing result, or a full snapshot and its deltas. */
export type Plan =
  | { readonly full?: undefined; readonly deltas: readonly Manifest[] }
  | {
      readonly full: Manifest
      readonly deltas: readonly Manifest[]
      /** Reason why deltas cannot be applied to the existing result. */
      readonly reason?: string
    }

/**
 * Plans a pull; returns undefined if it requires a full snapshot and the service has none. Without `state` the plan
 * starts with a full snapshot.
 */
export async function planPull(
  catalogue: Catalogue,
  entry: FeedEntry,
  state: ResultState | undefined,
): Promise<Plan | undefined> {
  const since = state && (await deltasSince(catalogue, entry, state))
  if (since !== undefined && typeof since !== 'string') return { deltas: since }
  const full = await catalogue.latestFull(entry)
  if (!full) return undefined
  const deltas = takeChain(full.snapshot_id, (await deltasAfter(catalogue, entry, full.sequence)) ?? [])
  return { full, deltas, ...(since !== undefined && { reason: since }) }
}

/** Returns the deltas that continue a result, or the reason if there are no such deltas. */
async function deltasSince(
  catalogue: Catalogue,
  entry: FeedEntry,
  state: ResultState,
): Promise<readonly Manifest[] | string> {
  const { snapshot_id: id, sequence } = state
  if (state.version !== entry.version)
    return `The feed is now pinned to version ${entry.version}, but the file is in version ${state.version}.`
  if (entry.latest_sequence !== undefined && entry.latest_sequence < sequence)
    return `The service no longer has snapshots up to ${id}.`
  const deltas = await deltasAfter(catalogue, entry, sequence)
  if (!deltas) return `The deltas after ${id} are no longer complete.`
  if (takeChain(id, deltas).length < deltas.length) return `The deltas of the service do not continue ${id}.`
  // A service that was restored to an earlier state assigns the same names and numbers again.
  if (deltas.length > 0 && !(await isServed(catalogue, entry, state)))
    return `The service now has another snapshot with the name ${id}.`
  if (deltas.length === 0 && !(await isNewest(catalogue, entry, state)))
    return `The newest result of the service differs from ${id}, and no delta leads to it.`
  return deltas
}

/** Returns the deltas after a sequence number; undefined if they are no longer complete (410). */
async function deltasAfter(catalogue: Catalogue, entry: FeedEntry, sequence: number) {
  try {
    return await catalogue.deltasAfter(entry, sequence)
  } catch (error) {
    if (isGoneResponse(error)) return undefined
    throw error
  }
}

/** Returns the leading deltas that form a chain: each applies to the result of the previous one. */
function takeChain(from: string, deltas: readonly Manifest[]): readonly Manifest[] {
  let current = from
  const gap = deltas.findIndex(delta => {
    const follows = delta.kind === 'delta' && (delta.applies_to ?? []).includes(current)
    current = delta.snapshot_id
    return !follows
  })
  return gap < 0 ? deltas : deltas.slice(0, gap)
}

/** Returns true if the newest result is still the one of the state. */
async function isNewest(catalogue: Catalogue, entry: FeedEntry, state: ResultState): Promise<boolean> {
  const full = await catalogue.latestFull(entry)
  if (full && full.sequence >= state.sequence) return full.checksum_of_result === state.checksum_of_result
  return isServed(catalogue, entry, state)
}

/** Returns true if the snapshot of the state still has the same result, or is gone. */
async function isServed(catalogue: Catalogue, entry: FeedEntry, state: ResultState): Promise<boolean> {
  try {
    return (await catalogue.manifest(entry, state.snapshot_id)).checksum_of_result === state.checksum_of_result
  } catch (error) {
    // The snapshot expired or contained an erased record. A full snapshot that is built later is newer.
    if (isGoneResponse(error)) return true
    if (error instanceof Refused && error.status === 404) return false
    throw error
  }
}
