import type { Ledger } from '../domain/ledger.ts'
import { openEnd } from '../domain/ledger.ts'
import { isClosed, type Statement, type StatementLine, type StatementPeriod } from '../domain/usage-report.ts'
import { getMonthSpan } from '../kit/time.ts'
import type { JournalReader } from './journal-reader.ts'
import { sumUsage } from './query.ts'

/** Options of a statement. */
export interface StatementOptions {
  /** Decides whether the month has ended. */
  readonly nowMs: number
  /** Time before which all nodes have counted their calls. Default: no other node counts. */
  readonly countedToMs?: number
  /** Leaves out the calls that are not folded yet. Default: false. */
  readonly countedOnly?: boolean | undefined
}

/** Makes the statement of a period from the ledger and the journal. */
export async function sumStatement(
  journal: JournalReader,
  ledger: Ledger,
  period: StatementPeriod,
  { nowMs, countedToMs = Number.POSITIVE_INFINITY, countedOnly }: StatementOptions,
): Promise<Statement> {
  const { fromMs, toMs } = getMonthSpan(period.month, period.timeZone)
  const closed = isClosed(toMs, nowMs, countedToMs)
  const query = { fromMs, toMs: toMs <= nowMs ? toMs : openEnd, partnerId: period.partnerId, only: 'billable' as const }
  const by = ['key', 'operation', 'status'] as const
  const { rows } = await sumUsage(journal, ledger, query, { by, timeZone: period.timeZone, countedOnly })
  const lines = new Map<string, StatementLine>()
  for (const { key, operation, status, calls, units } of rows) {
    const id = `${key} ${operation}`
    const line = lines.get(id) ?? { key: String(key), operation: String(operation), calls: 0, units: 0 }
    const served = Number(status) < 300 ? calls : 0
    lines.set(id, { ...line, calls: line.calls + served, units: line.units + units })
  }
  const billed = [...lines.values()].filter(({ units }) => units > 0)
  const sum = (column: 'calls' | 'units') => billed.reduce((total, line) => total + line[column], 0)
  return { ...period, fromMs, toMs, closed, calls: sum('calls'), units: sum('units'), lines: billed }
}
