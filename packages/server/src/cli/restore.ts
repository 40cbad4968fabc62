import type { Command } from 'commander'
import { composeBackups } from '../compose/backups.ts'
import { formatGigabytes } from '../kit/bytes.ts'
import { restoredResource } from '../resources/backup.ts'
import { restoreBackup } from '../usecases/admin/restore-backup.ts'
import { cliActor } from './actor.ts'
import { withCopyProgress } from './copy-progress.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus restore DIR` */
export function addRestoreCommand(program: Command): void {
  withCommonFlags(program.command('restore'))
    .description('Makes a data folder from a backup, and checks every byte.')
    .argument('<dir>', 'folder of the backup')
    .option('--force', 'moves what is in the data folder to another folder')
    .action(async (backup: string, flags: CommonFlags & { force?: boolean }) => {
      const backups = composeBackups(loadCommandConfig(flags).config)
      const force = flags.force === true
      const done = unwrapOrThrow(
        await withCopyProgress(onProgress => restoreBackup({ backups }, cliActor(), { backup, force, onProgress })),
      )
      const restored = restoredResource(done)
      print(flags.json, restored, () =>
        [
          `${formatGigabytes(restored.bytes)} in ${restored.files} files: ${restored.data} is as it was when the backup was made.`,
          ...(restored.moved_aside === undefined ? [] : [`The previous contents are in ${restored.moved_aside}.`]),
          'Hide and erase again what was hidden and erased since then.',
        ].join('\n'),
      )
    })
}
