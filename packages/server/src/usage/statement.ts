import type { UsageRow } from '../domain/ledger.ts'
import type { Statement, StatementPeriod } from '../domain/usage-report.ts'
import { getMonthSpan } from '../kit/time.ts'
import { buildReport } from './report.ts'

/**
 * Builds a statement from roll-up rows; rows of other partners and times are ignored. All calls that arrived before
 * `completeToMs` must be among the rows.
 */
export function buildStatement(rows: Iterable<UsageRow>, period: StatementPeriod, completeToMs: number): Statement {
  const { fromMs, toMs } = getMonthSpan(period.month, period.timeZone)
  const isBilled = (row: UsageRow) => row.billable && row.units > 0
  const billed = Iterator.from(rows).filter(
    row => row.partnerId === period.partnerId && isBilled(row) && row.fromMs >= fromMs && row.fromMs < toMs,
  )
  const { calls, units, rows: lines } = buildReport(billed, ['key', 'operation'])
  return { ...period, fromMs, toMs, closed: completeToMs >= toMs, calls, units, lines }
}
