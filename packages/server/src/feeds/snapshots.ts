import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition, FeedSnapshot, Gone } from '../domain/feed.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import { editionFolder, readGone, readSnapshotManifest, snapshotIdPattern } from './snapshot-files.ts'
import { goneName, manifestName } from './snapshot-names.ts'

/**
 * Reads the snapshots of all editions in a `feeds` folder from disk at each call, because another process builds them.
 * Manifests are immutable, so each is read once. Folders without a manifest belong to running or killed builds.
 */
export class Snapshots {
  readonly #root: string
  readonly #cache = new Map<string, FeedSnapshot>()
  /** Folders that `damaged` does not have to read again. */
  readonly #intact = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  /** Returns the available snapshots of an edition, the oldest first. */
  list(edition: Edition): FeedSnapshot[] {
    return this.#folders(edition)
      .map(folder => this.#read(folder, edition))
      .filter(found => found !== undefined && found !== 'damaged')
      .sort((a, b) => a.manifest.sequence - b.manifest.sequence)
  }

  /** Returns a snapshot, or the reason if it is not available; undefined if it never existed. */
  find(edition: Edition, id: string): FeedSnapshot | Gone | undefined {
    if (!snapshotIdPattern.test(id)) return undefined
    const folder = join(editionFolder(this.#root, edition), id)
    const found = this.#read(folder, edition)
    if (found !== 'damaged') return found ?? readGone(folder)
    return { reason: 'damaged', at: formatTimestamp(lstatSync(join(folder, manifestName)).mtimeMs) }
  }

  /** Returns the manifests of an edition that are damaged, until the next build ends their snapshots. */
  damaged(edition: Edition): string[] {
    const found: string[] = []
    for (const folder of this.#folders(edition)) {
      if (this.#intact.has(folder)) continue
      if (this.#read(folder, edition) === 'damaged') found.push(join(folder, manifestName))
      else if (this.#cache.has(folder) || existsSync(join(folder, goneName))) this.#intact.add(folder)
    }
    return found
  }

  #folders(edition: Edition): string[] {
    const home = editionFolder(this.#root, edition)
    const names = existsSync(home) ? readdirSync(home).filter(name => snapshotIdPattern.test(name)) : []
    return names.map(name => join(home, name))
  }

  #read(folder: string, edition: Edition): FeedSnapshot | 'damaged' | undefined {
    if (existsSync(join(folder, goneName)) || !existsSync(join(folder, manifestName))) {
      this.#cache.delete(folder)
      return undefined
    }
    const cached = this.#cache.get(folder)
    if (cached) return cached
    const stored = readSnapshotManifest(folder, edition)
    if (stored === undefined || stored === 'damaged') return stored
    const snapshot = { ...stored, folder }
    this.#cache.set(folder, snapshot)
    return snapshot
  }
}
