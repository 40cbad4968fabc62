import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import {
  type BlobBody,
  type BlobEntry,
  type BlobRange,
  type BlobStore,
  isBlobKey,
  requireBlobKey,
  requireBlobPrefix,
  requireBlobRange,
} from '../../domain/blob-store.ts'
import { findDiskFailure, StoreError, StoreFailure } from '../../domain/store-errors.ts'
import { createBody } from './body.ts'
import { copySynced, giveName, lacksLinks, openIfExists, removeEmpty, statOf } from './shared-folder.ts'

/** Folder of files that are being written; its name is no key. */
const draftsName = '.drafts'

/** Age in milliseconds of an unchanged draft after which its process must have been killed. */
const staleMs = 3_600_000

/** Opens blobs in a folder that exists: a missing folder may be storage that is not mounted. */
export async function openFolderBlobs(path: string): Promise<BlobStore> {
  const blobs = new FolderBlobs(resolve(path))
  await blobs.check()
  return blobs
}

/**
 * Blobs as files of a folder, which may be on storage that several machines share. A file is written under a draft name
 * and synced; link(2), which fails if the name exists, makes it visible.
 */
class FolderBlobs implements BlobStore {
  readonly name: string
  readonly #drafts: string

  constructor(root: string) {
    this.name = root
    this.#drafts = join(root, draftsName)
  }

  /** Deletes drafts of killed processes. Throws StoreError if the folder is missing, read-only, or without links. */
  check(): Promise<void> {
    return this.#guard(async () => {
      if (!(await statOf(join(this.name, '.')))?.isDirectory())
        throw new StoreError(`The folder of blobs ${this.name} does not exist. Create it, or mount its storage.`)
      await mkdir(this.#drafts, { recursive: true, mode: 0o700 })
      const [draft, probe] = [this.#newDraft(), this.#newDraft()]
      try {
        await (await open(draft, 'wx', 0o600)).close()
        await giveName(draft, probe, true)
        // The clock of shared storage may differ from the one of this machine.
        await this.#removeStale(Number((await statOf(draft))!.mtimeMs))
      } catch (error) {
        if (!lacksLinks(error)) throw error
        const problem = `The storage of ${this.name} has no hard links, so that two publishers could write one name.`
        throw new StoreError(`${problem} Use other storage for the blobs.`, { cause: error })
      } finally {
        await rm(draft, { force: true })
        await rm(probe, { force: true })
      }
    })
  }

  put(key: string, file: string, { onlyIfAbsent = false } = {}): Promise<'stored' | 'exists'> {
    const path = this.#pathOf(key)
    return this.#guard(async () => {
      if (onlyIfAbsent && (await statOf(path))) return 'exists'
      const draft = this.#newDraft()
      try {
        await copySynced(file, draft)
        return await giveName(draft, path, onlyIfAbsent)
      } finally {
        await rm(draft, { force: true })
      }
    })
  }

  get(key: string, range?: BlobRange): Promise<BlobBody | undefined> {
    const path = this.#pathOf(key)
    if (range) requireBlobRange(range)
    return this.#guard(async () => {
      const found = await openIfExists(path)
      if (!found) return undefined
      const { file, bytes } = found
      const start = range?.start ?? 0
      const end = Math.min(bytes, start + (range?.length ?? bytes))
      if (start < end)
        return createBody(file.createReadStream({ start, end: end - 1, highWaterMark: 1 << 18 }), e =>
          this.#toFailure(e),
        )
      await file.close()
      return Readable.from([])
    })
  }

  head(key: string): Promise<{ readonly bytes: number } | undefined> {
    const path = this.#pathOf(key)
    return this.#guard(async () => {
      const found = await statOf(path)
      return found?.isFile() ? { bytes: Number(found.size) } : undefined
    })
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    requireBlobPrefix(prefix)
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    for await (const key of this.#walk(folder, prefix)) {
      const found = await this.head(key)
      if (found) yield { key, ...found }
    }
  }

  delete(key: string): Promise<void> {
    const path = this.#pathOf(key)
    return this.#guard(async () => {
      if (!(await statOf(path))?.isFile()) return
      await rm(path, { force: true })
      await removeEmpty(dirname(path), this.name)
    })
  }

  async close(): Promise<void> {}

  /** Yields the keys below a folder that begin with `prefix`; `folder` is empty or ends with `/`. */
  async *#walk(folder: string, prefix: string): AsyncGenerator<string> {
    const path = join(this.name, folder)
    const exists = (await this.#guard(() => statOf(path)))?.isDirectory()
    // The folder may be removed at any time, because its last blob is deleted.
    const entries = exists ? await this.#guard(() => readdir(path, { withFileTypes: true })) : []
    for (const entry of entries) {
      const key = folder + entry.name
      if (!isBlobKey(key)) continue
      const found = entry.isDirectory() ? `${key}/` : key
      if (!found.startsWith(prefix) && !prefix.startsWith(found)) continue
      if (entry.isDirectory()) yield* this.#walk(found, prefix)
      else yield key
    }
  }

  async #removeStale(nowMs: number): Promise<void> {
    for (const name of await readdir(this.#drafts)) {
      const draft = join(this.#drafts, name)
      const found = await statOf(draft)
      if (found && nowMs - Number(found.mtimeMs) > staleMs) await rm(draft, { force: true })
    }
  }

  #pathOf(key: string): string {
    return join(this.name, requireBlobKey(key))
  }

  #newDraft(): string {
    return join(this.#drafts, randomUUID())
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#toFailure(error)
    }
  }

  #toFailure(error: unknown): unknown {
    const failure = error instanceof StoreError ? undefined : findDiskFailure(error)
    return failure ? new StoreFailure(failure.kind, failure.file ?? this.name, { cause: error }) : error
  }
}
