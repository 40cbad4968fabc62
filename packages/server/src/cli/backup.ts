import { basename } from 'node:path'
import type { Command } from 'commander'
import { composeBackups } from '../compose/backups.ts'
import { withEngine } from '../compose/engine.ts'
import type { JobRecorder } from '../compose/job-recorder.ts'
import { isAdminFault } from '../domain/admin-fault.ts'
import type { CopyProgress } from '../domain/stores.ts'
import { formatGigabytes } from '../kit/bytes.ts'
import { toJsonObject } from '../kit/to-json.ts'
import { backupResource } from '../resources/backup.ts'
import { backUp } from '../usecases/admin/back-up.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withCopyProgress } from './copy-progress.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { recordJob } from './recorded-job.ts'

/** `periplus backup DIR` */
export function addBackupCommand(program: Command): void {
  withActorFlag(withCommonFlags(program.command('backup')))
    .description('Makes a verified backup of the data folder. A service and imports may be running.')
    .argument('<dir>', 'folder to create for the backup; must not exist')
    .action(async (target: string, flags: CommonFlags & ActorFlag) => {
      const { config } = loadCommandConfig(flags)
      const startMs = performance.now()
      const backup = await recordJob(config, {
        kind: 'backup' as const,
        actor: cliActor(flags.actor),
        request: { folder: basename(target) },
        work: async job => {
          await job.begin()
          const outcome = await withEngine(config, { create: false }, engine =>
            withCopyProgress(onProgress =>
              backUp({ backups: composeBackups(engine) }, job.actor, { target, onProgress: recorded(job, onProgress) }),
            ),
          )
          return isAdminFault(outcome)
            ? outcome
            : backupResource(outcome, Math.round(performance.now() - startMs) / 1000)
        },
        describe: result => ({ result: toJsonObject(result) }),
      })
      print(flags.json, backup, () =>
        [
          `Backup complete: ${backup.folder} (${formatGigabytes(backup.bytes)}, ${backup.files} files, ${backup.seconds.toFixed(1)} s).`,
          ...backup.problems.map(
            problem => `The data folder has a problem, which the backup contains as well: ${problem}`,
          ),
        ].join('\n'),
      )
    })
}

/** Returns a progress function that also reports to the job, and that ends a cancelled copy by an exception. */
const recorded =
  (job: JobRecorder, show: CopyProgress): CopyProgress =>
  (part, done, total) => {
    job.signal.throwIfAborted()
    job.report({ phase: 'copy', part, unit: 'bytes', done, total })
    show(part, done, total)
  }
