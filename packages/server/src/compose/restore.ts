import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../config/load.ts'
import { folderStore } from '../config/schema-store.ts'
import { adminFault } from '../domain/admin-fault.ts'
import type { RestoreResult } from '../domain/backup.ts'
import type { ChangeRecord } from '../domain/change-record.ts'
import { LockHeld, StoreError, UnusableDataFolder } from '../domain/store-errors.ts'
import type { CopyProgress } from '../domain/stores.ts'
import { digestFile } from '../kit/checked-file.ts'
import { systemClock } from '../kit/clock.ts'
import { getSchemaVersions } from '../store/engine.ts'
import { locateLocks } from '../store/folder/layout.ts'
import { holdLock } from '../store/folder/lock.ts'
import { CopyError, requireFreeSpace, syncAll, syncPath } from './backup-files.ts'
import { type BackupFile, damagedBackup, readBackupManifest } from './backup-manifest.ts'
import { copyPrivately } from './copy-file.ts'
import { withEngine } from './engine.ts'

/**
 * Restores a backup as the data folder. Files are copied to a temporary folder and verified before that folder is
 * renamed, so that the data folder is replaced completely or not at all. Throws CopyError if the data folder is not
 * empty; with `force`, it is renamed instead.
 */
export async function restore(
  backup: string,
  config: Config,
  options: { readonly force: boolean; readonly record: ChangeRecord },
  progress: CopyProgress,
): Promise<RestoreResult> {
  if (config.store !== folderStore)
    throw new StoreError('A backup contains a data folder with its stores. Set store to folder to restore it.')
  const target = resolve(config.data)
  const { files } = readBackupManifest(backup, getSchemaVersions())
  const isUsed = existsSync(target) && readdirSync(target).length > 0
  if (isUsed && !options.force)
    throw new CopyError(adminFault('data_folder_not_empty', ['data'], { folder: config.data }))
  if (isUsed) requireNotInUse(target, config.data)
  for (const file of files) requireBackupFile(backup, file)

  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const partial = `${target}.${process.pid}.partial`
  await mkdir(partial, { recursive: true, mode: 0o700 })
  try {
    requireFreeSpace(dirname(target), bytes)
    let done = 0
    for (const file of files) {
      await copyChecked(backup, partial, file)
      done += file.bytes
      progress('restore', done, bytes)
    }
    await writeRecord(partial, config, options.record)
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

/**
 * Writes the record of the restoration to the restored folder and ends the sessions, links and open sign-ins in it,
 * unless that folder has the defects of its origin.
 */
async function writeRecord(folder: string, config: Config, record: ChangeRecord): Promise<void> {
  try {
    await withEngine({ ...config, data: folder }, { create: false }, async engine => {
      await engine.people.signOutEverybody()
      await engine.audit.append(record)
    })
  } catch (error) {
    if (!(error instanceof UnusableDataFolder)) throw error
  }
}

/** Throws CopyError if a service or an import uses the folder. */
function requireNotInUse(target: string, named: string): void {
  try {
    for (const lock of Object.values(locateLocks(target))) if (existsSync(lock)) holdLock(lock, '').release()
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    throw new CopyError(adminFault('data_folder_in_use', ['data'], { folder: named }))
  }
}

/** Throws CopyError unless the backup contains a file in its full size. */
function requireBackupFile(backup: string, { path, bytes }: BackupFile): void {
  const found = statSync(join(backup, path), { throwIfNoEntry: false })
  if (!found?.isFile()) throw new CopyError(damagedBackup(backup, path, { kind: 'missing' }))
  if (found.size !== bytes)
    throw new CopyError(damagedBackup(backup, path, { kind: 'size', bytes: found.size, expectedBytes: bytes }))
}

/** Copies a file and verifies the copy. */
async function copyChecked(backup: string, partial: string, { path, sha256 }: BackupFile): Promise<void> {
  const to = join(partial, path)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyPrivately(join(backup, path), to)
  if ((await digestFile(to)).sha256 !== sha256) throw new CopyError(damagedBackup(backup, path, { kind: 'checksum' }))
}

/** Renames the existing data folder, and returns its new path. */
async function renameUsed(target: string): Promise<string> {
  const time = new Date(systemClock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')
  const renamed = join(dirname(target), `${basename(target)}.before-restore-${time}`)
  await rename(target, renamed)
  return renamed
}
