import { existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../config/load.ts'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import type { RestoreResult } from '../domain/backup.ts'
import { LockHeld } from '../domain/store-errors.ts'
import type { CopyProgress } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { getSchemaVersions } from '../store/engine.ts'
import { holdLock } from '../store/folder/lock.ts'
import { requireFreeSpace, syncAll, syncPath } from './backup-files.ts'
import { type BackupFile, computeFingerprint, InvalidBackup, readManifest } from './backup-manifest.ts'

/** Thrown for a data folder that a restore must not replace. */
export class RestoreRefused extends Error {
  readonly fault: AdminFault

  constructor(fault: AdminFault) {
    super(fault.fault)
    this.fault = fault
  }
}

/**
 * Restores a backup as the data folder. Files are copied to a temporary folder and verified before that folder is
 * renamed, so that the data folder is replaced completely or not at all. Throws RestoreRefused if the data folder is not
 * empty; with `force`, it is renamed instead.
 */
export async function restore(
  backup: string,
  config: Config,
  options: { readonly force: boolean },
  progress: CopyProgress,
): Promise<RestoreResult> {
  const target = resolve(config.data)
  const { files } = readManifest(backup, getSchemaVersions())
  const isUsed = existsSync(target) && readdirSync(target).length > 0
  if (isUsed && !options.force)
    throw new RestoreRefused(adminFault('data_folder_not_empty', ['data'], { folder: config.data }))
  if (isUsed) requireNotInUse(target, config.data)
  for (const file of files) requireBackupFile(backup, file)

  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const partial = `${target}.${process.pid}.partial`
  await mkdir(partial, { recursive: true, mode: 0o700 })
  try {
    await requireFreeSpace(dirname(target), bytes)
    let done = 0
    for (const file of files) {
      await copyChecked(backup, partial, file)
      done += file.bytes
      progress('restore', done, bytes)
    }
    syncAll(partial)
    const previousFolder = isUsed ? await renameUsed(target) : undefined
    await rename(partial, target)
    syncPath(dirname(target))
    return { data: config.data, files: files.length, bytes, ...(previousFolder !== undefined && { previousFolder }) }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/** Throws CopyError if a service or an import uses the folder. */
function requireNotInUse(target: string, named: string): void {
  try {
    for (const lock of ['lock.sqlite', 'import-lock.sqlite'])
      if (existsSync(join(target, lock))) holdLock(join(target, lock), '').release()
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    throw new RestoreRefused(adminFault('data_folder_in_use', ['data'], { folder: named }))
  }
}

/** Throws InvalidBackup unless the backup contains a file in its full size. */
function requireBackupFile(backup: string, { path, bytes }: BackupFile): void {
  const found = statSync(join(backup, path), { throwIfNoEntry: false })
  if (!found?.isFile()) throw new InvalidBackup(`${path} is missing from the backup. Use another backup.`)
  if (found.size !== bytes)
    throw new InvalidBackup(`${path} of the backup has ${found.size} bytes instead of ${bytes}. Use another backup.`)
}

/** Copies a file and verifies the copy. */
async function copyChecked(backup: string, partial: string, { path, sha256 }: BackupFile): Promise<void> {
  const to = join(partial, path)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(join(backup, path), to)
  if ((await computeFingerprint(to)).sha256 !== sha256)
    throw new InvalidBackup(
      `${path} of the backup is damaged: its checksum differs from the one in backup.json. Use another backup.`,
    )
}

/** Renames the existing data folder, and returns its new path. */
async function renameUsed(target: string): Promise<string> {
  const time = new Date(systemClock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')
  const renamed = join(dirname(target), `${basename(target)}.before-restore-${time}`)
  await rename(target, renamed)
  return renamed
}
