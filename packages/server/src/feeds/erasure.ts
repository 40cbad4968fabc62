import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, FeedName } from '../domain/feed.ts'
import type { Id } from '../domain/id.ts'
import type { FeedSource, RecordKind, StoreMoment } from '../domain/stores.ts'
import { timestamp } from '../versions/primitives/format.ts'
import { DigestReader } from './digest-reader.ts'
import { writeDurably } from './durable.ts'
import { editionsOnDisk } from './editions.ts'
import { digestsName, end, historyOf, type Past } from './history.ts'

/** A snapshot that was taken away because it held an erased record. */
export interface Withdrawn extends Edition {
  readonly snapshotId: string
}

const holding: Readonly<Record<FeedName, RecordKind | undefined>> = {
  locations: 'location',
  geos: 'location',
  reviews: 'review',
  enums: undefined,
}

/** Up to where erasures have been looked for in every snapshot: a StoreMoment. */
const watermarkIn = (root: string): string => join(root, 'erasures.json')

/**
 * Takes away every snapshot that holds a record erased since the last time. Only who holds the build lock may
 * `remember` how far this came: a build that goes on may be about to complete a snapshot of an earlier moment.
 */
export async function withdrawErased(
  root: string,
  source: FeedSource,
  nowMs: number,
  { remember }: { readonly remember: boolean },
): Promise<Withdrawn[]> {
  const seen = await seenSince(root, source)
  const erased = { location: [] as Id[], review: [] as Id[] }
  for await (const page of source.erasedAfter(seen)) for (const { kind, id } of page) erased[kind].push(id)
  const withdrawn: Withdrawn[] = []
  for (const edition of editionsOnDisk(root)) {
    const kind = holding[edition.feed]
    const ids = kind ? [...new Set(erased[kind])].sort((a, b) => (a < b ? -1 : 1)) : []
    const history = ids.length > 0 ? historyOf(root, edition) : []
    for (const past of history) {
      if (past.gone || !(await holdsAny(past, ids))) continue
      end(past, { reason: 'erased', at: timestamp(nowMs) }, { isNewest: past === history.at(-1) })
      withdrawn.push({ ...edition, snapshotId: past.manifest.snapshot_id })
    }
  }
  if (remember && seen !== source.moment.seq) writeDurably(watermarkIn(root), JSON.stringify(source.moment))
  return withdrawn
}

/** Where the store is another one, or was put back to an earlier state, all its erasures are looked at. */
async function seenSince(root: string, source: FeedSource): Promise<number> {
  const file = watermarkIn(root)
  if (!existsSync(file)) return 0
  const mark = JSON.parse(readFileSync(file, 'utf8')) as StoreMoment
  return (await source.follows(mark)) ? mark.seq : 0
}

/** Whether the files of a snapshot hold a line, other than a tombstone, of one of `ids`, which ascend. */
async function holdsAny({ manifest, folder }: Past, ids: readonly Id[]): Promise<boolean> {
  const inReach = ids.filter(id =>
    manifest.files.some(({ min_id, max_id }) => id >= BigInt(min_id) && id <= BigInt(max_id)),
  )
  if (inReach.length === 0) return false
  const file = join(folder, digestsName)
  // What cannot be looked into is taken for holding it.
  if (!existsSync(file)) return true
  const lines = new DigestReader(file, { words: false })
  try {
    let next = 0
    while (next < inReach.length && (lines.ready || (await lines.more()))) {
      const [at, id] = [BigInt(lines.id), inReach[next]!]
      if (at < id) lines.pass()
      else if (at > id) next++
      else if (lines.hash !== '-') return true
      else next++
    }
    return false
  } finally {
    lines.close()
  }
}
