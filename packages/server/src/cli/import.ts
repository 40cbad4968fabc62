import type { Command } from 'commander'
import type { JobRecorder } from '../compose/job-recorder.ts'
import { recreateFolderParts } from '../compose/recreation.ts'
import type { Config } from '../config/load.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import type { FolderPart } from '../domain/data-folder.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import { systemClock } from '../kit/clock.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import { importResource } from '../resources/import.ts'
import type { ImportOutcome } from '../usecases/admin/import-request.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { cancelledBySignals } from './cancelled-by-signals.ts'
import { UsageError } from './errors.ts'
import { faultError } from './fault-text.ts'
import { type ImportFlags, kinds, withImportFlags } from './import-flags.ts'
import { dryRunSamples } from './import-progress.ts'
import { describeOutcome, describeRequest } from './import-record.ts'
import { importText } from './import-text.ts'
import { loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { runRecordedImport } from './recorded-import.ts'
import { recordJob } from './recorded-job.ts'

/** `periplus import FILE…` */
export function addImportCommand(program: Command): void {
  withActorFlag(withCommonFlags(withImportFlags(program.command('import'))))
    .description('Imports locations or reviews. Importing the same files again changes nothing.')
    .action(async (files: string[], flags: ImportFlags & ActorFlag) => {
      const { config } = loadCommandConfig(flags)
      if (flags.recreate) recreateFirst(config, flags.recreate, flags)
      // A service on the same machine has priority.
      lowerPriority()
      const outcome = await recordJob(config, {
        kind: 'import' as const,
        actor: cliActor(flags.actor),
        request: describeRequest(files, flags),
        work: job => cancelledBySignals(signal => importFiles(config, job, { files, flags, signal })),
        describe: describeOutcome,
      })
      const report = importResource(outcome)
      print(flags.json, report, () => importText(outcome, report))
      if (outcome.failure) throw faultError(outcome.failure)
    })
}

/** Imports the files as the flags say. */
const importFiles = (
  config: Config,
  job: JobRecorder,
  {
    files,
    flags,
    signal,
  }: { readonly files: readonly string[]; readonly flags: ImportFlags; readonly signal: AbortSignal },
): Promise<ImportOutcome | AdminFault> =>
  runRecordedImport(config, job, {
    ...(flags.dryRun && !flags.json && { onEvent: dryRunSamples() }),
    files,
    kind: flags.kind && kinds[flags.kind],
    format: flags.format,
    delimiter: flags.delimiter,
    fields: flags.map,
    source: flags.source,
    categoryMapFile: flags.categoryMap,
    categories: flags.category,
    replace: flags.replace === true,
    force: flags.force === true,
    dryRun: flags.dryRun === true,
    updateIndex: flags.index !== false,
    waitMs: flags.wait === false ? 0 : (flags.wait ?? Number.POSITIVE_INFINITY),
    rejectsFile: flags.rejects,
    signal: AbortSignal.any([signal, job.signal]),
  })

/** Recreates parts of an existing data folder, before anything is imported. */
function recreateFirst(config: Config, parts: readonly FolderPart[], { dryRun }: ImportFlags): void {
  if (dryRun) throw new UsageError('--dry-run changes nothing, so it cannot be combined with --recreate.')
  try {
    for (const { message } of recreateFolderParts(config, parts, systemClock.nowMs()))
      process.stderr.write(`${message}\n`)
  } catch (error) {
    // The import creates the data folder if it is missing.
    if (!(error instanceof MissingDataFolder)) throw error
  }
}
