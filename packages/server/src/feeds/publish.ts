import { join } from 'node:path'
import type { Manifest } from '../domain/feed.ts'
import { timestamp } from '../versions/primitives/format.ts'
import type { BuildContext } from './build-context.ts'
import type { Draft, Drafted } from './draft.ts'
import { syncFolder, writeDurably } from './durable.ts'
import type { PlannedEdition } from './editions.ts'
import { type Past, writeOrigin } from './history.ts'
import { signedManifest } from './manifest.ts'
import { schemaName } from './schemas.ts'
import { editionFolder, manifestName } from './snapshots.ts'

/** Gives a draft its id and number, and, as the very last thing, its manifest. */
export function publish(
  { root, origin, atMs, signingKey }: BuildContext,
  edition: PlannedEdition,
  history: readonly Past[],
  draft: Draft,
  drafted: Drafted,
  result: { readonly records: number; readonly checksum: string },
): Manifest {
  const manifest: Manifest = {
    feed: edition.feed,
    version: edition.version,
    schema_url: `${origin.publicUrl}/feeds/schemas/${schemaName(edition)}`,
    snapshot_id: nextId(edition, history, atMs),
    sequence: (history.at(-1)?.manifest.sequence ?? 0) + 1,
    kind: draft.kind,
    ...(draft.kind === 'delta' && followed(history)),
    created_at: timestamp(atMs),
    records: drafted.upserts + drafted.tombstones,
    upserts: drafted.upserts,
    tombstones: drafted.tombstones,
    files: drafted.files,
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

/** What a delta says of the snapshots that it follows. */
function followed(history: readonly Past[]): Pick<Manifest, 'base_snapshot_id' | 'previous_delta' | 'applies_to'> {
  const last = (kind: Manifest['kind']) => history.findLast(past => past.manifest.kind === kind)?.manifest.snapshot_id
  const [base, previous] = [last('full'), last('delta')]
  const result = history.at(-1)?.manifest.checksum_of_result
  const others = history.findLastIndex(past => past.manifest.checksum_of_result !== result)
  return {
    ...(base !== undefined && { base_snapshot_id: base }),
    ...(previous !== undefined && { previous_delta: previous }),
    applies_to: history.slice(others + 1).map(past => past.manifest.snapshot_id),
  }
}

/** The day (UTC), and the number on that day after the last one. */
function nextId({ version }: PlannedEdition, history: readonly Past[], atMs: number): string {
  const day = new Date(atMs).toISOString().slice(0, 10)
  const numbers = history.flatMap(({ manifest }) => {
    const [, on, number] = /^(.{10})\.(\d+)-/.exec(manifest.snapshot_id) ?? []
    return on === day ? [Number(number)] : []
  })
  return `${day}.${Math.max(-1, ...numbers) + 1}-v${version}`
}
