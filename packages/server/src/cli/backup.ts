import type { Command } from 'commander'
import { composeBackups } from '../compose/backups.ts'
import { withEngine } from '../compose/engine.ts'
import { formatGigabytes } from '../kit/bytes.ts'
import { backupResource } from '../resources/backup.ts'
import { backUp } from '../usecases/admin/back-up.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withCopyProgress } from './copy-progress.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus backup DIR` */
export function addBackupCommand(program: Command): void {
  withActorFlag(withCommonFlags(program.command('backup')))
    .description('Makes a verified backup of the data folder. A service and imports may be running.')
    .argument('<dir>', 'folder to create for the backup; must not exist')
    .action(async (target: string, flags: CommonFlags & ActorFlag) => {
      const { config } = loadCommandConfig(flags)
      const startMs = performance.now()
      const result = unwrapOrThrow(
        await withEngine(config, { create: false }, engine =>
          withCopyProgress(onProgress =>
            backUp({ backups: composeBackups(engine) }, cliActor(flags.actor), { target, onProgress }),
          ),
        ),
      )
      const backup = backupResource(result, Math.round(performance.now() - startMs) / 1000)
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
