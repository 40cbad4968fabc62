import { readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { adminFault } from '../domain/admin-fault.ts'
import type { BackupResult } from '../domain/backup.ts'
import type { CopyProgress, Engine, EngineDescriptor } from '../domain/stores.ts'
import { digestFile } from '../kit/checked-file.ts'
import { systemClock } from '../kit/clock.ts'
import { getSchemaVersions, openEngine } from '../store/engine.ts'
import { openLayout } from '../store/folder/layout.ts'
import { checkLedger } from '../usage/check-ledger.ts'
import { journalIn } from '../usage/journal-reader.ts'
import { readLedgerCheckInput } from '../usage/read-ledger-check.ts'
import { copyAll, estimateBackupBytes, listOtherFiles } from './backup-copy.ts'
import {
  CopyError,
  removeAbandoned,
  requireFreeSpace,
  requireOutside,
  requireUnused,
  syncAll,
  syncPath,
} from './backup-files.ts'
import { type BackupFile, backupFormat, writeManifest } from './backup-manifest.ts'

/**
 * Copies a data folder into `target`, which must not exist or be empty, while a service and imports may run. The backup
 * is consistent: the stores are read as of a single point in time; the journal is copied afterwards, so that it
 * contains everything that the ledger has folded; feeds are listed before, so that they are not newer than the stores.
 * The backup is renamed to `target` after it is complete and verified.
 */
export async function writeBackup(
  engine: Engine,
  target: string,
  release: string,
  progress: CopyProgress,
): Promise<BackupResult> {
  const { folder } = engine.descriptor
  const layout = openLayout(folder)
  // Upgrades the stores of an older release, and creates missing files.
  await engine.prepare()
  requireUnused(target)
  requireOutside(folder, target)
  const partial = `${resolve(target)}.${process.pid}.partial`
  await removeAbandoned(resolve(target))
  const others = listOtherFiles(layout)
  const stores = await engine.openStoreCopy()
  try {
    requireFreeSpace(dirname(resolve(target)), estimateBackupBytes(layout, others, stores))
    await copyAll(layout, others, stores, partial, progress)
    await stores.close()
    const problems = await verifyCopy({ ...engine.descriptor, folder: partial }, progress)
    const files = await fingerprintFiles(partial, progress)
    syncAll(partial)
    writeManifest(partial, {
      format: backupFormat,
      periplus: release,
      created_at: new Date(systemClock.nowMs()).toISOString(),
      schemas: getSchemaVersions(),
      files,
    })
    await rename(partial, resolve(target))
    syncPath(dirname(resolve(target)))
    return { folder: target, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), problems }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  } finally {
    await stores.close()
  }
}

/**
 * Verifies a copy, on an engine of its own; throws CopyError if it is damaged. Returns the problems of the ledger: the
 * data folder has them too, so they do not prevent a backup.
 */
async function verifyCopy(copy: EngineDescriptor, progress: CopyProgress): Promise<string[]> {
  const engine = openEngine(copy, { create: false })
  try {
    const checks = engine.integrityChecks('copy')
    for (const [i, { problems }] of checks.entries()) {
      progress('checks', i, checks.length + 1)
      const [problem] = await problems()
      if (problem) throw new CopyError(adminFault('copy_damaged', [], { problem: problem.problem }))
    }
    const { journal } = openLayout(copy.folder)
    return checkLedger(await readLedgerCheckInput(journalIn(journal), engine.ledger)).map(({ problem }) => problem)
  } finally {
    await engine.close()
  }
}

/** Computes the size and SHA-256 of every file of a folder. */
async function fingerprintFiles(partial: string, progress: CopyProgress): Promise<BackupFile[]> {
  const paths = (readdirSync(partial, { recursive: true, encoding: 'utf8' }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => statSync(join(partial, path)).isFile())
    .sort()
  const total = paths.reduce((sum, path) => sum + statSync(join(partial, path)).size, 0)
  const files: BackupFile[] = []
  let done = 0
  for (const path of paths) {
    const file = { path, ...(await digestFile(join(partial, path))) }
    files.push(file)
    done += file.bytes
    progress('checksums', done, total)
  }
  return files
}
