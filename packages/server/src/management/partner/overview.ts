import { isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import { addDays, datesBetween } from '../../kit/dates.ts'
import { dayMs, toLocalDate } from '../../kit/time.ts'
import { countCauses } from '../../usecases/admin/count-causes.ts'
import { listKeys } from '../../usecases/admin/list-keys.ts'
import { findNotices } from '../../usecases/admin/partner-notices.ts'
import { reportUsage } from '../../usecases/admin/report-usage.ts'
import type { ManagementContext } from '../context.ts'
import { type PageAnswer, type PartnerRequest, partnerPage } from '../pages/page-route.ts'
import { timesOf, type UsagePageFilter } from '../shared/usage-filter.ts'
import { chartUsage } from '../shared/usage-series.ts'
import { type KeyLimits, noCallsView, noKeysView, overviewView } from './overview-view.ts'

/** The first page of a partner: limits now, usage of 30 days, refusals, and what needs attention. */
export const overviewPages = [partnerPage({ method: 'GET', path: '/', permission: 'own:read', handler: overviewPage })]

const days = 30
/** Number of keys whose limits are shown. */
const maxKeys = 6

async function overviewPage(context: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const { actor, partner, zone, nowMs } = request
  const keys = (await listKeys(context.admin, actor)).filter(({ state }) => state !== 'revoked')
  if (keys.length === 0) return noKeysView(request)
  const today = toLocalDate(nowMs, zone)
  const filter: UsagePageFilter = { from: addDays(today, 1 - days), to: today, by: 'operation', show: 'units', zone }
  const sum = (span: UsagePageFilter, by: readonly ('day' | 'operation' | 'version')[]) =>
    reportUsage(context.usage, actor, {
      ...timesOf(span, nowMs),
      partnerId: partner.id,
      timeZone: zone,
      by,
      countedOnly: true,
    })
  const report = await sum(filter, ['day', 'operation', 'version'])
  if (isAdminFault(report)) return report
  const before = await sum({ ...filter, from: addDays(filter.from, -days), to: addDays(filter.from, -1) }, [])
  if (isAdminFault(before)) return before
  const causes = await countCauses(context.requests, actor, { partnerId: partner.id, fromMs: nowMs - days * dayMs })
  if (isAdminFault(causes)) return causes
  const notices = await findNotices({ ...context.usage, ...context.admin, versions: context.versions }, actor, {
    partnerId: partner.id,
    usage: report,
  })
  if (isAdminFault(notices)) return notices
  if (report.calls === 0 && before.calls === 0 && causes.causes.length === 0)
    return noCallsView(context, request, { keys, notices })
  const dates = datesBetween(filter.from, today)
  const charted = await chartUsage(context, request, report, { ...filter, dates })
  const active = keys.filter(({ state }) => state === 'active')
  const limits = await readLimits(context, active)
  const otherKeys = active.length - limits.length
  return overviewView(context, request, { report, before, dates, limits, otherKeys, causes, notices, charted })
}

/** Reads the limits of the active keys, live and recently used ones first. */
async function readLimits({ live }: ManagementContext, keys: readonly Key[]): Promise<readonly KeyLimits[]> {
  const lastDay = ({ lastUse }: Key) => lastUse?.day ?? ''
  const sorted = keys.toSorted(
    (a, b) => Number(a.test) - Number(b.test) || (lastDay(a) < lastDay(b) ? 1 : lastDay(a) > lastDay(b) ? -1 : 0),
  )
  return Promise.all(sorted.slice(0, maxKeys).map(async key => ({ key, status: await live.limitsOf(key) })))
}
