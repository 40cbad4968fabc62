import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, Gone, Manifest } from '../../src/domain/feed.ts'
import { signedManifest } from '../../src/feeds/manifest.ts'
import { loadPrivateKey } from '../../src/feeds/signing-key.ts'
import { editionFolder } from '../../src/feeds/snapshot-files.ts'
import { goneName, manifestName } from '../../src/feeds/snapshot-names.ts'

/** A snapshot with one file of arbitrary bytes. */
export interface HandMade extends Edition {
  readonly sequence: number
  readonly kind?: Manifest['kind']
  readonly appliesTo?: readonly string[]
  readonly bytes?: number
  readonly gone?: Gone['reason']
}

/** Returns the id of the snapshot with the given sequence number. */
export const idOf = ({ version, sequence }: Pick<HandMade, 'version' | 'sequence'>) =>
  `2026-11-20.${sequence}-v${version}`

/** Writes a signed snapshot to a `feeds` folder. Returns the stored bytes of its file and manifest. */
export function putSnapshot(feeds: string, made: HandMade): { file: Buffer; manifest: Buffer } {
  const { feed, version, sequence, kind = 'full', appliesTo, bytes = 1000, gone } = made
  const folder = join(editionFolder(feeds, made), idOf(made))
  mkdirSync(folder, { recursive: true })
  const file = randomBytes(bytes)
  const sha256 = createHash('sha256').update(file).digest('hex')
  const name = 'part-00000.ndjson.zst'
  writeFileSync(join(folder, name), file)
  const manifest = signedManifest(
    {
      feed,
      version,
      schema_url: `https://places.example/feeds/schemas/${feed}-${version}.schema.json`,
      snapshot_id: idOf(made),
      sequence,
      kind,
      ...(kind === 'delta' && appliesTo && { base_snapshot_id: idOf({ version, sequence: 1 }), applies_to: appliesTo }),
      created_at: '2026-11-20T12:00:00Z',
      records: 1,
      upserts: 1,
      tombstones: 0,
      files: [{ name, bytes, records: 1, sha256, min_id: 1n, max_id: 9223372036854775807n, encoding: 'zstd' }],
      records_of_result: 1,
      checksum_of_result: sha256,
    },
    loadPrivateKey(feeds, { create: true }),
  )
  if (gone) writeFileSync(join(folder, goneName), JSON.stringify({ reason: gone, at: '2026-11-21T00:00:00Z' }))
  else writeFileSync(join(folder, manifestName), manifest)
  return { file, manifest }
}
