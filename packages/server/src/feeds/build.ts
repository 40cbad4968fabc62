import { linkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest, SnapshotKind } from '../domain/feed.ts'
import type { BuildContext } from './build-context.ts'
import { type Comparison, compare } from './compare.ts'
import { DigestReader } from './digest-reader.ts'
import { DigestWriter } from './digest-writer.ts'
import { Draft, type Drafted } from './draft.ts'
import type { PlannedEdition } from './editions.ts'
import {
  clearLeftovers,
  digestsName,
  dropOld,
  historyOf,
  originOf,
  type Past,
  resultName,
  resultOf,
} from './history.ts'
import { publish } from './publish.ts'
import { type FeedRecords, recordsOf } from './records.ts'
import { editionFolder } from './snapshots.ts'
import { asNoSpace, demandSpace, estimate } from './space.ts'

/** Told how many records were looked at; `total` is not known where only changes are. */
export type BuildProgress = (done: number, total: number | undefined) => void

const tellEvery = 1000

/**
 * Builds one edition: a delta, or a full and before it the delta that leads to it, unless nothing changed. Where
 * there is nothing to build a delta upon, a full. Gives the manifests of what was made, in their order. Whoever calls
 * it holds the build lock.
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
  clearLeftovers(root, edition)
  const history = historyOf(root, edition)
  const newest = history.at(-1)
  const base = newest && resultOf(newest)
  const withFull = kind === 'full' || !base
  const records = recordsOf(source, edition.feed, edition.presenters, origin.publicUrl)
  const changesSince = withFull || !newest ? undefined : await comparableSince(newest, context, records)

  const total = changesSince === undefined ? await records.count() : undefined
  const needed = estimate(total ?? newest!.manifest.records_of_result, history, withFull)
  const what = `The feed ${edition.feed} in version ${edition.version}`
  demandSpace(home, needed, what)

  const full = withFull ? new Draft(root, edition, 'full', context.parts) : undefined
  const delta = base ? new Draft(root, edition, 'delta', context.parts) : undefined
  const result = full?.digests ?? new DigestWriter(join(delta!.folder, resultName))
  const before = base === undefined ? undefined : new DigestReader(base, { words: edition.feed === 'enums' })
  try {
    const lines = changesSince === undefined ? records.all() : records.changedAfter!(changesSince)
    await compare(lines, before, result, {
      partial: changesSince !== undefined,
      told: writers(context, records, { full, delta }, done => progress(done, total)),
    })
    const made = await completed({ full, delta, result })
    return publishAll(context, edition, history, made)
  } catch (error) {
    await full?.abandon()
    await delta?.abandon()
    if (!full) await result.abandon()
    throw asNoSpace(error, home, needed, what)
  } finally {
    before?.close()
  }
}

/** From which change on records may differ from the newest snapshot; undefined where any of them may. */
async function comparableSince(
  newest: Past,
  { source, origin }: BuildContext,
  records: FeedRecords,
): Promise<number | undefined> {
  const then = originOf(newest)
  const same = then && then.publicUrl === origin.publicUrl && then.release === origin.release
  if (!same || !records.changedAfter) return undefined
  return (await source.follows(then.moment)) ? then.moment.seq : undefined
}

interface Drafts {
  readonly full: Draft | undefined
  readonly delta: Draft | undefined
}

function writers(
  { atMs }: BuildContext,
  records: FeedRecords,
  { full, delta }: Drafts,
  tell: (done: number) => void,
): Comparison {
  let done = 0
  return {
    seen: (id, line) => {
      full?.upsert(id, line)
      if (++done % tellEvery === 0) tell(done)
    },
    changed: (id, line, sha256) => {
      delta?.upsert(id, line)
      delta?.digests.add(id, sha256)
    },
    gone: async id => {
      delta?.tombstone(id, await records.tombstone(id, atMs))
      delta?.digests.add(id, '-')
    },
    settle: () => (full?.full || delta?.full || delta?.digests.full ? drained({ full, delta }) : undefined),
  }
}

async function drained({ full, delta }: Drafts): Promise<void> {
  if (full?.full) await full.drain()
  if (delta?.full) await delta.drain()
  if (delta?.digests.full) await delta.digests.drain()
}

/** Everything that was drafted, on disk, and the whole set that it results in. */
interface Completed {
  readonly full: { readonly draft: Draft; readonly drafted: Drafted } | undefined
  readonly delta: { readonly draft: Draft; readonly drafted: Drafted } | undefined
  readonly result: { readonly records: number; readonly checksum: string }
}

async function completed({ full, delta, result }: Drafts & { result: DigestWriter }): Promise<Completed> {
  const whole = full ? undefined : await result.close()
  const made = {
    full: full && { draft: full, drafted: await full.close() },
    delta: delta && { draft: delta, drafted: await delta.close() },
  }
  return { ...made, result: whole ?? { records: result.records, checksum: made.full!.drafted.checksum } }
}

/** The delta comes first: it leads to the full. */
async function publishAll(
  context: BuildContext,
  edition: PlannedEdition,
  history: readonly Past[],
  { full, delta, result }: Completed,
): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  let known = history
  for (const made of [delta, full]) {
    if (!made) continue
    if (made === delta && full) {
      if (delta.draft.lines === 0) {
        await delta.draft.abandon()
        continue
      }
      // Killed between the two, the next build goes on from the delta.
      linkSync(join(full.draft.folder, digestsName), join(delta.draft.folder, resultName))
    }
    manifests.push(publish(context, edition, known, made.draft, made.drafted, result))
    known = historyOf(context.root, edition)
    dropOld(known)
  }
  return manifests
}
