import { linkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest, SnapshotKind } from '../domain/feed.ts'
import type { BuildContext } from './build-context.ts'
import { type ComparisonObserver, compare } from './compare.ts'
import { DigestReader } from './digest-reader.ts'
import { DigestWriter } from './digest-writer.ts'
import { Draft, type DraftContents } from './draft.ts'
import type { PlannedEdition } from './editions.ts'
import {
  deleteIncomplete,
  deleteObsolete,
  digestsName,
  findResult,
  type PastSnapshot,
  readHistory,
  readOrigin,
  resultName,
} from './history.ts'
import { publish } from './publish.ts'
import { createFeedRecords, type FeedRecords } from './records.ts'
import { editionFolder } from './snapshots.ts'
import { asNoSpace, checkSpace, estimateBytes } from './space.ts'

/** Receives the number of records read; `total` is undefined if only changed records are read. */
export type BuildProgress = (done: number, total: number | undefined) => void

const progressEvery = 1000

/**
 * Builds one edition and returns the manifests of its new snapshots in order: a delta; or a full snapshot, preceded by
 * the delta that leads to it unless nothing changed. Builds a full snapshot if there is no previous
 * result. The caller holds the build lock.
 */
export async function buildEdition(
  context: BuildContext,
  edition: PlannedEdition,
  kind: SnapshotKind,
  progress: BuildProgress = () => {},
): Promise<Manifest[]> {
  const { root, source, origin } = context
  const home = editionFolder(root, edition)
  mkdirSync(home, { recursive: true })
  deleteIncomplete(root, edition)
  const history = readHistory(root, edition)
  const newest = history.at(-1)
  const base = newest && findResult(newest)
  const withFull = kind === 'full' || !base
  const records = createFeedRecords(source, edition.feed, edition.presenters, origin.publicUrl)
  const changesSince = withFull || !newest ? undefined : await findChangesSince(newest, context, records)

  const total = changesSince === undefined ? await records.count() : undefined
  const needed = estimateBytes(total ?? newest!.manifest.records_of_result, history, withFull)
  checkSpace(home, needed, edition)

  const drafts = openDrafts(context, edition, { withFull, withDelta: base !== undefined })
  const before = base === undefined ? undefined : new DigestReader(base, { wordIds: edition.feed === 'enums' })
  try {
    const lines = changesSince === undefined ? records.all() : records.changedAfter!(changesSince)
    await compare(lines, {
      before,
      result: drafts.result,
      partial: changesSince !== undefined,
      observer: createDraftWriter(context, records, drafts, done => progress(done, total)),
    })
    return publishAll(context, edition, history, await completeDrafts(drafts))
  } catch (error) {
    await abandonDrafts(drafts)
    throw asNoSpace(error, home, needed, edition)
  } finally {
    before?.close()
  }
}

/**
 * Returns the change number after which records may differ from the newest snapshot; undefined if any record may
 * differ.
 */
async function findChangesSince(
  newest: PastSnapshot,
  { source, origin }: BuildContext,
  records: FeedRecords,
): Promise<number | undefined> {
  const then = readOrigin(newest)
  const isComparable = then && then.publicUrl === origin.publicUrl && then.release === origin.release
  if (!isComparable || !records.changedAfter) return undefined
  return (await source.follows(then.moment)) ? then.moment.seq : undefined
}

/** Snapshots that a build writes, and the digests of all records in the result. */
interface Drafts {
  readonly full: Draft | undefined
  readonly delta: Draft | undefined
  readonly result: DigestWriter
}

function openDrafts(
  { root, parts }: BuildContext,
  edition: PlannedEdition,
  { withFull, withDelta }: { readonly withFull: boolean; readonly withDelta: boolean },
): Drafts {
  const full = withFull ? new Draft(root, edition, 'full', parts) : undefined
  const delta = withDelta ? new Draft(root, edition, 'delta', parts) : undefined
  return { full, delta, result: full?.digests ?? new DigestWriter(join(delta!.folder, resultName)) }
}

async function abandonDrafts({ full, delta, result }: Drafts): Promise<void> {
  await full?.abandon()
  await delta?.abandon()
  if (!full) await result.abandon()
}

/** Creates the observer that writes the lines of a comparison to the drafts. */
function createDraftWriter(
  { atMs }: BuildContext,
  records: FeedRecords,
  { full, delta }: Drafts,
  progress: (done: number) => void,
): ComparisonObserver {
  let done = 0
  return {
    seen: (id, line) => {
      full?.upsert(id, line)
      if (++done % progressEvery === 0) progress(done)
    },
    changed: (id, line, sha256) => {
      delta?.upsert(id, line)
      delta?.digests.add(id, sha256)
    },
    removed: async id => {
      delta?.tombstone(id, await records.tombstone(id, atMs))
      delta?.digests.add(id, '-')
    },
    flush: () =>
      full?.needsDrain || delta?.needsDrain || delta?.digests.needsDrain ? drainDrafts({ full, delta }) : undefined,
  }
}

async function drainDrafts({ full, delta }: Pick<Drafts, 'full' | 'delta'>): Promise<void> {
  if (full?.needsDrain) await full.drain()
  if (delta?.needsDrain) await delta.drain()
  if (delta?.digests.needsDrain) await delta.digests.drain()
}

interface CompletedDraft {
  readonly draft: Draft
  readonly contents: DraftContents
}

/** Drafts whose contents are synced to disk, and the result of the build. */
interface CompletedDrafts {
  readonly full: CompletedDraft | undefined
  readonly delta: CompletedDraft | undefined
  readonly result: { readonly records: number; readonly checksum: string }
}

async function completeDrafts({ full, delta, result }: Drafts): Promise<CompletedDrafts> {
  const ownResult = full ? undefined : await result.close()
  const closed = {
    full: full && { draft: full, contents: await full.close() },
    delta: delta && { draft: delta, contents: await delta.close() },
  }
  return {
    ...closed,
    result: ownResult ?? { records: result.records, checksum: closed.full!.contents.checksum },
  }
}

/**
 * Publishes the delta and then the full snapshot with the same result. Drops an empty delta if there is a full
 * snapshot.
 */
async function publishAll(
  context: BuildContext,
  edition: PlannedEdition,
  history: readonly PastSnapshot[],
  { full, delta, result }: CompletedDrafts,
): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  let current = history
  for (const completed of [delta, full]) {
    if (!completed) continue
    if (completed === delta && full) {
      if (delta.draft.lines === 0) {
        await delta.draft.abandon()
        continue
      }
      // If the build is killed between the two snapshots, the next build continues from the delta.
      linkSync(join(full.draft.folder, digestsName), join(delta.draft.folder, resultName))
    }
    manifests.push(publish(context, edition, current, completed.draft, completed.contents, result))
    current = readHistory(context.root, edition)
    deleteObsolete(current)
  }
  return manifests
}
