import type { Actor } from '../../domain/actor.ts'
import type { MergedDuplicates, SuggestedMerge } from '../../domain/duplicates.ts'
import { mergeField } from '../../domain/override.ts'
import type { PlaceDecisions } from '../../domain/places.ts'
import type { Clock } from '../../kit/clock.ts'
import { recordOfPlace } from './place-record.ts'

export interface DuplicateStores {
  readonly places: PlaceDecisions
  readonly clock: Clock
}

/** Returns the id of a run, which names its merges: `dedupe_20261123T151530Z`. */
export const runId = (nowMs: number): string => `dedupe_${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}`

/** Returns the reason of a merge, by which a run is found again. */
const reasonOf = (run: string, score: number): string => `${reasonStart(run)} score ${score.toFixed(3)}.`

/** The comma ends the id: a part of an id is no run. */
const reasonStart = (run: string): string => `Duplicate found by ${run},`

/** Merges duplicates. Each merge is a decision of the operator, which imports keep. */
export async function mergeDuplicates(
  { places, clock }: DuplicateStores,
  actor: Actor,
  { run, merges }: { readonly run: string; readonly merges: readonly SuggestedMerge[] },
): Promise<MergedDuplicates> {
  let changed = 0
  for (const { id, into, score } of merges) {
    const record = recordOfPlace(clock, actor, id, 'merge', { into: String(into), run })
    const outcome = await places.merge({ id, into, reason: reasonOf(run, score), actor }, record)
    if (typeof outcome !== 'string') changed++
  }
  return { run, changed, skipped: merges.length - changed }
}

/** Number of decisions that are read at once. */
const pageSize = 500

/** Lifts the merges of a run: the merged places exist again, their reviews after the next import. */
export async function undoDuplicates(
  { places, clock }: DuplicateStores,
  actor: Actor,
  run: string,
): Promise<MergedDuplicates> {
  const merges = []
  let after: number | undefined
  for (;;) {
    const page = await places.list({ limit: pageSize, after })
    merges.push(...page.filter(({ field, reason }) => field === mergeField && reason.startsWith(reasonStart(run))))
    if (page.length < pageSize) break
    after = page.at(-1)!.revision
  }
  let changed = 0
  for (const { locationId: id, revision } of merges) {
    const record = recordOfPlace(clock, actor, id, 'lift', { field: mergeField, run })
    const outcome = await places.lift(id, mergeField, revision, record)
    if (typeof outcome !== 'string') changed++
  }
  return { run, changed, skipped: merges.length - changed }
}
