import { join } from 'node:path'
import type { Command } from 'commander'
import { composeImport, type Importing } from '../compose/import.ts'
import type { Config } from '../config/load.ts'
import { LockHeld } from '../domain/store-errors.ts'
import type { RecordKind } from '../domain/stores.ts'
import { adviceOf } from '../ingest/report.ts'
import { beginSync, type Removal, type Sync } from '../ingest/sync.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import { checkImportFlags, type ImportFlags, kinds, withImportFlags } from './import-flags.ts'
import { dryRunJson, humanDryRun, humanReport, stopSentence, sumOf, syncStopSentence } from './import-report.ts'
import { configOf, withCommonFlags } from './options.ts'
import { Failed } from './outcome.ts'
import { print } from './print.ts'
import { showProgress } from './progress.ts'
import { type Imported, indexWhatChanged, opened, rejectsNames, runImport } from './run-import.ts'

/** What became of all files of a command. */
export interface Outcome {
  readonly imported: readonly Imported[]
  /** With --replace, unless an input stopped it. */
  readonly removals: readonly Removal[]
  /** Why the command failed, though it came to its end. */
  readonly failure?: string
}

/** `periplus import FILE…` */
export function addImportCommand(program: Command): void {
  withCommonFlags(withImportFlags(program.command('import')))
    .description('load locations or reviews; running it again changes nothing')
    .action(async (files: string[], flags: ImportFlags) => {
      checkImportFlags(files, flags)
      const { config } = configOf(flags)
      const dryRun = flags.dryRun === true
      const outcome = await importFiles(files, config, flags)
      const total = sumOf(outcome)
      const advice = adviceOf(total)
      const json = {
        ...total,
        dry_run: dryRun,
        ...(advice.length > 0 && { advice }),
        ...(flags.replace && { replaced: { source: flags.source, removals: outcome.removals } }),
        ...(dryRun && { files: dryRunJson(files, outcome) }),
      }
      print(flags.json, json, () =>
        [...(dryRun ? [humanDryRun(files, outcome)] : []), humanReport(files, outcome, total, advice, flags)].join(
          '\n',
        ),
      )
      const failure = outcome.failure ?? (flags.force ? undefined : nothingTaken(files, outcome))
      if (failure !== undefined) throw new Failed(failure)
    })
}

/** A file of which no row is good was not meant so, however short it is. What was erased is: it stays out. */
function nothingTaken(files: readonly string[], { imported }: Outcome): string | undefined {
  const at = imported.findIndex(
    ({ report }) => report.read > 0 && report.rejected - (report.reasons.erased ?? 0) === report.read,
  )
  if (at === -1) return undefined
  return `Nothing of ${files[at] === '-' ? 'standard input' : files[at]} was taken: every row was rejected. Look at the reasons above, and at what --dry-run says.`
}

async function importFiles(files: readonly string[], config: Config, flags: ImportFlags): Promise<Outcome> {
  // A service on the same machine goes first.
  lowerPriority()
  for (const file of files) opened(file)
  const importing = await open(config, flags)
  const sync = flags.replace ? beginSync(importing.writer, flags.source!) : undefined
  const options = {
    kind: flags.kind && kinds[flags.kind],
    format: flags.format,
    delimiter: flags.delimiter,
    fields: flags.map ?? [],
    force: flags.force === true,
    defaultSource: flags.source,
    defaultStatus: config.import.defaultStatus === 'none' ? undefined : config.import.defaultStatus,
    ...(sync && { sync }),
  }
  const imported: Imported[] = []
  try {
    const rejects = rejectsNames(files)
    for (const [i, file] of files.entries()) {
      imported.push(
        await runImport(file, importing, options, flags.rejects ?? join(importing.rejectsFolder, rejects[i]!)),
      )
      if (imported.at(-1)!.report.stopped !== undefined) break
    }
    const outcome = await removeWhatIsGone(imported, sync, flags)
    if (flags.index !== false) await indexWhatChanged(importing, [sumOf(outcome)])
    return outcome
  } finally {
    await sync?.close()
    await importing.close()
  }
}

/** The end of a full sync; an input that was not read to its end says nothing about what is gone. */
async function removeWhatIsGone(
  imported: readonly Imported[],
  sync: Sync | undefined,
  flags: ImportFlags,
): Promise<Outcome> {
  const stopped = imported.find(({ report }) => report.stopped !== undefined)?.report
  if (stopped) {
    const sentence = stopSentence(stopped)
    return { imported, removals: [], failure: sync ? `${sentence} Nothing was removed.` : sentence }
  }
  if (!sync) return { imported, removals: [] }
  const progress = showProgress('removing what is gone', undefined)
  const startMs = performance.now()
  const addedOf = (kind: RecordKind) =>
    imported.filter(one => one.kind === kind).reduce((sum, { report }) => sum + report.added, 0)
  const { removals, stopped: syncStop } = await sync.finish({
    force: flags.force === true,
    added: { location: addedOf('location'), review: addedOf('review') },
    progress: rows => progress.update({ bytes: 0, rows, seconds: (performance.now() - startMs) / 1000 }),
  })
  progress.stop()
  return { imported, removals, ...(syncStop && { failure: syncStopSentence(syncStop) }) }
}

async function open(config: Config, flags: ImportFlags): Promise<Importing> {
  try {
    return await composeImport(config, { dryRun: flags.dryRun === true })
  } catch (error) {
    throw error instanceof LockHeld ? new Failed(error.message) : error
  }
}
