import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { BlobStore } from '../domain/blob-store.ts'
import type { SharedIndex, SharedIndexes, SharedIndexFile } from '../domain/shared-indexes.ts'
import { digestFile, writeChecked } from '../kit/checked-file.ts'
import { indexFiles, readIndexRevision } from '../search/index/file.ts'
import { indexVersion } from '../search/index/stored-file.ts'

const folder = 'search/'
const prefix = `${folder}${indexVersion}/`

/** Uploads the files of an index. Returns undefined if the path has no usable index. */
export async function uploadIndex(blobs: BlobStore, path: string): Promise<SharedIndex | undefined> {
  const revision = readIndexRevision(path)
  if (revision === undefined) return undefined
  const files: SharedIndexFile[] = []
  for (const file of indexFiles(path)) {
    const digest = await digestFile(file)
    const key = `${prefix}${revision}-${digest.sha256}.part-${files.length + 1}`
    const stored = await blobs.head(key)
    if (stored?.bytes !== digest.bytes) await blobs.put(key, file)
    files.push({ name: basename(file), key, ...digest })
  }
  // An import may have replaced the index meanwhile.
  return readIndexRevision(path) === revision ? { revision, files } : undefined
}

/**
 * Adds an uploaded index to those of all nodes, and deletes the blobs of old ones of all formats. The caller holds the
 * lock.
 */
export async function publishIndex(indexes: SharedIndexes, blobs: BlobStore, index: SharedIndex): Promise<void> {
  const used = new Set((await indexes.add(indexVersion, index)).flatMap(({ files }) => files.map(({ key }) => key)))
  for await (const { key } of blobs.list(folder)) if (!used.has(key)) await blobs.delete(key)
}

/**
 * Downloads the files of an index that a node does not have, and checks every byte; the path has the index before or
 * this one. Returns false if the blobs do not have it.
 */
export async function fetchIndex(blobs: BlobStore, { files }: SharedIndex, path: string): Promise<boolean> {
  const names = new Set(files.map(({ name }) => name))
  for (const file of files) {
    const target = join(dirname(path), file.name)
    if (!isFileOf(path, file.name)) return false
    // The name of a part contains a checksum.
    if (file.name !== basename(path) && statSync(target, { throwIfNoEntry: false })?.size === file.bytes) continue
    const body = await blobs.get(file.key)
    if (!body || !(await writeChecked(target, body, file))) return false
  }
  for (const name of readdirSync(dirname(path)))
    if (isPartOf(path, name) && !names.has(name)) rmSync(join(dirname(path), name), { force: true })
  return existsSync(path)
}

const isPartOf = (path: string, name: string): boolean =>
  name.startsWith(`${basename(path)}.part-`) && /^[\w.-]+$/.test(name) && !name.endsWith('.new')

const isFileOf = (path: string, name: string): boolean => name === basename(path) || isPartOf(path, name)
