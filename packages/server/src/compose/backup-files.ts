import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { formatGigabytes } from '../kit/bytes.ts'

/** A backup or restore that cannot be done; the message is for the operator. */
export class CopyError extends Error {}

/** Throws when a backup would be in its own data folder: the next one would copy it, and erasures would miss it. */
export function requireOutside(data: string, target: string): void {
  if (!`${resolve(target)}${sep}`.startsWith(`${resolve(data)}${sep}`)) return
  throw new CopyError(
    `${target} is inside the data folder ${data}. Name a folder outside of it, preferably on another disk.`,
  )
}

/** Throws when the target of a backup is in use. */
export function requireUnused(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found && (!found.isDirectory() || readdirSync(target).length > 0))
    throw new CopyError(`${target} exists already, and a backup overwrites nothing. Name a folder that does not exist.`)
}

/** Removes what earlier backups to the same place have left when they were killed. */
export async function removeAbandoned(target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  for (const name of await readdir(dirname(target))) {
    const pid = name.startsWith(`${basename(target)}.`) && /\.(\d+)\.partial$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) await rm(join(dirname(target), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Throws when a folder has not enough free space for `bytes` and a reserve. */
export async function requireFreeSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = bytes * 1.05
  if (needed > bavail * bsize)
    throw new CopyError(
      `${folder} needs ${formatGigabytes(needed)}, and ${formatGigabytes(bavail * bsize)} are free. Make room, or name another folder.`,
    )
}

/** Forces files and their folders to disk. */
export function syncAll(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncPath(join(folder, path))
  syncPath(folder)
}

/** Forces one file or folder to disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
