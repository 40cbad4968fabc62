import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, FeedSnapshot, Gone } from '../domain/feed.ts'
import { parseManifest } from './manifest.ts'

/** Names of files in the folder of a snapshot. */
export const manifestName = 'manifest.json'
export const goneName = 'gone.json'

/** Returns the folder of an edition: `feeds/locations/v1` below the data folder. */
export const editionFolder = (root: string, { feed, version }: Edition): string => join(root, feed, `v${version}`)

/** Matches snapshot ids such as `2026-11-20.0-v1`. */
export const snapshotIdPattern = /^\d{4}-\d{2}-\d{2}\.\d+-v\d+$/

/**
 * Reads the snapshots of all editions in a `feeds` folder from disk at each call, because another process builds them.
 * Manifests are immutable, so each is read once. Folders without a manifest belong to running or killed builds.
 */
export class Snapshots {
  readonly #root: string
  readonly #cache = new Map<string, FeedSnapshot>()

  constructor(root: string) {
    this.#root = root
  }

  /** Returns the available snapshots of an edition, the oldest first. */
  list(edition: Edition): FeedSnapshot[] {
    const folder = editionFolder(this.#root, edition)
    const names = existsSync(folder) ? readdirSync(folder).filter(name => snapshotIdPattern.test(name)) : []
    return names
      .map(name => this.#read(join(folder, name)))
      .filter(found => found !== undefined)
      .sort((a, b) => a.manifest.sequence - b.manifest.sequence)
  }

  /** Returns a snapshot, or the reason for its removal if it is gone; undefined if it never existed. */
  find(edition: Edition, id: string): FeedSnapshot | Gone | undefined {
    if (!snapshotIdPattern.test(id)) return undefined
    const folder = join(editionFolder(this.#root, edition), id)
    return this.#read(folder) ?? readGone(folder)
  }

  #read(folder: string): FeedSnapshot | undefined {
    if (existsSync(join(folder, goneName)) || !existsSync(join(folder, manifestName))) {
      this.#cache.delete(folder)
      return undefined
    }
    const cached = this.#cache.get(folder)
    if (cached) return cached
    const bytes = readFileSync(join(folder, manifestName))
    const manifest = parseManifest(bytes.toString())
    if (!manifest) return undefined
    const snapshot = { manifest, bytes, folder }
    this.#cache.set(folder, snapshot)
    return snapshot
  }
}

function readGone(folder: string): Gone | undefined {
  const file = join(folder, goneName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Gone) : undefined
}
