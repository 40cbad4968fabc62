import { lstatSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Edition, Gone, Manifest } from '../domain/feed.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import { parseManifest } from './manifest.ts'
import { findManifestProblem } from './manifest-check.ts'
import { goneName, manifestName } from './snapshot-names.ts'

/** Returns the folder of an edition: `feeds/locations/v1` below the data folder. */
export const editionFolder = (root: string, { feed, version }: Edition): string => join(root, feed, `v${version}`)

/** Matches snapshot ids such as `2026-11-20.0-v1`. */
export const snapshotIdPattern = /^\d{4}-\d{2}-\d{2}\.\d+-v\d+$/

export interface StoredManifest {
  readonly manifest: Manifest
  /** The manifest, verbatim. */
  readonly bytes: Buffer
}

/**
 * Manifests by their paths: each build reads the whole history several times, and published manifests do not change.
 */
const manifests = new LRUCache<string, { readonly stamp: string; readonly stored: StoredManifest | 'damaged' }>({
  max: 4096,
})
/** Age of a file, in milliseconds, from which another write changes its times: file systems count them in steps. */
const settledMs = 100

/**
 * Reads the manifest of a snapshot; undefined if its folder has no manifest, because a build has not published it.
 * `damaged`: the manifest is torn, or belongs to another snapshot, or names files outside of the folder.
 */
export function readSnapshotManifest(folder: string, edition: Edition): StoredManifest | 'damaged' | undefined {
  // A link is not followed: a snapshot is never outside of the data folder.
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const file = join(folder, manifestName)
  const found = lstatSync(file, { throwIfNoEntry: false, bigint: true })
  if (!found) return undefined
  if (!found.isFile()) return 'damaged'
  const { ino, size, mtimeNs, ctimeNs, ctimeMs } = found
  const stamp = `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  const known = manifests.get(file)
  if (known?.stamp === stamp) return known.stored
  const stored = parseStored(readFileSync(file), basename(folder), edition)
  if (Math.abs(Date.now() - Number(ctimeMs)) > settledMs) manifests.set(file, { stamp, stored })
  return stored
}

function parseStored(bytes: Buffer, id: string, edition: Edition): StoredManifest | 'damaged' {
  const manifest = parseManifest(bytes.toString())
  return manifest?.snapshot_id === id && findManifestProblem(manifest, edition) === undefined
    ? { manifest, bytes }
    : 'damaged'
}

const reasons: readonly Gone['reason'][] = ['erased', 'expired', 'damaged', 'withdrawn']

/** Reads why a snapshot was ended; undefined if it was not. A damaged record still ends the snapshot. */
export function readGone(folder: string): Gone | undefined {
  const file = join(folder, goneName)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) return undefined
  const gone = readJsonFile<Gone>(file)
  const reason = reasons.find(known => known === gone?.reason) ?? 'damaged'
  return { reason, at: typeof gone?.at === 'string' ? gone.at : formatTimestamp(found.mtimeMs) }
}

/** Returns true if the path is a file, and not a folder or a link. */
export const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Reads a file with one JSON object; undefined if it is missing, torn, or has something else. */
export function readJsonFile<T extends object>(file: string): Partial<T> | undefined {
  if (!isFile(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
