import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { CallPage } from '../../domain/request-log.ts'
import { requestCells, requestColumns, requestResource } from '../../resources/request.ts'
import { findRequest } from '../../usecases/admin/find-request.ts'
import { listKeys } from '../../usecases/admin/list-keys.ts'
import { countRefusals, listRequests } from '../../usecases/admin/list-requests.ts'
import type { ManagementContext } from '../context.ts'
import type { DownloadAnswer, PageAnswer, PageRequest } from '../pages/page-route.ts'
import { csvFile, exportFormat, jsonRows, maxExportedRows } from './export.ts'
import { curlCall, firstTarget } from './first-call.ts'
import { readNames } from './names.ts'
import { type ReadRequestFilter, type RequestFilter, readRequestFilter, toCallQuery } from './request-filter.ts'
import { requestsView } from './requests-view.ts'

const rowsPerPage = 50

/** Returns the list of requests; with `?format=csv` or `json` as a file; with `?id=` the page of that request. */
export async function requestsPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { query, path } = request
  if (query.id !== undefined) {
    const id = query.id.trim().toLowerCase()
    const found = await findRequest(context.requests, request.actor, { id })
    if (!isAdminFault(found)) return { redirect: `${path}/${id}` }
  }
  const read = readRequestFilter(query)
  const list = (limit: number, after?: string) =>
    listRequests(context.requests, request.actor, {
      ...toCallQuery(read.filter, request.zone),
      partnerId: read.filter.partner,
      limit,
      after,
    })
  const format = exportFormat(request)
  if (format) {
    const page = await list(maxExportedRows)
    return isAdminFault(page) ? page : exportCalls(page, format)
  }
  const page = await list(rowsPerPage, query.after)
  return isAdminFault(page) ? page : viewOf(context, request, read, page)
}

function exportCalls({ rows, next }: CallPage, format: 'csv' | 'json'): DownloadAnswer {
  const resources = rows.map(requestResource)
  const isCut = next !== undefined
  return format === 'csv'
    ? csvFile('requests', [requestColumns, ...resources.map(requestCells)], isCut)
    : jsonRows('requests', resources, isCut)
}

async function viewOf(
  context: ManagementContext,
  request: PageRequest,
  read: ReadRequestFilter,
  page: CallPage,
): Promise<PageAnswer> {
  const { query, actor } = request
  const isAll = 'all' in request.visibility
  const refusals = await readRefusals(context, request, read.filter)
  if (isAdminFault(refusals)) return refusals
  const rows = [...page.rows, ...refusals]
  return requestsView(request, {
    ...read,
    page,
    refusals,
    unknownId: query.id,
    countedToMs: await context.requests.requests.countedToMs(),
    keepDays: context.settings.find(({ setting }) => setting === 'requests.keepDays')?.value,
    keys: isAll ? undefined : await listKeys(context.admin, actor),
    keyNames: await readNames(
      context,
      request,
      'key',
      rows.map(({ keyId }) => keyId),
    ),
    partnerNames: isAll
      ? await readNames(
          context,
          request,
          'partner',
          rows.map(({ partnerId }) => partnerId),
        )
      : undefined,
    apiUrl: context.apiUrl,
    firstCall: curlCall(context, firstTarget),
  })
}

/**
 * Reads the refusals before metering that a filter includes. They have no operation, and only the first page shows
 * them.
 */
async function readRefusals(
  { requests }: ManagementContext,
  { actor, query, zone }: PageRequest,
  filter: RequestFilter,
) {
  if (query.after !== undefined || filter.operation !== undefined || filter.status !== undefined) return []
  const { keyId, fromMs, toMs } = toCallQuery(filter, zone)
  const input = { keyId, fromMs, toMs, partnerId: filter.partner, limit: rowsPerPage }
  const page: Awaited<ReturnType<typeof countRefusals>> | AdminFault = await countRefusals(requests, actor, input)
  if (isAdminFault(page)) return page
  return page.rows.filter(({ code }) => filter.fault === undefined || code === filter.fault)
}
