import type { Command } from 'commander'
import type { MigrationResult, MoveListener, MoveStep } from '../compose/migration.ts'
import { migrateToDatabase } from '../compose/migration.ts'
import { UsageError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { type Progress, showProgress } from './progress.ts'

const stepTexts: Readonly<Record<MoveStep, string>> = {
  copy: 'Copying places and reviews.',
  follow: 'Comparing both sides, and following new changes.',
  lock: 'Imports and decisions wait until the end.',
  end_service: 'Waiting for the end of the service.',
  control: 'Copying ids, keys, people and the ledger, and comparing both sides.',
  complete: 'Storing that the data has moved.',
}

/** `periplus migrate` */
export function addMigrateCommand(program: Command): void {
  withCommonFlags(program.command('migrate'))
    .description(
      'Moves the data folder to a PostgreSQL database. A service may be running; it ends before the last step.',
    )
    .requiredOption('--to <url>', 'URL of an empty database: postgres://user@host/database')
    .action(async (flags: CommonFlags & { readonly to: string }) => {
      if (!/^postgres(ql)?:\/\/\S+$/.test(flags.to) || !URL.canParse(flags.to))
        throw new UsageError('Name an empty database with --to, such as postgres://periplus@db.internal/periplus.')
      const { data } = loadCommandConfig(flags).config
      const { listener, stop } = showMove()
      const result = await migrateToDatabase(data, flags.to, listener).finally(stop)
      print(flags.json, { ok: true, ...result }, () => resultText(result))
    })
}

const resultText = ({ data, to, tables }: MigrationResult): string =>
  [
    tables.length === 0
      ? `The data of ${data} has moved to ${to}.`
      : `The data of ${data} has moved to ${to}: ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables are equal on both sides.`,
    `Set the setting store to that URL, and start the service with the same folder: its journal, feeds and request log continue.`,
    `The old stores are kept in ${data} with names that end with .moved.bak. Erasures do not reach them: delete them soon.`,
  ].join('\n')

/** Shows steps and progress on standard error. */
function showMove(): { listener: MoveListener; stop: () => void } {
  let shown: { readonly table: string; readonly progress: Progress; readonly startMs: number } | undefined
  const stop = () => {
    shown?.progress.stop()
    shown = undefined
  }
  return {
    stop,
    listener: {
      onStep: step => {
        stop()
        process.stderr.write(`${stepTexts[step]}\n`)
      },
      onProgress: (table, done, total) => {
        if (shown?.table !== table) {
          stop()
          shown = { table, progress: showProgress(table, total), startMs: performance.now() }
        }
        const seconds = (performance.now() - shown.startMs) / 1000
        shown.progress.update({ bytes: done, rows: done, seconds })
      },
    },
  }
}
