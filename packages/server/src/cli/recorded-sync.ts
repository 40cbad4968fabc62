import { withEngine } from '../compose/engine.ts'
import { composeImports } from '../compose/importer.ts'
import type { JobRecorder } from '../compose/job-recorder.ts'
import { createSyncSource, type SyncSettings } from '../compose/sync.ts'
import type { Config } from '../config/load.ts'
import { isDatabase } from '../config/sync-errors.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import { StoreError } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { toJsonObject } from '../kit/to-json.ts'
import { importResource } from '../resources/import.ts'
import { runSync, type SyncResult } from '../usecases/admin/run-sync.ts'
import { cliActor } from './actor.ts'
import { CommandError, UsageError } from './errors.ts'
import { faultError } from './fault-text.ts'
import { queueText } from './import-progress.ts'
import { describeOutcome } from './import-record.ts'
import { importText } from './import-text.ts'
import { print } from './print.ts'
import { recordJob } from './recorded-job.ts'
import { storeErrorText } from './store-error-text.ts'
import type { SyncFlags } from './sync-flags.ts'

/**
 * Runs a sync and prints its result. A run that changes something is recorded as an import. Returns the error of a
 * failed run.
 */
export async function runRecordedSync(
  config: Config,
  settings: SyncSettings,
  flags: SyncFlags,
  signal: AbortSignal,
): Promise<Error | undefined> {
  try {
    const { outcome, notes } = await recordJob(config, {
      kind: 'import',
      actor: cliActor(flags.actor),
      request: toJsonObject({
        files: [settings.name],
        source: settings.name,
        sync: true,
        replace: flags.full === true,
        force: flags.force === true,
        dry_run: false,
      }),
      work: job =>
        withEngine(config, { create: true }, engine => run(engine, job, { config, settings, flags, signal })),
      describe: ({ outcome: ended }: SyncResult) => describeOutcome(ended),
    })
    const report = importResource(outcome)
    print(flags.json, { sync: settings.name, ...report, ...(notes.length > 0 && { notes_of_source: notes }) }, () =>
      [importText(outcome, report), ...notes].join('\n'),
    )
    return outcome.failure && faultError(outcome.failure)
  } catch (error) {
    if (error instanceof CommandError || error instanceof UsageError) return error
    if (error instanceof StoreError) return new CommandError(storeErrorText(error))
    throw error
  }
}

interface RunParts {
  readonly config: Config
  readonly settings: SyncSettings
  readonly flags: SyncFlags
  readonly signal: AbortSignal
}

async function run(
  engine: Engine,
  job: JobRecorder,
  { config, settings, flags, signal }: RunParts,
): Promise<SyncResult | AdminFault> {
  const stopped = AbortSignal.any([signal, job.signal])
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const source = createSyncSource(config, settings, {
    secret: isDatabase(settings) ? undefined : process.env.PERIPLUS_KEY,
    say,
  })
  return runSync(
    { imports: composeImports(config, engine), syncs: engine.syncs, clock: systemClock },
    {
      name: settings.name,
      source,
      fields: Object.entries(settings.map).map(([field, from]) => ({ field, from })),
      full: flags.full === true,
      force: flags.force === true,
      updateIndex: flags.index !== false,
      wait: {
        maxMs: flags.wait === false ? 0 : (flags.wait ?? Number.POSITIVE_INFINITY),
        signal: stopped,
        onWait: holder => say(queueText(holder)),
      },
      signal: stopped,
      onChange: async read => {
        await job.begin()
        job.report({ phase: 'input', part: settings.name, unit: 'rows', done: read, rows: read })
      },
      describe: fault => faultError(fault).message,
    },
  )
}
