import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StoreError } from '../../domain/store-errors.ts'
import { replaceFile } from '../../kit/replace-file.ts'
import type { FeedCatalogue } from './catalogue.ts'
import { isSmall, listFeedPaths } from './feed-paths.ts'

/** Encrypts the files that only the nodes of one database may read. */
export interface FeedSecrets {
  seal(path: string, text: string): string
  /** Returns undefined if another database has sealed the text. */
  open(path: string, sealed: string): string | undefined
}

/** The key that signs manifests. */
export const isSecret = (path: string): boolean => path.endsWith('.pem')

const numberFile = (root: string): string => join(root, 'catalogue')

/** Returns the number of the catalogue that a folder was made from; 0 if it was made from none. */
export const readMirroredNumber = (root: string): number =>
  existsSync(numberFile(root)) ? Number(readFileSync(numberFile(root), 'utf8')) : 0

export const writeMirroredNumber = (root: string, number: number): void => replaceFile(numberFile(root), String(number))

/** Makes a folder one that was made from no catalogue. */
export const forgetMirroredNumber = (root: string): void => rmSync(numberFile(root), { force: true })

/** Returns true if a folder has snapshots. */
export const hasSnapshots = (root: string): boolean => listFeedPaths(root).some(path => path.endsWith('/manifest.json'))

/**
 * Makes a folder that of a catalogue: writes its small files, and deletes all others that nodes share. With
 * `placeholders`, each blob is an empty file or, if it has been fetched, the whole one; otherwise it has no file. The
 * caller excludes other writers. Throws StoreError if the folder has feeds of its own, or those of a later catalogue.
 */
export function mirrorCatalogue(
  root: string,
  { number, files }: FeedCatalogue,
  secrets: FeedSecrets,
  { placeholders }: { readonly placeholders: boolean },
): void {
  const mirrored = readMirroredNumber(root)
  const present = listFeedPaths(root)
  if (number < mirrored)
    throw new StoreError('The blobs have lost feeds that they had before. Restore the blobs from a backup.')
  // What a workspace has without a commit, a build has left there.
  if (!placeholders && mirrored === 0 && number > 0 && hasSnapshots(root))
    throw new StoreError(`${root} has feeds that the blobs do not have. Move this folder away, and start again.`)
  // A snapshot is visible while it has its manifest and does not have the record of its end.
  const last = (path: string) => Number(path.endsWith('/manifest.json'))
  for (const [path, file] of [...files].sort(([a], [b]) => last(a) - last(b))) {
    if (typeof file === 'string') writeSmall(join(root, path), openSecret(path, file, secrets))
    else if (placeholders) keepLarge(join(root, path), file.bytes)
  }
  const isKept = (path: string) => files.has(path) && (placeholders || isSmall(path))
  for (const path of present) if (!isKept(path)) rmSync(join(root, path), { force: true })
  for (const folder of new Set(present.map(path => dirname(path)))) removeIfEmpty(join(root, folder))
  if (number !== mirrored) writeMirroredNumber(root, number)
}

function openSecret(path: string, text: string, secrets: FeedSecrets): string {
  const opened = isSecret(path) ? secrets.open(path, text) : text
  if (opened !== undefined) return opened
  throw new StoreError('The feeds in the blobs belong to another database, or were written with another pepper.')
}

function writeSmall(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(dirname(file), { recursive: true })
  replaceFile(file, text)
}

/** Keeps a file that has been fetched, and puts an empty one in the place of any other. */
function keepLarge(file: string, bytes: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === bytes || size === 0) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '', { mode: 0o600 })
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
