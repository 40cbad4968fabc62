import { isAdminFault } from '../../../domain/admin-fault.ts'
import { sortRows } from '../../../domain/list-order.ts'
import type { UsageReportLine } from '../../../domain/usage-report.ts'
import { toLocalDate } from '../../../kit/time.ts'
import { keyResource } from '../../../resources/key.ts'
import { partnerNoteResource } from '../../../resources/partner.ts'
import { userResource } from '../../../resources/user.ts'
import { getPartner } from '../../../usecases/admin/get-partner.ts'
import { listAudit } from '../../../usecases/admin/list-audit.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listNotes } from '../../../usecases/admin/list-notes.ts'
import { listRequests } from '../../../usecases/admin/list-requests.ts'
import { listUpgrades } from '../../../usecases/admin/list-upgrades.ts'
import { listUsers } from '../../../usecases/admin/list-users.ts'
import { makeStatement } from '../../../usecases/admin/make-statement.ts'
import { peakRates } from '../../../usecases/admin/peak-rates.ts'
import { findPeaks, reportPeaks } from '../../../usecases/admin/peak-use.ts'
import type { PeriodReport } from '../../../usecases/admin/report-usage.ts'
import { html } from '../../../web/html.ts'
import { buttonLink, link } from '../../../web/parts/link.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { sortParameter } from '../../../web/parts/sort-head.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { RefusedForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { readTargets } from '../../shared/audit-targets.ts'
import { exportFormat, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import { userOrders } from '../../shared/people-parts.ts'
import { readSort } from '../../shared/sort.ts'
import { partnerState } from './list.ts'
import { notesCard } from './notes-card.ts'
import { keyOrdersOf, type PartnerView, partnerPageOrders, pathOf, type SortedPartnerView } from './partner-view.ts'
import { keysCard, summary, termsCard, timelineCard, usersCard } from './sections.ts'
import { requestsCard, statementsCard, usageCard } from './usage-sections.ts'

/** Returns the current month and the two before. */
const lastMonths = (nowMs: number, zone: string): string[] => {
  const month = Temporal.PlainYearMonth.from(toLocalDate(nowMs, zone).slice(0, 7))
  return [0, 1, 2].map(months => month.subtract({ months }).toString())
}

/** Shows everything about a partner; after a refused note its form with what was sent. */
export async function showPartner(
  context: ManagementContext,
  request: PageRequest,
  refusedNote?: RefusedForm,
): Promise<PageAnswer> {
  const current = readSort(partnerPageOrders, request)
  if ('title' in current) return current
  const read = await readPartner(context, request)
  if (isAdminFault(read)) return read
  const here = linkTo(request.site, pathOf(read))
  const view = { ...read, order: { orders: partnerPageOrders, current, path: here, filters: {} } }
  const { partner, upgrades } = view
  const { id, name } = partner
  const lists = listsOf(view)
  const format = exportFormat(request)
  if (format) return exportList(lists, format, request)
  const upgradesLink = linkTo(request.site, '/console/upgrades')
  return {
    ...(refusedNote && { status: refusedNote.status }),
    title: name,
    trail: [{ path: '/console/partners', label: 'Partners' }],
    lead: html`${partnerState(partner)} <span class="id">${id}</span>`,
    actions: request.may('partner:view') && buttonLink(linkTo(request.site, `/portal/${id}/`), 'Open as the partner'),
    content: [
      upgrades.length > 0 &&
        notice('info', html`<p>${link(upgradesLink, formatCount(upgrades.length, 'open upgrade request'))}</p>`),
      summary(view, request),
      keysCard(view, request),
      termsCard(view, request),
      usersCard(view, request),
      usageCard(view, request),
      requestsCard(view, request),
      statementsCard(view, request),
      notesCard(view, request, refusedNote),
      timelineCard(view, request),
      sameElsewhere({
        cli: [
          `periplus partners show ${id}`,
          `periplus keys list --partner ${id}`,
          `periplus users list --partner ${id}`,
          `periplus usage --partner ${id} --by operation`,
        ],
        api: [
          `GET /admin/v1/partners/${id}`,
          `GET /admin/v1/keys?partner_id=${id}`,
          `GET /admin/v1/usage?partner_id=${id}&by=operation`,
        ],
        files: listFiles(here, lists, { sort: sortParameter(view.order) }),
      }),
    ],
  }
}

/** Returns the lists of the page that no other page exports. */
const listsOf = ({ keys, users, notes, peaks, rates, packageTable, order }: SortedPartnerView): PageLists => ({
  keys: [
    'Keys',
    () =>
      sortRows(keys, order.current, keyOrdersOf(peaks)).map(key => ({
        ...keyResource(key, packageTable),
        peak_day_units: peaks.get(key.id)?.quota?.units ?? 0,
        peak_day_searches: peaks.get(key.id)?.searchQuota?.units ?? 0,
        peak_second_calls: rates.get(key.id)?.rate?.calls ?? 0,
        peak_second_searches: rates.get(key.id)?.searchRate?.calls ?? 0,
      })),
  ],
  users: ['Users', () => sortRows(users, order.current, userOrders).map(userResource)],
  notes: ['Notes', () => notes.map(partnerNoteResource)],
})

/** Reads what the page shows. Support reads all of it. */
async function readPartner(context: ManagementContext, request: PageRequest) {
  const { actor, params, nowMs } = request
  const { admin, identity, usage, requests, audit } = context
  const partner = await getPartner(admin, actor, { id: params.id! })
  if (isAdminFault(partner)) return partner
  const partnerId = partner.id
  const parts = await Promise.all([
    listKeys(admin, { ...actor, partnerId }),
    listUsers(identity, actor, { partnerId }),
    listUsers(identity, actor, {}),
    listUpgrades(admin, actor, { partnerId, state: 'open' }),
    listNotes(admin, actor, { partnerId }),
    reportPeaks(usage, actor, { partnerId }),
    listRequests(requests, actor, { partnerId, limit: 10 }),
    listAudit({ audit, people: identity.people }, actor, { partnerId, limit: 15 }),
    Promise.all(
      lastMonths(nowMs, partner.zone ?? 'UTC').map(month =>
        makeStatement(usage, actor, { partnerId, month, countedOnly: true }),
      ),
    ),
  ])
  const fault = parts.flat().find(part => isAdminFault(part))
  if (fault) return fault
  const [keys, users, everybody, upgrades, notes, daily, calls, changes, statements] = parts
  if (isAdminFault(daily)) return daily
  if (isAdminFault(changes)) return changes
  return {
    partner,
    keys,
    users,
    everybody,
    upgrades,
    notes,
    report: sumOperations(daily),
    peaks: findPeaks(daily.rows),
    rates: await peakRates(requests, keys, nowMs),
    calls,
    changes,
    targetText: await readTargets(context, request, changes.lines, everybody),
    statements,
    packageTable: admin.packageTable,
  } as PartnerView
}

/** Returns the usage by operation of usage in smaller parts. */
function sumOperations(daily: PeriodReport): PeriodReport {
  const sums = new Map<string, UsageReportLine>()
  for (const { operation, calls, units, billableUnits } of daily.rows) {
    const sum = sums.get(String(operation)) ?? { calls: 0, units: 0, billableUnits: 0 }
    sums.set(String(operation), {
      operation: operation!,
      calls: sum.calls + calls,
      units: sum.units + units,
      billableUnits: sum.billableUnits + billableUnits,
    })
  }
  return { ...daily, rows: [...sums.values()] }
}
