import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, FeedSnapshot, Gone } from '../domain/feed.ts'
import { parseManifest } from './manifest.ts'

/** The names of what lies in a snapshot's folder beside its parts. */
export const manifestName = 'manifest.json'
export const goneName = 'gone.json'

/** The folder of an edition: `feeds/locations/v1` below the data folder. */
export const editionFolder = (root: string, { feed, version }: Edition): string => join(root, feed, `v${version}`)

/** `2026-11-20.0-v1`. */
export const snapshotIdPattern = /^\d{4}-\d{2}-\d{2}\.\d+-v\d+$/

/**
 * The snapshots of all editions below a `feeds` folder, as they are on disk now: another process makes them. Manifests
 * never change, so each is read once. A folder without one is a build that goes on or was killed, and is passed over.
 */
export class Snapshots {
  readonly #root: string
  readonly #known = new Map<string, FeedSnapshot>()

  constructor(root: string) {
    this.#root = root
  }

  /** In the order in which they were made, those that are gone left out. */
  list(edition: Edition): FeedSnapshot[] {
    const folder = editionFolder(this.#root, edition)
    const names = existsSync(folder) ? readdirSync(folder).filter(name => snapshotIdPattern.test(name)) : []
    return names
      .map(name => this.#read(join(folder, name)))
      .filter(found => found !== undefined)
      .sort((a, b) => a.manifest.sequence - b.manifest.sequence)
  }

  /** One snapshot, or why it is there no longer; undefined where there never was one. */
  find(edition: Edition, id: string): FeedSnapshot | Gone | undefined {
    if (!snapshotIdPattern.test(id)) return undefined
    const folder = join(editionFolder(this.#root, edition), id)
    return this.#read(folder) ?? goneFrom(folder)
  }

  #read(folder: string): FeedSnapshot | undefined {
    if (existsSync(join(folder, goneName)) || !existsSync(join(folder, manifestName))) {
      this.#known.delete(folder)
      return undefined
    }
    const known = this.#known.get(folder)
    if (known) return known
    const bytes = readFileSync(join(folder, manifestName))
    const manifest = parseManifest(bytes.toString())
    if (!manifest) return undefined
    const snapshot = { manifest, bytes, folder }
    this.#known.set(folder, snapshot)
    return snapshot
  }
}

function goneFrom(folder: string): Gone | undefined {
  const file = join(folder, goneName)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Gone) : undefined
}
