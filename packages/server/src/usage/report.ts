import type { UsageRow } from '../domain/ledger.ts'
import type { UsageDimension, UsageReport } from '../domain/usage-report.ts'
import { toLocalDate } from '../kit/time.ts'

/**
 * Sums roll-up rows by the given dimensions, and sorts them by these. Days are days of the time zone. In a zone whose offset
 * is not a multiple of an hour, the calls of the hour that contains midnight count toward the previous day.
 */
export function buildReport(rows: Iterable<UsageRow>, by: readonly UsageDimension[], timeZone = 'UTC'): UsageReport {
  const lines = new Map<string, { columns: (string | number)[]; calls: number; units: number; billableUnits: number }>()
  const total = { calls: 0, units: 0, billableUnits: 0 }
  for (const row of rows) {
    const columns = by.map(dimension => getColumn(row, dimension, timeZone))
    const id = JSON.stringify(columns)
    const line = lines.get(id) ?? { columns, calls: 0, units: 0, billableUnits: 0 }
    lines.set(id, line)
    for (const sum of [line, total]) {
      sum.calls += row.calls
      sum.units += row.units
      sum.billableUnits += row.billable ? row.units : 0
    }
  }
  const sorted = [...lines.values()].sort((a, b) => compare(a.columns, b.columns))
  return {
    ...total,
    rows: sorted.map(({ columns, ...sums }) => ({
      ...Object.fromEntries(by.map((name, i) => [name, columns[i]!])),
      ...sums,
    })),
  }
}

function getColumn(row: UsageRow, dimension: UsageDimension, timeZone: string): string | number {
  switch (dimension) {
    case 'operation':
      return row.operation
    case 'day':
      return toLocalDate(row.fromMs, timeZone)
    case 'version':
      return row.version
    case 'status':
      return row.status
    case 'partner':
      return row.partnerId
    case 'key':
      return row.keyId
  }
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [i, value] of a.entries()) {
    if (value < b[i]!) return -1
    if (value > b[i]!) return 1
  }
  return 0
}
