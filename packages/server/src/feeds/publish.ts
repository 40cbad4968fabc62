import { join } from 'node:path'
import type { Manifest } from '../domain/feed.ts'
import { replaceFile, syncFolder } from '../kit/replace-file.ts'
import { toLocalDate } from '../kit/time.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import type { BuildContext } from './build-context.ts'
import type { Draft, DraftContents } from './draft.ts'
import type { PlannedEdition } from './editions.ts'
import { type EditionHistory, writeLastPublished, writeOrigin } from './history.ts'
import { signedManifest } from './manifest.ts'
import { schemaName } from './schemas.ts'
import { editionFolder } from './snapshot-files.ts'
import { manifestName } from './snapshot-names.ts'

/**
 * Publishes a draft under a new id and sequence number. The manifest is written last: it makes the snapshot visible.
 */
export function publish(
  { workspace: { root }, origin, atMs, signingKey }: BuildContext,
  edition: PlannedEdition,
  history: EditionHistory,
  draft: Draft,
  contents: DraftContents,
  result: { readonly records: number; readonly checksum: string },
): Manifest {
  const manifest: Manifest = {
    feed: edition.feed,
    version: edition.version,
    schema_url: `${origin.publicUrl}/feeds/schemas/${schemaName(edition)}`,
    snapshot_id: computeNextId(edition, history, atMs),
    sequence: history.lastSequence + 1,
    kind: draft.kind,
    ...(draft.kind === 'delta' && getPredecessors(history)),
    created_at: formatTimestamp(atMs),
    records: contents.upserts + contents.tombstones,
    upserts: contents.upserts,
    tombstones: contents.tombstones,
    files: contents.files,
    ...(contents.parquetFiles && { parquet_files: contents.parquetFiles }),
    records_of_result: result.records,
    checksum_of_result: result.checksum,
    ...(edition.deprecation && { deprecation: edition.deprecation }),
  }
  const home = editionFolder(root, edition)
  const folder = join(home, manifest.snapshot_id)
  writeOrigin(draft.folder, origin)
  draft.moveTo(folder)
  syncFolder(home)
  replaceFile(join(folder, manifestName), signedManifest(manifest, signingKey))
  writeLastPublished(root, edition, manifest)
  return manifest
}

/** Returns the members of a delta's manifest that describe the snapshots before it. */
function getPredecessors({
  snapshots,
}: EditionHistory): Pick<Manifest, 'base_snapshot_id' | 'previous_delta' | 'applies_to'> {
  const last = (kind: Manifest['kind']) => snapshots.findLast(past => past.manifest.kind === kind)?.manifest.snapshot_id
  const [base, previous] = [last('full'), last('delta')]
  return {
    ...(base !== undefined && { base_snapshot_id: base }),
    ...(previous !== undefined && { previous_delta: previous }),
    applies_to: listSameResult(snapshots.map(past => past.manifest)),
  }
}

/**
 * Returns the ids of the last snapshots that have the same result. A gap in their numbers ends them: the snapshot in
 * between is lost, and its result may differ.
 */
function listSameResult(manifests: readonly Manifest[]): string[] {
  const result = manifests.at(-1)?.checksum_of_result
  const lastOther = manifests.findLastIndex(
    (one, i) => one.checksum_of_result !== result || one.sequence + 1 < (manifests[i + 1]?.sequence ?? 0),
  )
  return manifests.slice(lastOther + 1).map(one => one.snapshot_id)
}

/** Returns the next snapshot id: the day in UTC and the next number of that day. */
function computeNextId({ version }: PlannedEdition, { ids, lastId }: EditionHistory, atMs: number): string {
  const day = toLocalDate(atMs, 'UTC')
  const numbers = [...ids, lastId ?? ''].flatMap(id => {
    const [, idDay, number] = /^(.{10})\.(\d+)-/.exec(id) ?? []
    return idDay === day ? [Number(number)] : []
  })
  return `${day}.${Math.max(-1, ...numbers) + 1}-v${version}`
}
