import { isAdminFault } from '../../domain/admin-fault.ts'
import { usageDimensions } from '../../domain/usage-report.ts'
import { Type } from '../../kit/json-schema.ts'
import { closedObject } from '../../resources/schema.ts'
import {
  statementColumns,
  statementResource,
  statementSchema,
  usageReportColumns,
  usageReportResource,
  usageReportSchema,
} from '../../resources/usage.ts'
import { makeStatement } from '../../usecases/admin/make-statement.ts'
import { reportUsage } from '../../usecases/admin/report-usage.ts'
import { statementPage } from '../../web/statement.ts'
import { periodQuery, readPeriod } from '../period.ts'
import { apiRoute } from '../route.ts'

const zone = Type.Optional(
  Type.String({ description: 'Time zone of days and months, such as Europe/Madrid. Default: UTC.' }),
)

/** `/usage` and `/statements` of the admin API. */
export const usageRoutes = [
  apiRoute({
    method: 'GET',
    path: '/usage',
    operation: 'reportUsage',
    summary: 'Sums calls and units of a period, up to the latest call.',
    permission: 'usage:read',
    forPartners: true,
    query: closedObject({
      ...periodQuery,
      by: Type.Array(Type.Enum([...usageDimensions]), {
        default: ['operation'],
        uniqueItems: true,
        description: 'Columns to sum by, separated by commas.',
      }),
      tz: zone,
      partner_id: Type.Optional(Type.String()),
      key_id: Type.Optional(Type.String()),
    }),
    response: usageReportSchema,
    csv: ({ rows }, { by }) => {
      const columns = usageReportColumns(by)
      return [columns, ...rows.map(row => columns.map(name => row[name]))]
    },
    handler: async ({ usage }, { actor, query: { from, to, by, tz, partner_id, key_id } }) => {
      const period = readPeriod({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
      if ('code' in period) return period
      const input = { ...period, by, timeZone: tz, partnerId: partner_id, keyId: key_id }
      const report = await reportUsage(usage, actor, input)
      return isAdminFault(report) ? report : { body: usageReportResource(report) }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/statements/:partner/:month',
    operation: 'getStatement',
    summary: 'Returns the units to bill a partner for a month such as 2026-11; as text/html a page to print.',
    hasPage: true,
    permission: 'usage:read',
    forPartners: true,
    query: closedObject({ tz: zone }),
    response: statementSchema,
    csv: ({ rows }) => [statementColumns, ...rows.map(row => statementColumns.map(name => row[name]))],
    handler: async ({ usage }, { actor, params, query: { tz } }) => {
      const made = await makeStatement(usage, actor, { partnerId: params.partner!, month: params.month!, timeZone: tz })
      return isAdminFault(made) ? made : { body: statementResource(made), page: statementPage(made) }
    },
  }),
]
