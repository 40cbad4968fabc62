import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Edition, FeedName } from '../domain/feed.ts'
import type { FeedSource, StorePosition } from '../domain/feed-stores.ts'
import type { Id } from '../domain/id.ts'
import type { RecordKind } from '../domain/record-write.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import { DamagedDigests, DigestReader } from './digest-reader.ts'
import { endDamaged, endSnapshot, type PastSnapshot, readHistory } from './history.ts'
import { listEditions } from './list-editions.ts'
import { readJsonFile } from './snapshot-files.ts'
import { digestsName } from './snapshot-names.ts'
import type { FeedWorkspace } from './workspace.ts'

/** A snapshot that was withdrawn because it contained an erased record. */
export interface ErasedSnapshot extends Edition {
  readonly snapshotId: string
}

/** The kind of records in each feed; undefined for records that cannot be erased. */
const recordKinds: Readonly<Record<FeedName, RecordKind | undefined>> = {
  locations: 'location',
  geos: 'location',
  reviews: 'review',
  enums: undefined,
}

/** Returns the file that stores up to which StorePosition erasures were searched for in all snapshots. */
export const watermarkFile = (root: string): string => join(root, 'erasures.json')

/**
 * Withdraws every snapshot that contains a record erased since the last call. Pass `remember` only while holding
 * the build lock: otherwise a running build may still complete a snapshot of an earlier position.
 */
export async function withdrawErased(
  workspace: FeedWorkspace,
  source: FeedSource,
  nowMs: number,
  { remember }: { readonly remember: boolean },
): Promise<ErasedSnapshot[]> {
  const { root } = workspace
  const searchedSeq = await readWatermark(root, source)
  const erased = { location: [] as Id[], review: [] as Id[] }
  for await (const page of source.erasedAfter(searchedSeq)) for (const { kind, id } of page) erased[kind].push(id)
  const withdrawn: ErasedSnapshot[] = []
  for (const edition of listEditions(root)) {
    const kind = recordKinds[edition.feed]
    const ids = kind ? [...new Set(erased[kind])].sort((a, b) => (a < b ? -1 : 1)) : []
    if (ids.length === 0) continue
    const history = readHistory(root, edition)
    const gone = { reason: 'erased', at: formatTimestamp(nowMs) } as const
    for (const past of history.snapshots) {
      if (past.gone || !(await containsAny(past, ids, workspace))) continue
      endSnapshot(past, gone, { isNewest: past === history.snapshots.at(-1) })
      withdrawn.push({ ...edition, snapshotId: past.manifest.snapshot_id })
    }
    // A snapshot with a damaged manifest may contain any record.
    for (const manifest of endDamaged(root, edition, history, gone))
      withdrawn.push({ ...edition, snapshotId: basename(dirname(manifest)) })
  }
  if (remember && searchedSeq !== source.position.seq) {
    mkdirSync(root, { recursive: true })
    replaceFile(watermarkFile(root), JSON.stringify(source.position))
  }
  return withdrawn
}

/**
 * Returns the last searched change number; 0 if it is not known, or the store was replaced or restored to an earlier
 * state.
 */
async function readWatermark(root: string, source: FeedSource): Promise<number> {
  const position = readJsonFile<StorePosition>(watermarkFile(root))
  const isKnown = Number.isSafeInteger(position?.seq) && typeof position?.mark === 'string'
  return isKnown && (await source.follows(position as StorePosition)) ? position!.seq! : 0
}

/** Returns true if a snapshot contains a record, other than a tombstone, with one of the ascending `ids`. */
async function containsAny(
  { manifest, folder }: PastSnapshot,
  ids: readonly Id[],
  workspace: FeedWorkspace,
): Promise<boolean> {
  const candidates = ids.filter(id =>
    manifest.files.some(({ min_id, max_id }) => id >= BigInt(min_id) && id <= BigInt(max_id)),
  )
  if (candidates.length === 0) return false
  const file = join(folder, digestsName)
  // Without digests, or if they are damaged, assume that the snapshot contains such a record.
  if (!(await workspace.fetch(file))) return true
  const lines = new DigestReader(file, { wordIds: false, records: manifest.records })
  try {
    let next = 0
    while (next < candidates.length && (lines.ready || (await lines.more()))) {
      const [current, id] = [BigInt(lines.id), candidates[next]!]
      if (current < id) lines.advance()
      else if (current > id) next++
      else if (lines.hash !== '-') return true
      else next++
    }
    return false
  } catch (error) {
    if (error instanceof DamagedDigests) return true
    throw error
  } finally {
    lines.close()
  }
}
