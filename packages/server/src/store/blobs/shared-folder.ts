/** Steps on files that several machines may take at the same time. */
import { type BigIntStats, constants } from 'node:fs'
import { chmod, copyFile, type FileHandle, link, lstat, mkdir, open, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../../kit/replace-file.ts'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Returns undefined for errors with one of the codes. */
const ignore =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }

/** Returns the state of a file or folder; undefined if it is missing. */
export const statOf = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch(ignore('ENOENT', 'ENOTDIR'))

/** Opens a file for reading; undefined if it is missing, or something other than a file. */
export async function openIfExists(path: string): Promise<{ file: FileHandle; bytes: number } | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(
    ignore('ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'),
  )
  if (!file) return undefined
  const found = await file.stat()
  if (found.isFile()) return { file, bytes: found.size }
  await file.close()
  return undefined
}

/** Copies a file to a new one that only this user can read; it is on disk when this resolves. */
export async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await chmod(to, 0o600)
  const file = await open(to, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Number of attempts to give a name while deletions of other blobs remove its empty folder. */
const maxAttempts = 10

/**
 * Gives a draft its name, in a folder that is created if it is missing; the name is on disk when this resolves. With
 * `onlyIfAbsent`, an existing name is kept. Otherwise, the draft loses its own name.
 */
export async function giveName(draft: string, path: string, onlyIfAbsent: boolean): Promise<'stored' | 'exists'> {
  for (let attempt = 1; ; attempt++) {
    try {
      await createFolder(dirname(path))
      const result = onlyIfAbsent ? await linkIfAbsent(draft, path) : await rename(draft, path)
      syncFolder(dirname(path))
      return result ?? 'stored'
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === maxAttempts) throw error
    }
  }
}

async function linkIfAbsent(draft: string, path: string): Promise<'stored' | 'exists'> {
  try {
    await link(draft, path)
    return 'stored'
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    // A file server that receives a request again, because its reply was lost, finds the link that it has made.
    const [own, found] = [await statOf(draft), await statOf(path)]
    return own !== undefined && own.ino === found?.ino && own.dev === found.dev ? 'stored' : 'exists'
  }
}

/** Creates a folder and those above it, and syncs their names. */
async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) syncFolder(dirname(folder))
}

/** Removes a folder and those above it, as far as they are empty and below `root`. */
export async function removeEmpty(folder: string, root: string): Promise<void> {
  for (let path = folder; path !== root; path = dirname(path)) {
    const removed = await rmdir(path).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}

/** Returns true for an error of link(2) that the file system gives for every file. */
export const lacksLinks = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall === 'link' &&
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')
