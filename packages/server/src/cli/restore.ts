import type { Command } from 'commander'
import { gigabytes } from '../compose/backup.ts'
import { restore } from '../compose/restore.ts'
import { inSentences, showingParts } from './backup.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus restore DIR` */
export function addRestoreCommand(program: Command): void {
  withCommonFlags(program.command('restore'))
    .description('make a data folder from a backup, every byte checked')
    .argument('<dir>', 'folder of the backup')
    .option('--force', 'move aside what is in the data folder')
    .action((dir: string, flags: CommonFlags & { force?: boolean }) =>
      inSentences(async () => {
        const { config } = configOf(flags)
        const done = await showingParts(shown => restore(dir, config, { force: flags.force === true }, shown))
        const { movedAside, ...json } = done
        print(flags.json, { ...json, ...(movedAside !== undefined && { moved_aside: movedAside }) }, () =>
          [
            `${gigabytes(done.bytes)} in ${done.files} files: ${done.data} is as it was when the backup was made.`,
            ...(movedAside === undefined ? [] : [`What was there before lies in ${movedAside}.`]),
            'Hide and erase again what was hidden and erased since then.',
          ].join('\n'),
        )
      }),
    )
}
