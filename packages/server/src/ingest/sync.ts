import type { DataWriter, ExternalKey, RecordKind, SeenIds } from '../domain/stores.ts'

/** Over this share of a source's records a full sync removes nothing unless it is forced. */
const maxRemovedShare = 0.05

/** Records of one transaction. */
const batchRecords = 1000

/** What a full sync did to one kind of records of its source. */
export interface Removal {
  readonly kind: RecordKind
  /** Records of the source that were stored, what the inputs have just added not counted. */
  readonly stored: number
  /** Those of them that no input has. */
  readonly gone: number
  readonly removed: number
}

/**
 * A full sync: its inputs together are all that a source has. While they are imported it gathers what they have;
 * `finish` removes the rest. Killed in between, nothing or a part is removed, and the next run finds what is left.
 */
export interface Sync {
  /** Inputs hold records of this kind: only such kinds are looked at. */
  concerns(kind: RecordKind): void
  /** The source still has these records, whether their rows were good or not. */
  keep(kind: RecordKind, keys: readonly ExternalKey[]): Promise<void>
  /**
   * Removes what is gone; nothing at all where more than 5 % of a kind is, unless `force`. `added` are the records
   * that the inputs have brought anew.
   */
  finish(options: {
    readonly force: boolean
    readonly added: Readonly<Record<RecordKind, number>>
    readonly progress?: (removed: number, gone: number) => void
  }): Promise<{ readonly removals: readonly Removal[]; readonly refused?: string }>
  close(): void
}

/** Begins a full sync of `source`. */
export function beginSync(writer: DataWriter, source: string): Sync {
  const kept = new Map<RecordKind, SeenIds>()
  const keptOf = (kind: RecordKind): SeenIds => {
    const known = kept.get(kind) ?? writer.seenIds()
    kept.set(kind, known)
    return known
  }
  return {
    concerns: kind => {
      keptOf(kind)
    },
    keep: async (kind, keys) => {
      // A row that contradicts itself may mean either: the record of its id, or that of its source_id.
      const meant = keys.flatMap(({ id, sourceId, source: from }) => [
        ...(id === undefined ? [] : [{ source: from, id }]),
        ...(sourceId === undefined ? [] : [{ source: from, sourceId }]),
      ])
      const ids = await writer.findIds(kind, meant)
      keptOf(kind).add(ids.filter(id => id !== undefined))
    },
    finish: async ({ force, added, progress }) => {
      // Reviews first: removing a place would take them along uncounted.
      const kinds = (['review', 'location'] as const).filter(kind => kept.has(kind))
      const found = await Promise.all(
        kinds.map(async kind => ({ kind, missing: await writer.missing(kind, source, kept.get(kind)!) })),
      )
      try {
        const plans = found.map(({ kind, missing }) => ({
          kind,
          missing,
          stored: Math.max(missing.stored - added[kind], missing.count),
        }))
        const tooMany = plans.find(({ missing, stored }) => missing.count > stored * maxRemovedShare)
        if (tooMany && !force) {
          const removals = plans.map(({ kind, missing, stored }) => ({ kind, stored, gone: missing.count, removed: 0 }))
          return { removals, refused: refusal(source, tooMany.kind, tooMany.missing.count, tooMany.stored) }
        }
        const removals: Removal[] = []
        for (const { kind, missing, stored } of plans) {
          let removed = 0
          for (const ids of missing.batches(batchRecords)) {
            const deletions = ids.map(id => ({ op: 'delete' as const, id }))
            const write = kind === 'location' ? writer.writeLocations(deletions) : writer.writeReviews(deletions)
            removed += (await write).filter(outcome => outcome === 'removed').length
            progress?.(removed, missing.count)
          }
          removals.push({ kind, stored, gone: missing.count, removed })
        }
        return { removals }
      } finally {
        for (const { missing } of found) missing.close()
      }
    },
    close: () => {
      for (const ids of kept.values()) ids.close()
    },
  }
}

function refusal(source: string, kind: RecordKind, gone: number, stored: number): string {
  const share = ((100 * gone) / stored).toFixed(1)
  return `${gone} of ${stored} ${kind}s of the source ${source} are not in the input, ${share} %, more than 5 %: none was removed. Look at the input, or remove them with --force.`
}
