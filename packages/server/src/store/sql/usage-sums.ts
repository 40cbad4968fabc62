import {
  type LedgerColumn,
  type PartSum,
  rollUpPeriodsMs,
  type SumPiece,
  type UsageFilter,
  type UsageTotals,
} from '../../domain/ledger.ts'
import { all, get, type SqlWork } from './database.ts'
import { filterConditions, filterParams } from './usage-rows.ts'

const columnNames = {
  operation: 'operation',
  version: 'version',
  status: 'status',
  partner: 'partner_id',
  key: 'key_id',
} as const satisfies Record<LedgerColumn, string>

/** The sums of a statement. PostgreSQL adds whole numbers to others than columns have. */
const totals = [
  'CAST(sum(calls) AS bigint) AS calls',
  'CAST(sum(units) AS bigint) AS units',
  'CAST(sum(units * billable) AS bigint) AS "billableUnits"',
]

/** Reads the start of the first UTC day with calls and the end of the last one; undefined without calls. */
export function* readSpan(): SqlWork<{ fromMs: number; toMs: number } | undefined> {
  const bounds = yield* get<{ first: number | null; last: number | null }>(
    `SELECT (SELECT min(from_ms) FROM usage_days) AS "first", (SELECT max(from_ms) FROM usage_days) AS "last"`,
  )
  const { first, last } = bounds!
  return first === null || last === null ? undefined : { fromMs: first, toMs: last + rollUpPeriodsMs.days }
}

interface SumRow extends UsageTotals {
  readonly [column: string]: string | number
}

/** The parts to which the rows of one span of a roll-up are added, or from which they are subtracted. */
interface Span extends Pick<SumPiece, 'rollUp' | 'fromMs' | 'toMs'> {
  readonly uses: Pick<SumPiece, 'part' | 'sign'>[]
}

/**
 * Sums pieces in the current transaction. Sorting the rows of one span at a time costs less than sorting all of them.
 */
export function* sumUsage(
  pieces: readonly SumPiece[],
  columns: readonly LedgerColumn[],
  filter: UsageFilter,
): SqlWork<PartSum[]> {
  const names = columns.map(column => columnNames[column])
  const conditions = ['from_ms >= @fromMs', 'from_ms < @toMs', ...filterConditions(filter)].join(' AND ')
  const rest = `WHERE ${conditions} ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : 'HAVING count(*) > 0'}`
  const sums = new Map<string, Mutable<PartSum>>()
  const params = filterParams(filter)
  for (const { rollUp, fromMs, toMs, uses } of groupBySpan(pieces)) {
    const text = `SELECT ${[...totals, ...names].join(', ')} FROM usage_${rollUp} ${rest}`
    for (const row of yield* all<SumRow>(text, { ...params, fromMs, toMs })) {
      const { calls, units, billableUnits } = row
      const values = names.map(name => row[name]!)
      const id = values.join('\t')
      for (const { part, sign } of uses) {
        const known = sums.get(`${part}\t${id}`)
        const one = known ?? { part, columns: values, calls: 0, units: 0, billableUnits: 0 }
        if (!known) sums.set(`${part}\t${id}`, one)
        one.calls += sign * calls
        one.units += sign * units
        one.billableUnits += sign * billableUnits
      }
    }
  }
  return [...sums.values()].filter(({ calls }) => calls !== 0)
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Groups pieces of the same span, so that its rows are read once. */
function groupBySpan(pieces: readonly SumPiece[]): Iterable<Span> {
  const spans = new Map<string, Span>()
  for (const { rollUp, fromMs, toMs, part, sign } of pieces) {
    const id = `${rollUp} ${fromMs} ${toMs}`
    const span = spans.get(id) ?? { rollUp, fromMs, toMs, uses: [] }
    spans.set(id, span)
    span.uses.push({ part, sign })
  }
  return spans.values()
}
