import { linkSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildContext } from './build-context.ts'
import type { ComparisonObserver } from './compare.ts'
import { DigestWriter } from './digest-writer.ts'
import { Draft, type DraftContents } from './draft.ts'
import type { PlannedEdition } from './editions.ts'
import type { FeedRecords } from './records.ts'
import { digestsName, resultName } from './snapshot-names.ts'

/** Snapshots that a build writes, and the digests of all records in the result. */
export interface Drafts {
  readonly full: Draft | undefined
  readonly delta: Draft | undefined
  readonly result: DigestWriter
}

export async function openDrafts(
  { workspace: { root }, parts, parquet, origin }: BuildContext,
  edition: PlannedEdition,
  { withFull, withDelta }: { readonly withFull: boolean; readonly withDelta: boolean },
): Promise<Drafts> {
  // Most services publish no Parquet, and do not load the library.
  const library = withFull && parquet.includes(edition.feed) ? await import('./parquet/table-writer.ts') : undefined
  const full = withFull ? new Draft(root, edition, 'full', parts) : undefined
  if (full && library) {
    const settings = { maxBytes: parts.maxBytes, createdBy: `periplus ${origin.release}` }
    full.table = new library.TableWriter(full.folder, edition, settings)
  }
  const delta = withDelta ? new Draft(root, edition, 'delta', parts) : undefined
  return { full, delta, result: full?.digests ?? new DigestWriter(join(delta!.folder, resultName)) }
}

export async function abandonDrafts({ full, delta, result }: Drafts): Promise<void> {
  await full?.abandon()
  await delta?.abandon()
  if (!full) await result.abandon()
}

/** Interval between calls of `progress`, in records. */
const progressEvery = 1000

/** Creates the observer that writes the lines of a comparison to the drafts. */
export function createDraftWriter(
  { atMs }: BuildContext,
  records: FeedRecords,
  { full, delta }: Drafts,
  progress: (done: number) => void,
): ComparisonObserver {
  let done = 0
  return {
    seen: (id, line, sha256) => {
      full?.upsert(id, line, sha256)
      if (++done % progressEvery === 0) progress(done)
    },
    changed: (id, line, sha256) => {
      delta?.upsert(id, line, sha256)
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

export interface CompletedDraft {
  readonly draft: Draft
  readonly contents: DraftContents
}

/** Drafts whose contents are synced to disk, in the order of their publication, and the result of the build. */
export interface CompletedDrafts {
  readonly drafts: readonly CompletedDraft[]
  readonly result: { readonly records: number; readonly checksum: string }
}

/** Completes the delta and the full snapshot with the same result. Drops an empty delta if there is a full snapshot. */
export async function completeDrafts({ full, delta, result }: Drafts): Promise<CompletedDrafts> {
  const ownResult = full ? undefined : await result.close()
  const fullContents = await full?.close()
  const deltaContents = await delta?.close()
  const isDropped = full !== undefined && delta?.lines === 0
  if (isDropped) await delta.abandon()
  // If the build is killed between the two snapshots, the next build continues from the delta.
  else if (full && delta) linkSync(join(full.folder, digestsName), join(delta.folder, resultName))
  return {
    drafts: [
      ...(delta && !isDropped ? [{ draft: delta, contents: deltaContents! }] : []),
      ...(full ? [{ draft: full, contents: fullContents! }] : []),
    ],
    result: ownResult ?? { records: result.records, checksum: fullContents!.checksum },
  }
}
