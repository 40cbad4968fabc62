import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import { getFreeBytes } from '../kit/free-space.ts'

/** A backup or restore that is refused with a fault. */
export class CopyError extends Error {
  readonly fault: AdminFault

  constructor(fault: AdminFault) {
    super(fault.fault)
    this.fault = fault
  }
}

/**
 * Throws CopyError if `target` is in the data folder: the next backup would copy it, and erasures would miss it.
 */
export function requireOutside(data: string, target: string): void {
  if (!`${resolve(target)}${sep}`.startsWith(`${resolve(data)}${sep}`)) return
  throw new CopyError(adminFault('backup_target_in_data', ['target'], { target, data }))
}

/** Throws CopyError if the target of a backup is a file or a folder that is not empty. */
export function requireUnused(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found && (!found.isDirectory() || readdirSync(target).length > 0))
    throw new CopyError(adminFault('backup_target_used', ['target'], { target }))
}

/** Removes the partial backups that killed processes have left for the same target. */
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

/** Throws CopyError unless the disk of a folder has free space for `bytes` and a reserve of 5%. */
export function requireFreeSpace(folder: string, bytes: number): void {
  const neededBytes = Math.ceil(bytes * 1.05)
  const freeBytes = getFreeBytes(folder)
  if (neededBytes > freeBytes) throw new CopyError(adminFault('space_missing', [], { folder, neededBytes, freeBytes }))
}

/** Syncs a folder and everything below it to disk. */
export function syncAll(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncPath(join(folder, path))
  syncPath(folder)
}

/** Syncs one file or folder to disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
