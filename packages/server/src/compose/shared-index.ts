import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { BlobStore } from '../domain/blob-store.ts'
import type { SharedIndex, SharedIndexes, SharedIndexFile } from '../domain/shared-indexes.ts'
import { digestFile, writeChecked } from '../kit/checked-file.ts'
import { indexFiles, readIndexRevision } from '../search/index/file.ts'
import { indexVersion } from '../search/index/stored-file.ts'

const folder = 'search/'
const folderOf = (format: number): string => `${folder}${format}/`

/**
 * Uploads the files of an index, except those that the newest shared one has. Returns undefined if the path has no
 * usable index.
 */
export async function uploadIndex(
  blobs: BlobStore,
  path: string,
  newest: SharedIndex | undefined,
): Promise<SharedIndex | undefined> {
  const revision = readIndexRevision(path)
  if (revision === undefined) return undefined
  const shared = new Map(newest?.files.map(file => [file.sha256, file]))
  const files: SharedIndexFile[] = []
  for (const file of indexFiles(path)) {
    const [digest, name] = [await digestFile(file), basename(file)]
    const found = shared.get(digest.sha256)
    const key = found?.key ?? `${folderOf(indexVersion)}${revision}-${digest.sha256}.part-${files.length + 1}`
    if (!found) await blobs.put(key, file)
    files.push({ name, key, ...digest })
  }
  // An import may have replaced the index meanwhile.
  return readIndexRevision(path) === revision ? { revision, files } : undefined
}

/**
 * Adds an uploaded index to those of all nodes, and deletes the blobs of old ones. The caller holds the lock of its
 * format.
 */
export async function publishIndex(indexes: SharedIndexes, blobs: BlobStore, index: SharedIndex): Promise<void> {
  const keys = await listUnused(await indexes.add(indexVersion, index), blobs)
  const isOwn = (key: string) => key.startsWith(folderOf(indexVersion))
  for (const key of keys.filter(isOwn)) await blobs.delete(key)
  const others = new Set(keys.filter(key => !isOwn(key)).map(key => Number(key.split('/')[1])))
  for (const format of others) await cleanFormat(indexes, blobs, format)
}

/** Deletes the blobs of old indexes of another format, unless one is being published. */
async function cleanFormat(indexes: SharedIndexes, blobs: BlobStore, format: number): Promise<void> {
  const lock = Number.isInteger(format) ? await indexes.lock(format) : undefined
  if (!lock) return
  try {
    for (const key of await listUnused(await indexes.all(), blobs, folderOf(format))) await blobs.delete(key)
  } finally {
    await lock.release()
  }
}

/** Lists the blobs that belong to no index. */
async function listUnused(indexes: readonly SharedIndex[], blobs: BlobStore, prefix = folder): Promise<string[]> {
  const used = new Set(indexes.flatMap(({ files }) => files.map(({ key }) => key)))
  const unused: string[] = []
  for await (const { key } of blobs.list(prefix)) if (!used.has(key)) unused.push(key)
  return unused
}

/**
 * Downloads the files of an index that a node does not have, and checks every byte; the path has the index before or
 * this one. Returns the key of a file that the blobs do not have as it was published.
 */
export async function fetchIndex(blobs: BlobStore, { files }: SharedIndex, path: string): Promise<string | undefined> {
  const foreign = files.find(({ name }) => !isFileOf(path, name))
  if (foreign) return foreign.key
  for (const file of listMissing(path, files)) {
    const body = await blobs.get(file.key)
    if (!body || !(await writeChecked(pathOf(path, file), body, file))) return file.key
  }
  const names = new Set(files.map(({ name }) => name))
  for (const name of readdirSync(dirname(path)))
    if (isPartOf(path, name) && !names.has(name)) rmSync(join(dirname(path), name), { force: true })
  return undefined
}

/** Returns the files of a new index that a node does not have. */
export const listMissing = (path: string, files: SharedIndex['files']): SharedIndex['files'] =>
  files.filter(
    file =>
      // The name of a part contains a checksum.
      file.name === basename(path) || statSync(pathOf(path, file), { throwIfNoEntry: false })?.size !== file.bytes,
  )

const pathOf = (path: string, { name }: SharedIndexFile): string => join(dirname(path), name)

/** Deletes a damaged index; first the file that completes it. */
export function removeIndex(path: string): void {
  for (const file of [path, ...indexFiles(path)]) rmSync(file, { force: true })
}

const isPartOf = (path: string, name: string): boolean =>
  name.startsWith(`${basename(path)}.part-`) && /^[\w.-]+$/.test(name) && !name.endsWith('.new')

const isFileOf = (path: string, name: string): boolean => name === basename(path) || isPartOf(path, name)
