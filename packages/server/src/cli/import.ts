import { type Command, Option } from 'commander'
import { composeImport } from '../compose/import.ts'
import type { Config } from '../config/load.ts'
import type { RecordKind } from '../domain/stores.ts'
import { emptyReport, type Report } from '../ingest/report.ts'
import { Locked } from '../store/sqlite/lock.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed, WrongUse } from './outcome.ts'
import { print, textPairs, textTable } from './print.ts'
import { type Imported, indexWhatChanged, runImport } from './run-import.ts'

interface Flags extends CommonFlags {
  readonly kind?: 'locations' | 'reviews'
  readonly format?: string
  readonly source?: string
  readonly rejects?: string
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly index?: boolean
}

const kinds: Readonly<Record<string, RecordKind>> = { locations: 'location', reviews: 'review' }

/** `periplus import FILE…` */
export function addImportCommand(program: Command): void {
  withCommonFlags(program.command('import'))
    .description('load locations or reviews; running it again changes nothing')
    .argument('<file...>', 'NDJSON files, gzipped or not; - is standard input')
    .addOption(
      new Option('--kind <kind>', 'what the records are; guessed when left out').choices(['locations', 'reviews']),
    )
    .addOption(new Option('--format <format>', 'what the files are').choices(['ndjson']))
    .option('--source <name>', 'source of records that name none')
    .option('--rejects <file>', 'where rejected rows go (default: in the data folder)')
    .option('--dry-run', 'say what would happen, and change nothing')
    .option('--no-index', 'leave the search index to the service')
    .option('--force', 'go on even when more than 10 % are rejected')
    .action(async (files: string[], flags: Flags) => {
      const { config } = configOf(flags)
      if (flags.rejects !== undefined && files.length > 1)
        throw new WrongUse('--rejects names one file: import the files one by one with it.')
      const imported = await importFiles(files, config, flags)
      const total = sum(imported.map(one => one.report))
      print(flags.json, { ...total, dry_run: flags.dryRun === true }, () =>
        humanReport(files, imported, total, flags.dryRun === true),
      )
      const stopped = imported.find(one => one.report.stopped !== undefined)
      if (stopped) throw new Failed(stopped.report.stopped!)
    })
}

async function importFiles(files: readonly string[], config: Config, flags: Flags): Promise<Imported[]> {
  const importing = open(config, flags)
  const options = {
    kind: flags.kind && kinds[flags.kind],
    force: flags.force === true,
    defaultSource: flags.source ?? 'import',
    defaultStatus: config.import.defaultStatus === 'none' ? undefined : config.import.defaultStatus,
  }
  const imported: Imported[] = []
  try {
    for (const file of files) {
      imported.push(await runImport(file, importing, options, flags.rejects))
      if (imported.at(-1)!.report.stopped !== undefined) break
    }
    if (flags.index !== false)
      await indexWhatChanged(
        importing,
        imported.map(one => one.report),
      )
  } finally {
    importing.close()
  }
  return imported
}

function open(config: Config, flags: Flags) {
  try {
    return composeImport(config, { dryRun: flags.dryRun === true })
  } catch (error) {
    throw error instanceof Locked ? new Failed(error.message) : error
  }
}

const counts = ['read', 'added', 'changed', 'unchanged', 'removed', 'rejected'] as const

function sum(reports: readonly Report[]): Report {
  const total = emptyReport()
  for (const report of reports) {
    for (const name of counts) total[name] += report[name]
    total.seconds += report.seconds
    for (const part of ['reasons', 'notes'] as const) {
      for (const [name, count] of Object.entries(report[part])) total[part][name] = (total[part][name] ?? 0) + count
    }
  }
  return total
}

function humanReport(files: readonly string[], imported: readonly Imported[], total: Report, dryRun: boolean): string {
  const rows = imported.map(({ kind, report }, i) => [files[i], `${kind}s`, ...counts.map(name => report[name])])
  const parts = [textTable(['file', 'kind', ...counts], rows)]
  const breakdown = (title: string, map: Readonly<Record<string, number>>) => {
    if (Object.keys(map).length > 0)
      parts.push(`${title}\n${textPairs(Object.entries(map).map(([name, count]) => [`  ${name}`, count]))}`)
  }
  breakdown('Rejected by reason:', total.reasons)
  breakdown('Taken with a note:', total.notes)
  for (const { rejectsFile, firstRejections } of imported) {
    for (const { line, reason, detail } of firstRejections) parts.push(`line ${line}: ${reason}: ${detail}`)
    if (rejectsFile !== undefined) parts.push(`Rejected rows: ${rejectsFile}`)
  }
  parts.push(`${total.seconds.toFixed(1)} s, ${Math.round(total.read / Math.max(total.seconds, 0.001))} rows/s`)
  if (dryRun) parts.push('This was a dry run: nothing was changed.')
  return parts.join('\n')
}
