import type { SumPiece, UsageFilter, UsageQuery, UsageRow } from '../../domain/ledger.ts'
import { all, type SqlParams, type SqlWork } from './database.ts'

interface Row {
  from_ms: number
  partner_id: string
  key_id: string
  operation: string
  version: string
  version_explicit: number
  status: number
  billable: number
  calls: number
  units: number
}

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

/** Returns the values of the parameters of a filter. */
export const filterParams = ({ keyId = '', partnerId = '', operation = '' }: UsageFilter): SqlParams => ({
  keyId,
  partnerId,
  operation,
})

/** Reads the rows of a roll-up whose period starts within the queried period. */
export function* readUsage(rollUp: SumPiece['rollUp'], query: UsageQuery): SqlWork<UsageRow[]> {
  const conditions = ['from_ms >= @fromMs', 'from_ms < @toMs', ...filterConditions(query)]
  const { fromMs, toMs } = query
  const rows = yield* all<Row>(`SELECT * FROM usage_${rollUp} WHERE ${conditions.join(' AND ')}`, {
    ...filterParams(query),
    fromMs,
    toMs,
  })
  return rows.map(row => ({
    fromMs: row.from_ms,
    partnerId: row.partner_id,
    keyId: row.key_id,
    operation: row.operation,
    version: row.version,
    versionExplicit: row.version_explicit === 1,
    status: row.status,
    billable: row.billable === 1,
    calls: row.calls,
    units: row.units,
  }))
}
