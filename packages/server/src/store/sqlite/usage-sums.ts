import {
  type Ledger,
  type LedgerColumn,
  type PartSum,
  rollUpPeriodsMs,
  type SumPiece,
  type UsageFilter,
} from '../../domain/ledger.ts'
import type { Sqlite } from '../connection.ts'

const columnNames = {
  operation: 'operation',
  version: 'version',
  status: 'status',
  partner: 'partner_id',
  key: 'key_id',
} as const satisfies Record<LedgerColumn, string>

/** Returns the conditions of a filter on the rows of a roll-up, without those on time. */
export function filterConditions({ keyId, partnerId, operation, only }: UsageFilter): string[] {
  const conditions: string[] = []
  if (keyId !== undefined) conditions.push('key_id = @keyId')
  if (partnerId !== undefined) conditions.push('partner_id = @partnerId')
  if (operation !== undefined) conditions.push('operation = @operation')
  if (only === 'billable') conditions.push('billable = 1')
  if (only === 'defaultVersion') conditions.push('version_explicit = 0')
  return conditions
}

/** Creates the sums of the ledger, computed by the database. */
export function usageSums(control: Sqlite): Pick<Ledger, 'sum' | 'span'> {
  const bounds = control.prepare<[], { first: number | null; last: number | null }>(
    'SELECT (SELECT min(from_ms) FROM usage_days) AS first, (SELECT max(from_ms) FROM usage_days) AS last',
  )
  const sumAll = control.transaction((...query: Parameters<Ledger['sum']>) => sum(control, ...query))
  return {
    sum: async (...query) => sumAll(...query),
    span: async () => {
      const { first, last } = bounds.get()!
      return first === null || last === null ? undefined : { fromMs: first, toMs: last + rollUpPeriodsMs.days }
    },
  }
}

type SumRow = [calls: number, units: number, billableUnits: number, ...columns: (string | number)[]]

/** The parts to which the rows of one span of a roll-up are added, or from which they are subtracted. */
interface Span extends Pick<SumPiece, 'rollUp' | 'fromMs' | 'toMs'> {
  readonly uses: Pick<SumPiece, 'part' | 'sign'>[]
}

/**
 * Sums pieces in the current transaction. Sorting the rows of one span at a time costs less than sorting all of them.
 */
function sum(
  control: Sqlite,
  pieces: readonly SumPiece[],
  columns: readonly LedgerColumn[],
  filter: UsageFilter,
): PartSum[] {
  const names = columns.map(column => columnNames[column])
  const conditions = ['from_ms >= @fromMs', 'from_ms < @toMs', ...filterConditions(filter)].join(' AND ')
  const prepare = (rollUp: SumPiece['rollUp']) =>
    control
      .prepare<[object], SumRow>(
        `SELECT ${['sum(calls)', 'sum(units)', 'sum(units * billable)', ...names].join(', ')} FROM usage_${rollUp}
         WHERE ${conditions} ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : 'HAVING count(*) > 0'}`,
      )
      .raw()
  const statements = { days: prepare('days'), eighths: prepare('eighths'), slots: prepare('slots') }
  const sums = new Map<string, Mutable<PartSum>>()
  const { keyId, partnerId, operation } = filter
  for (const { rollUp, fromMs, toMs, uses } of groupBySpan(pieces)) {
    const rows = statements[rollUp].all({ fromMs, toMs, keyId, partnerId, operation })
    for (const [calls, units, billableUnits, ...values] of rows) {
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
