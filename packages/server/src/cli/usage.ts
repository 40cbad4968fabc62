import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Books, composeBooks } from '../compose/books.ts'
import { openEnd } from '../domain/ledger.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import { monthSpan } from '../kit/time.ts'
import { usageRows } from '../usage/query.ts'
import { type Dimension, dimensions, report } from '../usage/report.ts'
import { statement } from '../usage/statement.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed } from './outcome.ts'
import { print, textTable } from './print.ts'

interface UsageFlags extends CommonFlags {
  readonly key?: string
  readonly partner?: string
  readonly from?: number
  readonly to?: number
  readonly by: Dimension[]
  readonly csv?: boolean
  readonly tz: string
}

interface StatementFlags extends CommonFlags {
  readonly partner: string
  readonly month: string
  readonly csv?: boolean
}

/** `periplus usage` and `periplus usage statement` */
export function addUsageCommand(program: Command): void {
  const usage = withCommonFlags(program.command('usage'))
    .description('calls and units, what is journalled but not yet folded included')
    .option('--key <id>', 'of one key')
    .option('--partner <id>', 'of one partner')
    .option('--from <time>', 'from this date or moment on (default: the beginning)', moment)
    .option('--to <time>', 'before this date or moment (default: now)', moment)
    .addOption(
      new Option('--by <what>', `${dimensions.join(', ')}; several with commas`)
        .argParser(dimensionsOf)
        .default(['operation'], 'operation'),
    )
    .addOption(zoneOption().default('UTC'))
    .option('--csv', 'as comma-separated values')
    // What stands behind `statement` belongs to it, though both have flags of the same names.
    .enablePositionalOptions()
    .action((flags: UsageFlags) => withBooks(flags, books => showUsage(books, flags)))

  withCommonFlags(usage.command('statement'))
    .description('what to bill a partner for a month')
    .requiredOption('--partner <id>', 'which partner')
    .requiredOption('--month <month>', 'which month: 2026-11', month)
    .addOption(zoneOption())
    .option('--csv', 'as comma-separated values')
    .action((own: StatementFlags) => {
      const flags = { ...usage.opts<UsageFlags>(), ...own }
      return withBooks(flags, books => showStatement(books, flags))
    })
}

async function showUsage({ journalFolder, ledger }: Books, flags: UsageFlags): Promise<void> {
  const fromMs = flags.from ?? 0
  const nowMs = Date.now()
  const query = {
    fromMs,
    toMs: flags.to ?? openEnd,
    ...(flags.key !== undefined && { keyId: flags.key }),
    ...(flags.partner !== undefined && { partnerId: flags.partner }),
  }
  const { rows, calls, units, billableUnits } = report(
    await usageRows(journalFolder, ledger, query),
    flags.by,
    flags.tz,
  )
  const lines = rows.map(({ billableUnits: billable, ...row }) => ({ ...row, billable_units: billable }))
  const json = {
    from: new Date(fromMs).toISOString(),
    to: new Date(flags.to ?? nowMs).toISOString(),
    calls,
    units,
    billable_units: billableUnits,
    rows: lines,
  }
  const columns = [...flags.by, 'calls', 'units', 'billable_units']
  show(flags, json, columns, lines)
}

async function showStatement(
  { journalFolder, ledger }: Books,
  flags: StatementFlags & { readonly tz: string },
): Promise<void> {
  const asked = { partnerId: flags.partner, month: flags.month, timeZone: flags.tz }
  const span = monthSpan(flags.month, flags.tz)
  const toMs = Math.min(span.toMs, Date.now())
  const rows = await usageRows(journalFolder, ledger, {
    fromMs: span.fromMs,
    toMs: span.toMs > Date.now() ? openEnd : span.toMs,
    partnerId: flags.partner,
  })
  const made = statement(rows, asked, toMs)
  const lines = made.lines.map(({ key, operation, calls, units }) => ({ key, operation, calls, units }))
  const json = {
    partner: made.partnerId,
    month: made.month,
    tz: made.timeZone,
    from: new Date(made.fromMs).toISOString(),
    to: new Date(made.toMs).toISOString(),
    closed: made.closed,
    calls: made.calls,
    units: made.units,
    rows: lines,
  }
  show(flags, json, ['key', 'operation', 'calls', 'units'], lines)
}

type Line = Readonly<Record<string, string | number | undefined>>

function show(
  flags: { json?: boolean; csv?: boolean },
  json: { readonly calls: number; readonly units: number; readonly closed?: boolean },
  columns: readonly string[],
  lines: readonly Line[],
): void {
  if (flags.csv)
    process.stdout.write(
      `${[columns, ...lines.map(line => columns.map(name => line[name]))].map(csvLine).join('\n')}\n`,
    )
  else
    print(flags.json, json, () => {
      const table = textTable(
        columns,
        lines.map(line => columns.map(name => line[name])),
      )
      const open = json.closed === false ? ' so far: the month is not over' : ''
      return `${table}\n\n${json.calls} calls, ${json.units} units${open}`
    })
}

/** RFC 4180. */
const csvLine = (cells: readonly (string | number | undefined)[]): string =>
  cells
    .map(cell => (/[",\n\r]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? '')))
    .join(',')

async function withBooks(flags: CommonFlags, work: (books: Books) => Promise<void>): Promise<void> {
  const { config } = configOf(flags)
  const books = opened(() => composeBooks(config))
  try {
    await work(books)
  } finally {
    books.close()
  }
}

function opened(open: () => Books): Books {
  try {
    return open()
  } catch (error) {
    throw error instanceof MissingDataFolder ? new Failed(error.message) : error
  }
}

const zoneOption = () => new Option('--tz <zone>', 'whose days and months: Europe/Madrid').argParser(zone)

function zone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw new InvalidArgumentError('It must be a time zone such as Europe/Madrid or UTC.')
  }
}

function moment(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('It must be a date or date-time such as 2026-01-31 or 2026-01-31T12:00:00Z.')
  return ms
}

function month(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month such as 2026-11.')
  return text
}

function dimensionsOf(text: string): Dimension[] {
  return text.split(',').map(part => {
    const found = dimensions.find(one => one === part.trim())
    if (!found) throw new InvalidArgumentError(`It must be one or more of ${dimensions.join(', ')}.`)
    return found
  })
}
