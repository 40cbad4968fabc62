import { createHash } from 'node:crypto'
import type { BlobStore } from '../../domain/blob-store.ts'
import type { FolderProblem } from '../../domain/data-folder.ts'
import { readNewest } from './catalogue.ts'
import { keyOfFile } from './feed-paths.ts'

/** Reads every blob of the newest catalogue, and returns a problem for each that is missing or damaged. */
export async function checkCatalogue(blobs: BlobStore): Promise<FolderProblem[]> {
  const { files } = await readNewest(blobs)
  const found: FolderProblem[] = []
  for (const [path, file] of files) {
    if (typeof file === 'string') continue
    const key = keyOfFile(path, file.sha256)
    const sha256 = await digestBlob(blobs, key)
    if (sha256 === file.sha256) continue
    const state = sha256 === undefined ? 'missing from the blobs' : 'damaged in the blobs'
    found.push({ file: key, problem: `The file is ${state}. Run 'periplus feeds build --full'.` })
  }
  return found
}

async function digestBlob(blobs: BlobStore, key: string): Promise<string | undefined> {
  const body = await blobs.get(key)
  if (!body) return undefined
  const hash = createHash('sha256')
  for await (const piece of body) hash.update(piece)
  return hash.digest('hex')
}
