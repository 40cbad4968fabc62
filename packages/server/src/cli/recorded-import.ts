import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { withEngine } from '../compose/engine.ts'
import { composeImports } from '../compose/importer.ts'
import type { JobRecorder } from '../compose/job-recorder.ts'
import { findLazyBlobs } from '../compose/lazy-blobs.ts'
import { shareRejects } from '../compose/shared-rejects.ts'
import type { Config } from '../config/load.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import { StoreError } from '../domain/store-errors.ts'
import type { ImportOutcome, ImportRequest } from '../usecases/admin/import-request.ts'
import { runImport } from '../usecases/admin/run-import.ts'
import { importProgress } from './import-progress.ts'
import { createImportRecord } from './import-record.ts'

/**
 * Runs an import, shows its progress and records it with its job. A dry run from a terminal is not recorded, because it
 * changes nothing.
 */
export async function runRecordedImport(
  config: Config,
  job: JobRecorder,
  request: ImportRequest,
): Promise<ImportOutcome | AdminFault> {
  const [showProgress, record] = [importProgress(), createImportRecord(job)]
  const outcome = await runImport(composeImports(config), job.actor, {
    ...request,
    job: job.id,
    onEvent: event => {
      // Until it has the lock, an import has changed nothing, and the data folder may not exist.
      if (!request.dryRun && event.phase !== 'queue') record.begin()
      showProgress(event)
      request.onEvent?.(event)
      record.onEvent(event)
    },
    onRejects: async file => {
      await record.settled()
      await copyRejects(config, job, file)
    },
  })
  await record.settled()
  return outcome
}

/** Copies rejected rows to where all nodes see them; those of a dry run from a terminal stay in the file alone. */
async function copyRejects(config: Config, { id, isStartedRemotely }: JobRecorder, file: string): Promise<void> {
  const blobs = findLazyBlobs(config)
  if (!blobs || id === undefined) return
  try {
    await withEngine(config, { create: false }, ({ jobs }) => shareRejects(blobs, jobs, id, resolve(file)))
    // Nobody at a terminal knows the name of this file.
    if (isStartedRemotely) rmSync(file)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    process.stderr.write(`The rejected rows could not be copied to the blobs: ${error.message}\n`)
  }
}
