import { composeImports } from '../compose/importer.ts'
import type { JobRecorder } from '../compose/job-recorder.ts'
import type { Config } from '../config/load.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
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
    onEvent: event => {
      if (!request.dryRun) record.begin()
      showProgress(event)
      record.onEvent(event)
    },
  })
  await record.settled()
  return outcome
}
