import type { UsageRow } from '../domain/ledger.ts'
import { monthSpan } from '../kit/time.ts'
import { type ReportLine, report } from './report.ts'

/** What to bill a partner for a month. */
export interface Statement {
  readonly partnerId: string
  /** `2026-11`, in `timeZone`. */
  readonly month: string
  readonly timeZone: string
  readonly fromMs: number
  readonly toMs: number
  /** The month is over and all its calls are in: the same question gives the same answer for ever. */
  readonly closed: boolean
  /** Refused and failed calls are left out. */
  readonly calls: number
  /** What to bill: units of test keys are left out. */
  readonly units: number
  /** By key and operation. */
  readonly lines: readonly ReportLine[]
}

/**
 * A statement from roll-up rows; those of other partners and times are passed over. `completeToMs`: calls that arrived
 * before it are all among the rows. Pure.
 */
export function statement(
  rows: Iterable<UsageRow>,
  asked: { readonly partnerId: string; readonly month: string; readonly timeZone: string },
  completeToMs: number,
): Statement {
  const { fromMs, toMs } = monthSpan(asked.month, asked.timeZone)
  const isBilled = (row: UsageRow) => row.billable && row.units > 0
  const billed = Iterator.from(rows).filter(
    row => row.partnerId === asked.partnerId && isBilled(row) && row.fromMs >= fromMs && row.fromMs < toMs,
  )
  const { calls, units, rows: lines } = report(billed, ['key', 'operation'])
  return { ...asked, fromMs, toMs, closed: completeToMs >= toMs, calls, units, lines }
}
