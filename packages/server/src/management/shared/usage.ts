import { isAdminFault } from '../../domain/admin-fault.ts'
import { pageOrders } from '../../domain/list-order.ts'
import { datesBetween } from '../../kit/dates.ts'
import { usageReportCsv, usageReportResource } from '../../resources/usage.ts'
import { listKeys } from '../../usecases/admin/list-keys.ts'
import { reportUsage } from '../../usecases/admin/report-usage.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageAnswer, PageRequest } from '../pages/page-route.ts'
import { curlCall, firstTarget } from './first-call.ts'
import { readSort } from './sort.ts'
import {
  previousSpan,
  readUsageFilter,
  type SeriesDimension,
  timesOf,
  type UsagePageFilter,
  usageQuery,
} from './usage-filter.ts'
import { chartUsage, lineOrders } from './usage-series.ts'
import { type UsagePageShape, usageView } from './usage-view.ts'

/** Returns the page of usage, or with `?format=csv` or `json` the same report as a file. */
export async function usagePage(
  context: ManagementContext,
  request: PageRequest,
  shape: UsagePageShape,
): Promise<PageAnswer> {
  const { query, zone, nowMs, actor } = request
  const { filter, errors } = readUsageFilter(query, { zone, nowMs, dimensions: shape.dimensions })
  const orders = pageOrders({ by: filter.show, isDescending: true }, lineOrders)
  const current = readSort(orders, request)
  if ('title' in current) return current
  const partnerId = shape.partnerId ?? filter.partnerId
  const sum = (part: UsagePageFilter, by: readonly ('day' | SeriesDimension)[], countedOnly = false) =>
    reportUsage(context.usage, actor, {
      keyId: part.keyId,
      partnerId,
      timeZone: part.zone,
      by,
      countedOnly,
      ...timesOf(part, nowMs),
    })
  const by = ['day', filter.by] as const
  const report = await sum(filter, by)
  if (isAdminFault(report)) return report
  if (query.format === 'csv' || query.format === 'json') {
    const resource = usageReportResource(report)
    const fileName = `usage-${filter.from}-${filter.to}.${query.format}`
    return query.format === 'csv'
      ? { fileName, type: 'text/csv; charset=utf-8', body: usageReportCsv(resource, by) }
      : { fileName, type: 'application/json', body: `${JSON.stringify(resource, undefined, 2)}\n` }
  }
  const before = await sum(previousSpan(filter), [], true)
  if (isAdminFault(before)) return before
  const forecast = await context.forecasts(actor, { keyId: filter.keyId, partnerId, timeZone: filter.zone })
  const dates = datesBetween(filter.from, filter.to)
  const keys = 'all' in request.visibility ? undefined : await listKeys(context.admin, actor)
  return usageView(request, {
    shape,
    filter,
    errors,
    dates,
    report,
    before,
    keys,
    apiUrl: context.apiUrl,
    firstCall: curlCall(context, firstTarget),
    charted: await chartUsage(context, request, report, { ...filter, dates }),
    order: { orders, current, path: linkTo(request.site, request.path), filters: usageQuery(filter) },
    forecast: isAdminFault(forecast) ? [] : forecast,
  })
}
