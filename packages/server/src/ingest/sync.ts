import type { DataWriter, MissingRecords, SeenIds } from '../domain/data-stores.ts'
import type { Removal, SyncResult } from '../domain/full-sync.ts'
import type { ExternalKey, RecordKind } from '../domain/record-write.ts'

/** Share of a source's records above which a full sync removes nothing unless it is forced. */
const maxRemovedShare = 0.05

/** Records per transaction. */
const batchRecords = 1000

export interface FinishOptions {
  /** Removes missing records regardless of their share. */
  readonly force: boolean
  /** Number of records of each kind that the inputs added. */
  readonly added: Readonly<Record<RecordKind, number>>
  /** Called after each batch of a kind. */
  readonly progress?: (removed: number, missing: number) => void
  /** Cancels the removal; checked between batches. */
  readonly signal?: AbortSignal
}

/**
 * A full sync, whose inputs together contain all records of a source. It collects their ids during the import, and
 * `finish` removes all other records. If the process is killed before the end, the next run removes the remaining ones.
 */
export interface Sync {
  /** Includes a kind of records; other kinds remain unchanged. */
  includeKind(kind: RecordKind): void
  /** Keeps records that the source still has, valid or not. */
  keep(kind: RecordKind, keys: readonly ExternalKey[]): Promise<void>
  /** Removes the missing records, unless they exceed 5 % of a kind and `force` is false. */
  finish(options: FinishOptions): Promise<SyncResult>
  close(): Promise<void>
}

interface RemovalPlan {
  readonly kind: RecordKind
  readonly missing: MissingRecords
  readonly stored: number
}

/** Starts a full sync of `source`. */
export function startSync(writer: DataWriter, source: string): Sync {
  const included = new Set<RecordKind>()
  const kept = new Map<RecordKind, Promise<SeenIds>>()
  const openKept = (kind: RecordKind): Promise<SeenIds> => {
    const known = kept.get(kind) ?? writer.openSeenIds()
    kept.set(kind, known)
    return known
  }
  return {
    includeKind: kind => {
      included.add(kind)
    },
    keep: async (kind, keys) => {
      // The id and source_id of a row may identify different records: keep both.
      const candidates = keys.flatMap(({ id, sourceId, source: from }) => [
        ...(id === undefined ? [] : [{ source: from, id }]),
        ...(sourceId === undefined ? [] : [{ source: from, sourceId }]),
      ])
      const ids = await writer.findIds(kind, candidates)
      await (await openKept(kind)).add(ids.filter(id => id !== undefined))
    },
    finish: async options => {
      // Remove reviews first: removing a place removes its reviews without counting them.
      const kinds = (['review', 'location'] as const).filter(kind => included.has(kind))
      const found = await Promise.all(
        kinds.map(async kind => ({ kind, missing: await writer.openMissing(kind, source, await openKept(kind)) })),
      )
      try {
        const plans = found.map(({ kind, missing }) => ({
          kind,
          missing,
          stored: Math.max(missing.stored - options.added[kind], missing.count),
        }))
        return await removeMissing(writer, source, plans, options)
      } finally {
        for (const { missing } of found) await missing.close()
      }
    },
    close: async () => {
      for (const ids of kept.values()) await (await ids).close()
    },
  }
}

async function removeMissing(
  writer: DataWriter,
  source: string,
  plans: readonly RemovalPlan[],
  options: FinishOptions,
): Promise<SyncResult> {
  const unchanged = plans.map(({ kind, missing, stored }) => ({ kind, stored, missing: missing.count, removed: 0 }))
  const tooMany = unchanged.find(({ missing, stored }) => missing > stored * maxRemovedShare)
  if (tooMany && !options.force)
    return { removals: unchanged, stopped: { reason: 'too_many_missing', source, removal: tooMany } }
  const removals: Removal[] = []
  for (const { kind, missing, stored } of plans) {
    const removed = await removeKind(writer, kind, missing, options)
    removals.push({ kind, stored, missing: missing.count, removed })
  }
  return options.signal?.aborted ? { removals, stopped: { reason: 'cancelled' } } : { removals }
}

/** Deletes missing records in batches and returns the number removed. */
async function removeKind(
  writer: DataWriter,
  kind: RecordKind,
  missing: MissingRecords,
  { progress, signal }: FinishOptions,
): Promise<number> {
  let removed = 0
  for await (const ids of missing.batches(batchRecords)) {
    if (signal?.aborted) break
    const deletions = ids.map(id => ({ op: 'delete' as const, id }))
    const outcomes = await (kind === 'location' ? writer.writeLocations(deletions) : writer.writeReviews(deletions))
    removed += outcomes.filter(outcome => outcome === 'removed').length
    progress?.(removed, missing.count)
  }
  return removed
}
