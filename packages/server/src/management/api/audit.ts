import { isAdminFault } from '../../domain/admin-fault.ts'
import { parseOrder, timeOrders } from '../../domain/list-order.ts'
import { Type } from '../../kit/json-schema.ts'
import { auditColumns, auditLineResource, auditLineSchema } from '../../resources/audit.ts'
import { closedObject } from '../../resources/schema.ts'
import { listAudit } from '../../usecases/admin/list-audit.ts'
import { pageOf, pageQuery, sortQuery } from '../page.ts'
import { periodQuery, readPeriod } from '../period.ts'
import { apiRoute } from '../route.ts'

/** `/audit` of the admin API. */
export const auditRoutes = [
  apiRoute({
    method: 'GET',
    path: '/audit',
    operation: 'listAudit',
    summary: 'Lists changes, newest first by default: who changed what, from where, before and after.',
    permission: 'audit:read',
    forPartners: true,
    query: closedObject({
      limit: pageQuery.limit,
      after: Type.Optional(Type.Integer({ minimum: 1, description: 'The member `next` of the previous page.' })),
      ...periodQuery,
      ...sortQuery(timeOrders),
      partner_id: Type.Optional(Type.String()),
      actor: Type.Optional(Type.String({ description: 'Id of the user or token, or name of the system user.' })),
      action: Type.Optional(Type.String({ description: 'Resource and verb, such as key.create.' })),
      target: Type.Optional(Type.String({ description: 'Id of the changed resource.' })),
    }),
    response: pageOf(auditLineSchema),
    csv: ({ data }) => [auditColumns, ...data.map(line => auditColumns.map(name => toCell(line[name])))],
    handler: async ({ audit, identity }, { actor, query: { from, to, partner_id, actor: actorId, sort, ...rest } }) => {
      const period = readPeriod({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
      if ('code' in period) return period
      const page = await listAudit({ audit, people: identity.people }, actor, {
        ...rest,
        ...period,
        order: parseOrder(sort, timeOrders),
        partnerId: partner_id,
        actorId,
      })
      if (isAdminFault(page)) return page
      return {
        body: { data: page.lines.map(auditLineResource), next: page.next === undefined ? null : String(page.next) },
      }
    },
  }),
]

const toCell = (value: unknown): string | number | undefined =>
  typeof value === 'object' ? JSON.stringify(value) : (value as string | number | undefined)
