import type { Command } from 'commander'
import { composeImports } from '../compose/importer.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import { importResource } from '../resources/import.ts'
import { runImport } from '../usecases/admin/run-import.ts'
import { cliActor } from './actor.ts'
import { faultError, unwrapOrThrow } from './fault-text.ts'
import { type ImportFlags, kinds, withImportFlags } from './import-flags.ts'
import { importProgress } from './import-progress.ts'
import { dryRunText, importText } from './import-text.ts'
import { loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus import FILE…` */
export function addImportCommand(program: Command): void {
  withCommonFlags(withImportFlags(program.command('import')))
    .description('Imports locations or reviews. Importing the same files again changes nothing.')
    .action(async (files: string[], flags: ImportFlags) => {
      const { config } = loadCommandConfig(flags)
      // A service on the same machine has priority.
      lowerPriority()
      const outcome = unwrapOrThrow(
        await cancelledBySignals(signal =>
          runImport(composeImports(config), cliActor(), {
            files,
            kind: flags.kind && kinds[flags.kind],
            format: flags.format,
            delimiter: flags.delimiter,
            fields: flags.map,
            source: flags.source,
            replace: flags.replace === true,
            force: flags.force === true,
            dryRun: flags.dryRun === true,
            updateIndex: flags.index !== false,
            rejectsFile: flags.rejects,
            signal,
            onEvent: importProgress(),
          }),
        ),
      )
      const report = importResource(outcome)
      print(flags.json, report, () =>
        [...(outcome.dryRun ? [dryRunText(outcome)] : []), importText(outcome, report)].join('\n'),
      )
      if (outcome.failure) throw faultError(outcome.failure)
    })
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Runs `work`. The first SIGINT or SIGTERM cancels it; the second one ends the process. */
async function cancelledBySignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const cancel = () => {
    for (const signal of signals) process.off(signal, cancel)
    process.stderr.write('Cancelling after the current batch; send the signal again to stop immediately.\n')
    controller.abort()
  }
  for (const signal of signals) process.on(signal, cancel)
  try {
    return await work(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, cancel)
  }
}
