import type { Command } from 'commander'
import { composeRestore } from '../compose/backups.ts'
import { formatGigabytes } from '../kit/bytes.ts'
import { systemClock } from '../kit/clock.ts'
import { restoredResource } from '../resources/backup.ts'
import { restoreBackup } from '../usecases/admin/restore-backup.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withCopyProgress } from './copy-progress.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus restore DIR` */
export function addRestoreCommand(program: Command): void {
  withActorFlag(withCommonFlags(program.command('restore')))
    .description('Restores a data folder from a backup and verifies it.')
    .argument('<dir>', 'folder of the backup')
    .option('--force', 'if the data folder is not empty, rename it first')
    .action(async (backup: string, flags: CommonFlags & ActorFlag & { force?: boolean }) => {
      const backups = composeRestore(loadCommandConfig(flags).config)
      const force = flags.force === true
      const result = unwrapOrThrow(
        await withCopyProgress(onProgress =>
          restoreBackup({ backups, clock: systemClock }, cliActor(flags.actor), { backup, force, onProgress }),
        ),
      )
      const restored = restoredResource(result)
      print(flags.json, restored, () =>
        [
          `Restored ${restored.data} (${formatGigabytes(restored.bytes)}, ${restored.files} files).`,
          ...(restored.moved_aside === undefined ? [] : [`The previous contents are in ${restored.moved_aside}.`]),
          'Reviews hidden or erased after the backup was made are back. Repeat those commands now.',
        ].join('\n'),
      )
    })
}
