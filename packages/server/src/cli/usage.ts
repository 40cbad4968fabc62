import { type Command, InvalidArgumentError, Option } from 'commander'
import { withEngine } from '../compose/engine.ts'
import { composeUsage, type Usage } from '../compose/usage.ts'
import { composeUsageExport } from '../compose/usage-export.ts'
import { type UsageDimension, usageDimensions } from '../domain/usage-report.ts'
import { systemClock } from '../kit/clock.ts'
import { parseInstant } from '../kit/time.ts'
import {
  statementColumns,
  statementCsv,
  statementResource,
  usageReportColumns,
  usageReportCsv,
  usageReportResource,
} from '../resources/usage.ts'
import { exportUsage } from '../usecases/admin/export-usage.ts'
import { makeStatement } from '../usecases/admin/make-statement.ts'
import { reportUsage } from '../usecases/admin/report-usage.ts'
import { statementPage } from '../web/statement.ts'
import { cliActor } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { type Cell, print, textTable } from './print.ts'

interface UsageFlags extends CommonFlags {
  readonly key?: string
  readonly partner?: string
  readonly from?: number
  readonly to?: number
  readonly by: UsageDimension[]
  readonly csv?: boolean
  readonly tz?: string
}

interface StatementFlags extends CommonFlags {
  readonly partner: string
  readonly month: string
  readonly csv?: boolean
  readonly html?: boolean
  readonly tz?: string
}

/** `periplus usage`, `periplus usage statement` and `periplus usage export` */
export function addUsageCommand(program: Command): void {
  const usage = withCommonFlags(program.command('usage'))
    .description('Reports calls and units, up to the latest call.')
    .option('--key <id>', 'only calls of this key')
    .option('--partner <id>', 'only calls of this partner')
    .option('--from <time>', 'only calls at or after this date or time (default: all)', instant)
    .option('--to <time>', 'only calls before this date or time (default: now)', instant)
    .addOption(
      new Option('--by <columns>', `${usageDimensions.join(', ')}; separate several with commas`)
        .argParser(dimensionsOf)
        .default(['operation'], 'operation'),
    )
    .addOption(zoneOption('UTC'))
    .option('--csv', 'print comma-separated values')
    // Flags after `statement` belong to it, even those that both commands have.
    .enablePositionalOptions()
    .action((flags: UsageFlags) => withUsage(flags, opened => showUsage(opened, flags)))

  withCommonFlags(usage.command('statement'))
    .description('Reports the units to bill a partner for a month.')
    .requiredOption('--partner <id>', 'id of the partner')
    .requiredOption('--month <month>', 'month, such as 2026-11')
    .addOption(zoneOption('the zone of the partner'))
    .option('--csv', 'print comma-separated values')
    .addOption(new Option('--html', 'print a page for the browser and the printer').conflicts(['json', 'csv']))
    .action((own: Omit<StatementFlags, 'tz'>) => {
      const flags = { ...usage.opts<UsageFlags>(), ...own }
      return withUsage(flags, opened => showStatement(opened, flags))
    })

  addExportCommand(usage)
}

/** `periplus usage export` */
function addExportCommand(usage: Command): void {
  withCommonFlags(usage.command('export'))
    .description(
      'Sends billable units to the billing system of usage.export, as CloudEvents; a running service does so automatically.',
    )
    .option('--again <date>', 'send the usage since this date again, with the same ids', instant)
    .action(async (own: CommonFlags & { readonly again?: number }) => {
      const flags = { ...usage.opts<CommonFlags>(), ...own }
      const { config } = loadCommandConfig(flags)
      await withEngine(config, { create: false }, async engine => {
        const parts = composeUsageExport(engine, config.usage.export)
        const made = unwrapOrThrow(await exportUsage(parts, cliActor(), { againFromMs: own.again }))
        print(flags.json, made, () => `Sent ${made.sent} events with ${made.units} units.`)
      })
    })
}

async function showUsage(usage: Usage, flags: UsageFlags): Promise<void> {
  const { key, partner, from, to, by, tz } = flags
  const input = { keyId: key, partnerId: partner, fromMs: from, toMs: to, by, timeZone: tz }
  const report = usageReportResource(unwrapOrThrow(await reportUsage(usage, cliActor(), input)))
  if (flags.csv) process.stdout.write(usageReportCsv(report, by))
  else show(flags, report, usageReportColumns(by))
}

async function showStatement(usage: Usage, flags: StatementFlags): Promise<void> {
  const input = { partnerId: flags.partner, month: flags.month, timeZone: flags.tz }
  const made = unwrapOrThrow(await makeStatement(usage, cliActor(), input))
  const statement = statementResource(made)
  if (flags.html) process.stdout.write(statementPage(made).text)
  else if (flags.csv) process.stdout.write(statementCsv(statement))
  else show(flags, statement, statementColumns)
}

/** Totals and rows to print. */
interface Shown {
  readonly calls: number
  readonly units: number
  /** False for the statement of a month that has not ended, or whose calls are not all counted; `to` is its end. */
  readonly closed?: boolean
  readonly to?: string
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}

function show(flags: CommonFlags, shown: Shown, columns: readonly string[]): void {
  const cells = shown.rows.map(row => columns.map(name => row[name]))
  const hasEnded = Date.parse(shown.to ?? '') <= systemClock.nowMs()
  const reason = hasEnded
    ? "a node has not counted all its calls ('periplus cluster status')"
    : 'the month has not ended'
  const open = shown.closed === false ? ` so far; ${reason}` : ''
  print(flags.json, shown, () => `${textTable(columns, cells)}\n\n${shown.calls} calls, ${shown.units} units${open}`)
}

async function withUsage(flags: CommonFlags, work: (usage: Usage) => Promise<void>): Promise<void> {
  const { config } = loadCommandConfig(flags)
  await withEngine(config, { create: false }, engine => work(composeUsage(engine, config)))
}

const zoneOption = (fallback: string) =>
  new Option('--tz <zone>', `time zone of days and months, such as Europe/Madrid (default: ${fallback})`)

function instant(text: string): number {
  const ms = parseInstant(text)
  if (ms === undefined)
    throw new InvalidArgumentError('Must be a date or date-time such as 2026-01-31 or 2026-01-31T12:00:00Z.')
  return ms
}

function dimensionsOf(text: string): UsageDimension[] {
  return text.split(',').map(part => {
    const found = usageDimensions.find(one => one === part.trim())
    if (!found) throw new InvalidArgumentError(`Must be one or more of ${usageDimensions.join(', ')}.`)
    return found
  })
}
