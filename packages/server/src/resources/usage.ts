import { operationNames } from '../domain/operation.ts'
import { packageNames } from '../domain/package.ts'
import type {
  PricedStatement,
  RelyingKey,
  UsageDimension,
  UsageReport,
  UsageReportLine,
} from '../domain/usage-report.ts'
import { count, dateTime, type TProperties, Type } from '../kit/json-schema.ts'
import { csvText } from './csv.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

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
  /** Missing if no package of the partner's keys has a price. */
  prices: Type.Optional(
    Type.Array(closedObject({ package: Type.Enum(packageNames), price: Type.String(), units: count() })),
  ),
})
export type StatementResource = Resource<typeof statementSchema>

/** Presents a statement. */
export const statementResource = (made: PricedStatement): StatementResource => ({
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
  ...(made.prices.length > 0 && { prices: [...made.prices] }),
})

/** The columns of a statement as CSV. */
export const statementColumns = ['key', 'operation', 'calls', 'units'] as const

/** Presents the lines of a statement as CSV. */
export const statementCsv = ({ rows }: StatementResource): string => tableCsv(statementColumns, rows)

/** Returns the columns of a usage report as CSV. */
export const usageReportColumns = (by: readonly UsageDimension[]) =>
  [...by, 'calls', 'units', 'billable_units'] as const

/** Presents the rows of a usage report as CSV. */
export const usageReportCsv = ({ rows }: UsageReportResource, by: readonly UsageDimension[]): string =>
  tableCsv(usageReportColumns(by), rows)

const tableCsv = <C extends string>(
  columns: readonly C[],
  rows: readonly Readonly<Partial<Record<C, string | number>>>[],
): string => csvText([columns, ...rows.map(row => columns.map(column => row[column]))])

export const relyingKeysSchema = Type.Array(
  closedObject({ key: Type.String(), partner: Type.String(), version: Type.String(), calls: count() }),
)

/** Presents the keys that rely on the default version. */
export const relyingKeysResource = (keys: readonly RelyingKey[]): Resource<typeof relyingKeysSchema> =>
  keys.map(({ keyId, partnerId, version, calls }) => ({ key: keyId, partner: partnerId, version, calls }))
