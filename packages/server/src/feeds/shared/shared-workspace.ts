import { mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { BlobStore } from '../../domain/blob-store.ts'
import { StoreError } from '../../domain/store-errors.ts'
import { digestFile, type FileDigest, writeChecked } from '../../kit/checked-file.ts'
import type { FeedWorkspace } from '../workspace.ts'
import { emptyCatalogue, type FeedCatalogue, type FeedFiles, publishCatalogue, readNewest } from './catalogue.ts'
import { isSmall, keyOfFile, listFeedPaths } from './feed-paths.ts'
import { type FeedSecrets, forgetMirroredNumber, isSecret, mirrorCatalogue, writeMirroredNumber } from './mirror.ts'

/** The place in which nodes share feeds. */
export interface SharedFeeds {
  readonly blobs: BlobStore
  readonly secrets: FeedSecrets
  /** Lowest level of the releases that read the feeds (domain/releases.ts). */
  readonly oldest: number
}

/**
 * A workspace whose readers are on other nodes: its files are uploaded, and a catalogue makes them visible. Files of
 * earlier snapshots are empty until they are fetched. The caller holds the build lock of all nodes.
 */
export class SharedFeedWorkspace implements FeedWorkspace {
  readonly root: string
  readonly #shared: SharedFeeds
  #catalogue: FeedCatalogue

  constructor(root: string, shared: SharedFeeds, catalogue: FeedCatalogue) {
    this.root = root
    this.#shared = shared
    this.#catalogue = catalogue
  }

  async fetch(file: string): Promise<boolean> {
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size !== 0) return size !== undefined
    const path = relative(this.root, file).replaceAll('\\', '/')
    const known = this.#catalogue.files.get(path)
    const body = typeof known === 'object' && (await this.#shared.blobs.get(keyOfFile(path, known.sha256)))
    return body ? writeChecked(file, body, known as FileDigest) : false
  }

  async commit(): Promise<void> {
    const { number, files } = this.#catalogue
    const next = new Map<string, string | FileDigest>()
    for (const path of listFeedPaths(this.root).sort()) {
      const known = files.get(path)
      next.set(path, isSmall(path) ? this.#readSmall(path, known) : await this.#upload(path, known))
    }
    if (isSame(next, files)) return
    // Listed before the others are able to follow, so that no file of a later builder is deleted.
    const stored = await Array.fromAsync(this.#shared.blobs.list('feeds/'), ({ key }) => key)
    const catalogue = { number: number + 1, files: next }
    const { blobs, oldest } = this.#shared
    await publishCatalogue(blobs, catalogue, { scratch: this.root, oldest })
    this.#catalogue = catalogue
    writeMirroredNumber(this.root, catalogue.number)
    const used = new Set(listKeys(next))
    for (const key of stored)
      if (!used.has(key) && !key.startsWith('feeds/catalogue/')) await this.#shared.blobs.delete(key)
    // Builds never read parts.
    for (const path of next.keys()) if (path.includes('/part-')) truncateSync(join(this.root, path))
  }

  /** Returns true if the folder has the files of the catalogue, those without contents by their sizes. */
  isCommitted(): boolean {
    const { files } = this.#catalogue
    const paths = listFeedPaths(this.root)
    return (
      paths.length === files.size &&
      paths.every(path => {
        const known = files.get(path)
        if (typeof known === 'object') return [0, known.bytes].includes(statSync(join(this.root, path)).size)
        return known !== undefined && this.#readSmall(path, known) === known
      })
    )
  }

  /** Returns the contents of a small file; those of a secret are sealed differently each time. */
  #readSmall(path: string, known: string | FileDigest | undefined): string {
    const text = readFileSync(join(this.root, path), 'utf8')
    if (!isSecret(path)) return text
    const isKnown = typeof known === 'string' && this.#shared.secrets.open(path, known) === text
    return isKnown ? known : this.#shared.secrets.seal(path, text)
  }

  async #upload(path: string, known: string | FileDigest | undefined): Promise<FileDigest> {
    const file = join(this.root, path)
    const { size } = statSync(file)
    if (typeof known === 'object' && (size === 0 || size === known.bytes)) return known
    const digest = await digestFile(file)
    const key = keyOfFile(path, digest.sha256)
    // A killed build may have uploaded it.
    const stored = await this.#shared.blobs.head(key)
    if (stored?.bytes !== digest.bytes) await this.#shared.blobs.put(key, file)
    return digest
  }
}

/**
 * Opens the workspace in a folder, as of the newest catalogue. What a build has left in it without a commit is deleted.
 */
export async function openSharedWorkspace(root: string, shared: SharedFeeds): Promise<SharedFeedWorkspace> {
  const catalogue = await readNewest(shared.blobs)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  mirrorCatalogue(root, catalogue, shared.secrets, { placeholders: true })
  return new SharedFeedWorkspace(root, shared, catalogue)
}

/**
 * Uploads the feeds of a folder as the first catalogue, unless there is one. A catalogue with the same files is that of
 * a run that was interrupted. The caller holds the build lock.
 */
export async function adoptFolder(root: string, shared: SharedFeeds): Promise<void> {
  const newest = await readNewest(shared.blobs)
  const workspace = new SharedFeedWorkspace(root, shared, newest)
  if (newest === emptyCatalogue) await workspace.commit()
  else if (workspace.isCommitted()) writeMirroredNumber(root, newest.number)
}

/**
 * Makes a folder that of one process that shares no feeds: fetches all files of the newest catalogue, and checks every
 * byte. Returns their number. Throws StoreError if one is missing or damaged.
 */
export async function fetchFeeds(root: string, shared: SharedFeeds): Promise<number> {
  const workspace = await openSharedWorkspace(root, shared)
  const paths = listFeedPaths(root)
  for (const path of paths)
    if (!(await workspace.fetch(join(root, path))))
      throw new StoreError(
        `${shared.blobs.name} does not have the file ${path} of the feeds as it was uploaded. Restore the blobs.`,
      )
  forgetMirroredNumber(root)
  return paths.length
}

/** Returns the keys of the files of a catalogue in the blobs. */
const listKeys = (files: FeedFiles): string[] =>
  [...files].flatMap(([path, file]) => (typeof file === 'string' ? [] : [keyOfFile(path, file.sha256)]))

const isSame = (a: FeedFiles, b: FeedFiles): boolean =>
  a.size === b.size && JSON.stringify([...a].sort()) === JSON.stringify([...b].sort())
