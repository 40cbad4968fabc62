import type { Command } from 'commander'
import { backUp, gigabytes, NotCopied } from '../compose/backup.ts'
import { BrokenBackup } from '../compose/backup-manifest.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import type { CopyProgress } from '../domain/stores.ts'
import { packageVersion } from './bundled.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed } from './outcome.ts'
import { print } from './print.ts'
import { type Progress, showProgress } from './progress.ts'

/** `periplus backup DIR` */
export function addBackupCommand(program: Command): void {
  withCommonFlags(program.command('backup'))
    .description('copy the data folder, of one moment and checked, beside a running service and imports')
    .argument('<dir>', 'folder that the backup becomes; it must not exist')
    .action((dir: string, flags: CommonFlags) =>
      inSentences(async () => {
        const { config } = configOf(flags)
        const startMs = performance.now()
        const done = await showingParts(shown => backUp(config, dir, packageVersion(), shown))
        const seconds = Math.round(performance.now() - startMs) / 1000
        print(flags.json, { ...done, seconds }, () =>
          [
            `${gigabytes(done.bytes)} in ${done.files} files, ${seconds.toFixed(1)} s. The backup is whole: ${done.folder}`,
            ...done.problems.map(problem => `As in the data folder itself: ${problem}`),
          ].join('\n'),
        )
      }),
    )
}

/** Runs a copy with a progress line for each of its parts. */
export async function showingParts<T>(work: (progress: CopyProgress) => Promise<T>): Promise<T> {
  let shown: { name: string; progress: Progress; startMs: number } | undefined
  try {
    return await work((name, doneBytes, totalBytes) => {
      if (shown?.name !== name) {
        shown?.progress.stop()
        shown = { name, progress: showProgress(name, totalBytes, 'MB'), startMs: performance.now() }
      }
      const seconds = (performance.now() - shown.startMs) / 1000
      shown.progress.update({ bytes: doneBytes, rows: Math.round(doneBytes / 1e6), seconds })
    })
  } finally {
    shown?.progress.stop()
  }
}

/** What is foreseen to go wrong with copies, as the sentence that it is. */
export async function inSentences(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof NotCopied || error instanceof BrokenBackup || error instanceof MissingDataFolder)
      throw new Failed(error.message)
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new Failed('The disk is full; what was copied is removed again. Make room and try again.')
    throw error
  }
}
