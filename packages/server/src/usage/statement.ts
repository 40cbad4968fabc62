import type { Ledger } from '../domain/ledger.ts'
import { openEnd } from '../domain/ledger.ts'
import type { Statement, StatementLine, StatementPeriod } from '../domain/usage-report.ts'
import { getMonthSpan } from '../kit/time.ts'
import type { JournalReader } from './journal-reader.ts'
import { sumUsage } from './query.ts'

/** Makes the statement of a period from the ledger and the journal. `nowMs` decides whether the month has ended. */
export async function sumStatement(
  journal: JournalReader,
  ledger: Ledger,
  period: StatementPeriod,
  nowMs: number,
  countedOnly = false,
): Promise<Statement> {
  const { fromMs, toMs } = getMonthSpan(period.month, period.timeZone)
  const closed = toMs <= nowMs
  const query = { fromMs, toMs: closed ? toMs : openEnd, partnerId: period.partnerId, only: 'billable' as const }
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
