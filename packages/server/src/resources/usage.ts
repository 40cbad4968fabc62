import Type, { type TProperties } from 'typebox'
import { operationNames } from '../domain/operation.ts'
import type { RelyingKey, Statement, UsageDimension, UsageReport, UsageReportLine } from '../domain/usage-report.ts'
import { closedObject, count, dateTime, formatDateTime, type Resource } from './schema.ts'

const dimensions = {
  operation: Type.Optional(Type.String()),
  day: Type.Optional(Type.String({ format: 'date' })),
  version: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
  partner: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
} satisfies Record<UsageDimension, TProperties[string]>

const sums = { calls: count(), units: count(), billable_units: count() }

export const usageReportSchema = closedObject({
  from: dateTime(),
  to: dateTime(),
  ...sums,
  rows: Type.Array(closedObject({ ...dimensions, ...sums })),
})
export type UsageReportResource = Resource<typeof usageReportSchema>

/** Presents usage of a period. */
export const usageReportResource = ({
  fromMs,
  toMs,
  calls,
  units,
  billableUnits,
  rows,
}: UsageReport & { readonly fromMs: number; readonly toMs: number }): UsageReportResource => ({
  from: formatDateTime(fromMs),
  to: formatDateTime(toMs),
  calls,
  units,
  billable_units: billableUnits,
  rows: rows.map(({ billableUnits: billable, ...row }) => ({ ...dimensionsOf(row), billable_units: billable })),
})

/** Status is a number, all other dimensions are texts. */
const dimensionsOf = (row: Omit<UsageReportLine, 'billableUnits'>) =>
  row as Omit<UsageReportResource['rows'][number], 'billable_units'>

export const statementSchema = closedObject({
  partner: Type.String(),
  month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
  tz: Type.String(),
  from: dateTime(),
  to: dateTime(),
  closed: Type.Boolean(),
  calls: count(),
  units: count(),
  rows: Type.Array(
    closedObject({ key: Type.String(), operation: Type.Enum(operationNames), calls: count(), units: count() }),
  ),
})
export type StatementResource = Resource<typeof statementSchema>

/** Presents a statement. */
export const statementResource = (made: Statement): StatementResource => ({
  partner: made.partnerId,
  month: made.month,
  tz: made.timeZone,
  from: formatDateTime(made.fromMs),
  to: formatDateTime(made.toMs),
  closed: made.closed,
  calls: made.calls,
  units: made.units,
  rows: made.lines.map(({ key, operation, calls, units }) => ({
    key,
    operation: operation as (typeof operationNames)[number],
    calls,
    units,
  })),
})

export const relyingKeysSchema = Type.Array(
  closedObject({ key: Type.String(), partner: Type.String(), version: Type.String(), calls: count() }),
)

/** Presents the keys that rely on the default version. */
export const relyingKeysResource = (keys: readonly RelyingKey[]): Resource<typeof relyingKeysSchema> =>
  keys.map(({ keyId, partnerId, version, calls }) => ({ key: keyId, partner: partnerId, version, calls }))
