import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import type { WorkStores } from '../management/work.ts'
import { getFeedVersions } from './admin.ts'
import { composeFeedWithdrawal } from './feed-withdrawal.ts'
import { storedSnapshots } from './feeds.ts'
import { importFields } from './import-fields.ts'
import { composeJobProcesses } from './job-processes.ts'
import { composeRejectsReader } from './rejects.ts'

/** Composes starting and observing jobs of the data folder of an open engine. */
export const composeWork = (engine: Engine, config: Config): WorkStores => ({
  jobs: engine.jobs,
  processes: composeJobProcesses(config, engine.jobs),
  scans: engine.scans,
  editions: storedSnapshots(config),
  withdrawal: composeFeedWithdrawal(engine, config),
  clock: systemClock,
  fields: importFields,
  readRejects: composeRejectsReader(config),
  feedVersions: getFeedVersions(config),
  backupDir: config.backup.dir,
  isDatabase: engine.descriptor.kind === 'postgres',
  maxUploadBytes: config.imports.uploadMb * 1_000_000,
})
