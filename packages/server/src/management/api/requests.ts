import { isAdminFault } from '../../domain/admin-fault.ts'
import { Type } from '../../kit/json-schema.ts'
import {
  explainedRequestResource,
  explainedRequestSchema,
  refusalResource,
  refusalSchema,
  requestCells,
  requestColumns,
  requestResource,
  requestSchema,
} from '../../resources/request.ts'
import { closedObject } from '../../resources/schema.ts'
import { listRefusals } from '../../usecases/admin/explain-refusals.ts'
import { findRequest } from '../../usecases/admin/find-request.ts'
import { listRequests } from '../../usecases/admin/list-requests.ts'
import { pageOf, pageQuery } from '../page.ts'
import { periodQuery, readPeriod } from '../period.ts'
import { apiRoute } from '../route.ts'

const subjectQuery = { partner_id: Type.Optional(Type.String()), key_id: Type.Optional(Type.String()) }

/** `/requests` and `/refusals` of the admin API. */
export const requestRoutes = [
  apiRoute({
    method: 'GET',
    path: '/requests',
    operation: 'listRequests',
    summary: 'Lists recent calls of partners, newest first, up to about a second ago.',
    permission: 'log:read',
    forPartners: true,
    query: closedObject({
      ...pageQuery,
      ...periodQuery,
      ...subjectQuery,
      status: Type.Optional(
        Type.String({ pattern: '^[1-5](\\d\\d|xx)$', description: 'A status such as 429, or a class such as 4xx.' }),
      ),
      operation: Type.Optional(Type.String({ description: 'Name of an operation, such as getLocation.' })),
      fault: Type.Optional(Type.String({ description: 'Code of an error, such as rate_limited.' })),
    }),
    response: pageOf(requestSchema),
    csv: ({ data }) => [requestColumns, ...data.map(requestCells)],
    handler: async ({ requests }, { actor, query }) => {
      const { from, to, partner_id, key_id, status, limit, ...filters } = query
      const period = readPeriod({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
      if ('code' in period) return period
      const subject = { partnerId: partner_id, keyId: key_id }
      const input = { ...filters, ...period, ...subject, ...readStatus(status), limit }
      const page = await listRequests(requests, actor, input)
      return isAdminFault(page) ? page : { body: { data: page.rows.map(requestResource), next: page.next ?? null } }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/requests/:id',
    operation: 'getRequest',
    summary: 'Returns a call by its request id, and explains its response under the terms at that time.',
    permission: 'log:read',
    forPartners: true,
    response: explainedRequestSchema,
    handler: async ({ requests }, { actor, params }) => {
      const found = await findRequest(requests, actor, { id: params.id! })
      return isAdminFault(found) ? found : { body: explainedRequestResource(found) }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/refusals',
    operation: 'countRefusals',
    summary: 'Counts calls of known keys that were refused before metering, by key, hour, code and version.',
    permission: 'log:read',
    forPartners: true,
    query: closedObject({ ...pageQuery, ...periodQuery, ...subjectQuery }),
    response: pageOf(refusalSchema),
    handler: async ({ requests }, { actor, query: { from, to, partner_id, key_id, ...rest } }) => {
      const period = readPeriod({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
      if ('code' in period) return period
      const page = await listRefusals(requests, actor, { ...rest, ...period, partnerId: partner_id, keyId: key_id })
      return isAdminFault(page) ? page : { body: { data: page.rows.map(refusalResource), next: page.next ?? null } }
    },
  }),
]

/** Reads a status or a class of statuses. */
function readStatus(text: string | undefined): { readonly statusFrom?: number; readonly statusTo?: number } {
  if (text === undefined) return {}
  return { statusFrom: Number(text.replace('xx', '00')), statusTo: Number(text.replace('xx', '99')) }
}
