import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, Gone, Manifest } from '../domain/feed.ts'
import type { StorePosition } from '../domain/stores.ts'
import { writeDurably } from './durable.ts'
import { parseManifest } from './manifest.ts'
import { editionFolder, goneName, manifestName, snapshotIdPattern } from './snapshots.ts'

/** A completed snapshot of an edition, available or gone. */
export interface PastSnapshot {
  readonly manifest: Manifest
  readonly folder: string
  readonly gone: Gone | undefined
}

/** Names of internal files in the folder of a snapshot. */
export const digestsName = 'digests.zst'
export const resultName = 'result.zst'
const sourceName = 'source.json'

/** Returns all completed snapshots of an edition, the oldest first. */
export function readHistory(root: string, edition: Edition): PastSnapshot[] {
  const home = editionFolder(root, edition)
  const names = existsSync(home) ? readdirSync(home).filter(name => snapshotIdPattern.test(name)) : []
  return names
    .map(name => readSnapshot(join(home, name)))
    .filter(past => past !== undefined)
    .sort((a, b) => a.manifest.sequence - b.manifest.sequence)
}

function readSnapshot(folder: string): PastSnapshot | undefined {
  const file = join(folder, manifestName)
  const manifest = existsSync(file) ? parseManifest(readFileSync(file, 'utf8')) : undefined
  const end = join(folder, goneName)
  const gone = existsSync(end) ? (JSON.parse(readFileSync(end, 'utf8')) as Gone) : undefined
  return manifest && { manifest, folder, gone }
}

/** Inputs of a snapshot other than its records. If one of them differs between two snapshots, any line may differ. */
export interface Origin {
  readonly moment: StorePosition
  readonly publicUrl: string
  /** Release of Periplus whose presenters wrote the lines. */
  readonly release: string
}

export const writeOrigin = (folder: string, origin: Origin): void =>
  writeDurably(join(folder, sourceName), JSON.stringify(origin))

export function readOrigin({ folder }: PastSnapshot): Origin | undefined {
  const file = join(folder, sourceName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Origin) : undefined
}

/**
 * Returns the file with the digests of all records in the result of a snapshot; undefined if the snapshot is neither
 * the newest one nor an available full snapshot.
 */
export function findResult({ manifest, folder }: PastSnapshot): string | undefined {
  const file = join(folder, manifest.kind === 'full' ? digestsName : resultName)
  return existsSync(file) ? file : undefined
}

/** Deletes the remains of a killed build: drafts, and folders without a manifest. */
export function deleteIncomplete(root: string, edition: Edition): void {
  const home = editionFolder(root, edition)
  if (!existsSync(home)) return
  for (const name of readdirSync(home)) {
    const folder = join(home, name)
    const isSnapshot = snapshotIdPattern.test(name)
    if (!isSnapshot || (!existsSync(join(folder, manifestName)) && !existsSync(join(folder, goneName))))
      rmSync(folder, { recursive: true, force: true })
  }
  deleteObsolete(readHistory(root, edition))
}

/** Deletes files that are no longer needed: results of all but the newest snapshot, and contents of gone snapshots. */
export function deleteObsolete(history: readonly PastSnapshot[]): void {
  const newest = history.at(-1)
  for (const past of history) {
    if (past !== newest) rmSync(join(past.folder, resultName), { force: true })
    if (past.gone) deleteContents(past, past === newest)
  }
}

/** Ends a snapshot: requests for it return 410, and its parts are deleted. The inputs of the next delta remain. */
export function endSnapshot(past: PastSnapshot, gone: Gone, { isNewest }: { readonly isNewest: boolean }): void {
  writeDurably(join(past.folder, goneName), JSON.stringify(gone))
  deleteContents(past, isNewest)
}

function deleteContents({ manifest, folder }: PastSnapshot, isNewest: boolean): void {
  for (const { name } of manifest.files) rmSync(join(folder, name), { force: true })
  if (!isNewest || manifest.kind === 'delta') rmSync(join(folder, digestsName), { force: true })
}
