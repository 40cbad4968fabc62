import type { Ledger, PartSum, SumPiece, UsageColumn, UsageFilter } from '../../domain/ledger.ts'
import type { Sqlite } from '../connection.ts'

const dayMs = 86_400_000

const columnNames = {
  operation: 'operation',
  version: 'version',
  status: 'status',
  partner: 'partner_id',
  key: 'key_id',
} as const satisfies Record<UsageColumn, string>

/** Returns the conditions of a filter on the rows of a roll-up, without those on time. */
export function filterConditions({ keyId, partnerId, only }: UsageFilter): string[] {
  const conditions: string[] = []
  if (keyId !== undefined) conditions.push('key_id = @keyId')
  if (partnerId !== undefined) conditions.push('partner_id = @partnerId')
  if (only === 'billable') conditions.push('billable = 1')
  if (only === 'defaultVersion') conditions.push('version_explicit = 0')
  return conditions
}

/** Creates the sums of the ledger, computed by the database. */
export function usageSums(control: Sqlite): Pick<Ledger, 'sum' | 'span'> {
  const bounds = control.prepare<[], { first: number | null; last: number | null }>(
    'SELECT (SELECT min(from_ms) FROM usage_days) AS first, (SELECT max(from_ms) FROM usage_days) AS last',
  )
  return {
    sum: async (pieces, columns, filter) => sum(control, pieces, columns, filter),
    span: async () => {
      const { first, last } = bounds.get()!
      return first === null || last === null ? undefined : { fromMs: first, toMs: last + dayMs }
    },
  }
}

type SumRow = [part: number, calls: number, units: number, billableUnits: number, ...columns: (string | number)[]]

function sum(
  control: Sqlite,
  pieces: readonly SumPiece[],
  columns: readonly UsageColumn[],
  filter: UsageFilter,
): PartSum[] {
  const names = columns.map(column => columnNames[column])
  const groups = ['part', ...names].join(', ')
  // CROSS JOIN makes SQLite look each piece up in an index of the table.
  const selectRows = (piecesName: string, table: 'usage_days' | 'usage_slots'): string =>
    `SELECT ${groups}, sign, calls, units, billable FROM ${piecesName} CROSS JOIN ${table}
     WHERE ${['from_ms >= start_ms', 'from_ms < end_ms', ...filterConditions(filter)].join(' AND ')}`
  const statement = control
    .prepare<[object], SumRow>(
      `WITH ${selectPieces('day_pieces', '@days')}, ${selectPieces('slot_pieces', '@slots')}
       SELECT part, sum(sign * calls) AS sum_calls, sum(sign * units), sum(sign * units * billable)
         ${names.map(name => `, ${name}`).join('')}
       FROM (${selectRows('day_pieces', 'usage_days')} UNION ALL ${selectRows('slot_pieces', 'usage_slots')})
       GROUP BY ${groups} HAVING sum_calls <> 0`,
    )
    .raw()
  const encode = (rollUp: SumPiece['rollUp']) =>
    JSON.stringify(pieces.filter(piece => piece.rollUp === rollUp).map(p => [p.fromMs, p.toMs, p.part, p.sign]))
  const { keyId, partnerId } = filter
  const rows = statement.all({ days: encode('days'), slots: encode('slots'), keyId, partnerId })
  return rows.map(([part, calls, units, billableUnits, ...values]) => ({
    ...{ part, columns: values, calls, units, billableUnits },
  }))
}

/** Decodes pieces once, rather than once for each row. */
const selectPieces = (name: string, json: string): string =>
  `${name} AS MATERIALIZED (
     SELECT value ->> 0 AS start_ms, value ->> 1 AS end_ms, value ->> 2 AS part, value ->> 3 AS sign
     FROM json_each(${json}))`
