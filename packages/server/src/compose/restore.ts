import { existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../config/load.ts'
import type { Restored } from '../domain/backup.ts'
import { LockHeld } from '../domain/store-errors.ts'
import type { CopyProgress } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { knownSchemas } from '../store/engine.ts'
import { holdLock } from '../store/folder/lock.ts'
import { makeRoom, NotCopied, syncAll, syncPath } from './backup.ts'
import { type BackupFile, BrokenBackup, fingerprint, readManifest } from './backup-manifest.ts'

/**
 * Puts a backup in place as the data folder. Every byte is checked while it is copied, under another name; the folder is
 * there whole or not at all. One that holds something is refused, or moved aside with `force`.
 */
export async function restore(
  backup: string,
  config: Config,
  options: { readonly force: boolean },
  progress: CopyProgress,
): Promise<Restored> {
  const target = resolve(config.data)
  const { files } = readManifest(backup, knownSchemas())
  const isUsed = existsSync(target) && readdirSync(target).length > 0
  if (isUsed && !options.force)
    throw new NotCopied(
      `${config.data} holds data already; name another folder with --data DIR, or move it aside with --force.`,
    )
  if (isUsed) refuseOpen(target, config.data)
  for (const file of files) refuseMissing(backup, file)

  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const partial = `${target}.${process.pid}.partial`
  await mkdir(partial, { recursive: true, mode: 0o700 })
  try {
    await makeRoom(dirname(target), bytes)
    let done = 0
    for (const file of files) {
      await copyChecked(backup, partial, file)
      done += file.bytes
      progress('restore', done, bytes)
    }
    syncAll(partial)
    const previousFolder = isUsed ? await moveAside(target) : undefined
    await rename(partial, target)
    syncPath(dirname(target))
    return { data: config.data, files: files.length, bytes, ...(previousFolder !== undefined && { previousFolder }) }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/** A folder that a service or an import works on is not moved from under it. */
function refuseOpen(target: string, named: string): void {
  try {
    for (const lock of ['lock.sqlite', 'import-lock.sqlite'])
      if (existsSync(join(target, lock))) holdLock(join(target, lock), '').release()
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    throw new NotCopied(
      `A service or an import works on ${named}; stop it first, or name another folder with --data DIR.`,
    )
  }
}

function refuseMissing(backup: string, { path, bytes }: BackupFile): void {
  const found = statSync(join(backup, path), { throwIfNoEntry: false })
  if (!found?.isFile()) throw new BrokenBackup(`The backup lacks ${path}. Use another backup.`)
  if (found.size !== bytes)
    throw new BrokenBackup(`${path} of the backup has ${found.size} bytes instead of ${bytes}. Use another backup.`)
}

/** The copy is what is checked, so that nothing can go wrong after the check. */
async function copyChecked(backup: string, partial: string, { path, sha256 }: BackupFile): Promise<void> {
  const to = join(partial, path)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(join(backup, path), to)
  if ((await fingerprint(to)).sha256 !== sha256)
    throw new BrokenBackup(
      `${path} of the backup is damaged: its checksum is not the one of backup.json. Use another backup.`,
    )
}

async function moveAside(target: string): Promise<string> {
  const moment = new Date(systemClock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')
  const aside = join(dirname(target), `${basename(target)}.before-restore-${moment}`)
  await rename(target, aside)
  return aside
}
