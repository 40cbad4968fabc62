import type { UsageRow, UsageTotals } from '../domain/ledger.ts'
import type { UsageDimension, UsageReport, UsageReportLine } from '../domain/usage-report.ts'
import { toLocalDate } from '../kit/time.ts'

interface Line extends Record<keyof UsageTotals, number> {
  readonly columns: readonly (string | number)[]
}

/** Sums calls by dimensions. Days are days of the time zone. */
export class ReportSums {
  readonly #by: readonly UsageDimension[]
  readonly #dayAt: number
  readonly #timeZone: string
  readonly #lines = new Map<string, Line>()
  /** Start and date of the latest day that was added: its lines follow each other. */
  #latest = { timeMs: Number.NaN, date: '' }
  readonly #total = { calls: 0, units: 0, billableUnits: 0 }

  constructor(by: readonly UsageDimension[], timeZone: string) {
    this.#by = by
    this.#dayAt = by.indexOf('day')
    this.#timeZone = timeZone
  }

  /** Adds the calls of a roll-up row, which must not cross midnight. */
  addRow(row: UsageRow): void {
    const columns = this.#by.filter(name => name !== 'day').map(name => rowColumns[name](row))
    const { fromMs, calls, units, billable } = row
    this.add(fromMs, columns, { calls, units, billableUnits: billable ? units : 0 })
  }

  /** Adds calls of the day of `timeMs` that have these values in all dimensions other than the day. */
  add(timeMs: number, values: readonly (string | number)[], totals: UsageTotals): void {
    this.#add(this.#dayAt < 0 ? values : values.toSpliced(this.#dayAt, 0, this.#dateOf(timeMs)), totals)
  }

  /** Adds a line of another report by the same dimensions. */
  addLine(line: UsageReportLine): void {
    this.#add(
      this.#by.map(name => line[name]!),
      line,
    )
  }

  #add(columns: readonly (string | number)[], totals: UsageTotals): void {
    const id = columns.join('\t')
    const line = this.#lines.get(id) ?? { columns, calls: 0, units: 0, billableUnits: 0 }
    this.#lines.set(id, line)
    for (const sum of [line, this.#total]) {
      sum.calls += totals.calls
      sum.units += totals.units
      sum.billableUnits += totals.billableUnits
    }
  }

  #dateOf(timeMs: number): string {
    if (timeMs !== this.#latest.timeMs) this.#latest = { timeMs, date: toLocalDate(timeMs, this.#timeZone) }
    return this.#latest.date
  }

  /** Returns the sums, sorted by the dimensions. */
  report(): UsageReport {
    const sorted = [...this.#lines.values()].sort((a, b) => compare(a.columns, b.columns))
    return {
      ...this.#total,
      rows: sorted.map(({ columns, ...sums }) => ({
        ...Object.fromEntries(this.#by.map((name, i) => [name, columns[i]!])),
        ...sums,
      })),
    }
  }
}

/** Adds up reports by the same dimensions. */
export function addReports(reports: readonly UsageReport[], by: readonly UsageDimension[]): UsageReport {
  const sums = new ReportSums(by, 'UTC')
  for (const { rows } of reports) for (const line of rows) sums.addLine(line)
  return sums.report()
}

/** Reports roll-up rows, which must not cross midnight. */
export function buildReport(rows: Iterable<UsageRow>, by: readonly UsageDimension[], timeZone = 'UTC'): UsageReport {
  const sums = new ReportSums(by, timeZone)
  for (const row of rows) sums.addRow(row)
  return sums.report()
}

const rowColumns = {
  operation: row => row.operation,
  version: row => row.version,
  status: row => row.status,
  partner: row => row.partnerId,
  key: row => row.keyId,
} satisfies Record<Exclude<UsageDimension, 'day'>, (row: UsageRow) => string | number>

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [i, value] of a.entries()) {
    if (value < b[i]!) return -1
    if (value > b[i]!) return 1
  }
  return 0
}
