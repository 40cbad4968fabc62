import { join } from 'node:path'
import type { Manifest } from '../domain/feed.ts'
import { toLocalDate } from '../kit/time.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import type { BuildContext } from './build-context.ts'
import type { Draft, DraftContents } from './draft.ts'
import { syncFolder, writeDurably } from './durable.ts'
import type { PlannedEdition } from './editions.ts'
import { type PastSnapshot, writeOrigin } from './history.ts'
import { signedManifest } from './manifest.ts'
import { schemaName } from './schemas.ts'
import { editionFolder, manifestName } from './snapshots.ts'

/**
 * Publishes a draft under a new id and sequence number. The manifest is written last: it makes the snapshot visible.
 */
export function publish(
  { root, origin, atMs, signingKey }: BuildContext,
  edition: PlannedEdition,
  history: readonly PastSnapshot[],
  draft: Draft,
  contents: DraftContents,
  result: { readonly records: number; readonly checksum: string },
): Manifest {
  const manifest: Manifest = {
    feed: edition.feed,
    version: edition.version,
    schema_url: `${origin.publicUrl}/feeds/schemas/${schemaName(edition)}`,
    snapshot_id: computeNextId(edition, history, atMs),
    sequence: (history.at(-1)?.manifest.sequence ?? 0) + 1,
    kind: draft.kind,
    ...(draft.kind === 'delta' && getPredecessors(history)),
    created_at: formatTimestamp(atMs),
    records: contents.upserts + contents.tombstones,
    upserts: contents.upserts,
    tombstones: contents.tombstones,
    files: contents.files,
    records_of_result: result.records,
    checksum_of_result: result.checksum,
    ...(edition.deprecation && { deprecation: edition.deprecation }),
  }
  const home = editionFolder(root, edition)
  const folder = join(home, manifest.snapshot_id)
  writeOrigin(draft.folder, origin)
  draft.moveTo(folder)
  syncFolder(home)
  writeDurably(join(folder, manifestName), signedManifest(manifest, signingKey))
  return manifest
}

/** Returns the members of a delta's manifest that describe the snapshots before it. */
function getPredecessors(
  history: readonly PastSnapshot[],
): Pick<Manifest, 'base_snapshot_id' | 'previous_delta' | 'applies_to'> {
  const last = (kind: Manifest['kind']) => history.findLast(past => past.manifest.kind === kind)?.manifest.snapshot_id
  const [base, previous] = [last('full'), last('delta')]
  const result = history.at(-1)?.manifest.checksum_of_result
  const lastOther = history.findLastIndex(past => past.manifest.checksum_of_result !== result)
  return {
    ...(base !== undefined && { base_snapshot_id: base }),
    ...(previous !== undefined && { previous_delta: previous }),
    applies_to: history.slice(lastOther + 1).map(past => past.manifest.snapshot_id),
  }
}

/** Returns the next snapshot id: the day in UTC and the next number of that day. */
function computeNextId({ version }: PlannedEdition, history: readonly PastSnapshot[], atMs: number): string {
  const day = toLocalDate(atMs, 'UTC')
  const numbers = history.flatMap(({ manifest }) => {
    const [, idDay, number] = /^(.{10})\.(\d+)-/.exec(manifest.snapshot_id) ?? []
    return idDay === day ? [Number(number)] : []
  })
  return `${day}.${Math.max(-1, ...numbers) + 1}-v${version}`
}
