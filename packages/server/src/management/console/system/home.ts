import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Job } from '../../../domain/job.ts'
import type { Partner } from '../../../domain/partner.ts'
import type { UsageReportLine } from '../../../domain/usage-report.ts'
import { dayMs, startOfHour, startOfUtcDay, toLocalDate } from '../../../kit/time.ts'
import { jobResource } from '../../../resources/job.ts'
import { formatDateTime } from '../../../resources/schema.ts'
import { type CauseCount, countCauses } from '../../../usecases/admin/count-causes.ts'
import { listSuggestions } from '../../../usecases/admin/find-suggestion.ts'
import { listDeliveries } from '../../../usecases/admin/list-deliveries.ts'
import { listJobs } from '../../../usecases/admin/list-jobs.ts'
import { listKeys } from '../../../usecases/admin/list-keys.ts'
import { listPartners } from '../../../usecases/admin/list-partners.ts'
import { listUpgrades } from '../../../usecases/admin/list-upgrades.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import { type Html, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import { card, tiles } from '../../../web/parts/facts.ts'
import { livePart } from '../../../web/parts/live.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCompact, formatCount, formatNumber } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { distance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { describeJobFailure } from '../../job-failures.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { causesCard } from '../../shared/causes-card.ts'
import { exportFormat, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import { jobTable } from '../../shared/job-parts.ts'

/** Age of the latest backup above which it is a warning. */
const backupMaxMs = 7 * dayMs
const topPartners = 5
/** Number of open suggestions that are counted. */
const shownSuggestions = 100

/** Shows what needs attention, and the first steps of a new service. */
export async function homePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const facts = await readHome(context, request)
  if (isAdminFault(facts)) return facts
  const { top, causes, jobs, steps, problems } = facts
  const { site, zone, nowMs } = request
  const format = exportFormat(request)
  if (format) return exportList(listsOf(facts), format, request)
  const link = (path: string, text: string) => html`<a href="${linkTo(site, path)}">${text}</a>`
  return {
    title: 'Home',
    scripts: ['live.js'],
    content: [
      livePart('home', [
        steps.some(({ isDone }) => !isDone) && stepsCard(steps, request),
        problemsNotice(problems, link('/console/health', 'Health')),
        homeTiles(facts, request),
        card(
          'Partners with the most units in 30 days',
          table({
            caption: 'Partners with the most units',
            columns: [
              { label: 'Partner', kind: 'name', cell: ({ id, name }) => link(`/console/partners/${id}`, name) },
              { label: 'Calls', kind: 'number', cell: ({ calls }) => formatNumber(calls) },
              { label: 'Units', kind: 'number', cell: one => formatNumber(one.units) },
            ],
            rows: top,
            empty: html`<p class="quiet">No calls in the last 30 days.</p>`,
          }),
          { actions: link('/console/partners', 'All partners') },
        ),
        causesCard(causes, {
          title: 'Refused and failed calls in 24 hours',
          caption: 'Refused and failed calls by cause',
          requests: linkTo(site, '/console/requests'),
          period: { from: yesterdayIn(zone, nowMs) },
          zone,
          empty: 'No call was refused or failed.',
        }),
        card('Latest jobs', jobTable(jobs, { zone, site }, 'No jobs yet.'), {
          actions: link('/console/health#jobs', 'All jobs'),
        }),
      ]),
      sameElsewhere({
        cli: [
          'periplus upgrades list',
          'periplus suggestions list',
          'periplus usage --by partner',
          'periplus jobs list',
        ],
        api: ['GET /admin/v1/health', 'GET /admin/v1/upgrade-requests?state=open', 'GET /admin/v1/usage?by=partner'],
        files: listFiles(linkTo(site, '/console/'), listsOf(facts)),
      }),
    ],
  }
}

/** The facts of the page. */
type HomeFacts = Exclude<Awaited<ReturnType<typeof readHome>>, AdminFault>

const yesterdayIn = (zone: string, nowMs: number): string => toLocalDate(nowMs - dayMs, zone)

function homeTiles({ upgrades, suggestions, units, refused }: HomeFacts, { site, zone, nowMs }: PageRequest): Html {
  return tiles([
    { label: 'Open requests', value: upgrades, href: linkTo(site, '/console/upgrades'), note: 'for upgrades' },
    {
      label: 'Open suggestions',
      value: `${suggestions.rows.length}${suggestions.next ? '+' : ''}`,
      href: linkTo(site, '/console/suggestions'),
      note: 'for places',
    },
    { label: 'Units in 30 days', value: formatCompact(units), href: linkTo(site, '/console/usage') },
    {
      label: 'Refused in 24 hours',
      value: formatNumber(refused),
      href: linkTo(site, `/console/requests${toQuery({ status: '4xx', from: yesterdayIn(zone, nowMs) })}`),
      note: 'calls with a status from 400 to 499',
    },
  ])
}

const listsOf = ({ top, causes, jobs }: Pick<HomeFacts, 'top' | 'causes' | 'jobs'>): PageLists => ({
  partners: ['Partners with the most units', () => top],
  causes: ['Refused and failed calls', () => causes.causes.map(causeRow)],
  jobs: ['Latest jobs', () => jobs.map(job => jobResource(job, describeJobFailure))],
})

const causeRow = ({ fault, status, policies, calls, lastMs }: CauseCount): object => ({
  fault,
  status,
  policies,
  calls,
  last_at: formatDateTime(lastMs),
})

async function readHome(context: ManagementContext, { actor, nowMs }: PageRequest) {
  const { admin, usage, requests, work, live, webhooks, places } = context
  const fromMs = nowMs - 29 * dayMs
  const [status, measures, partners, keys, upgrades, suggestions, month, day, causes, jobs, backups, failed] =
    await Promise.all([
      live.status(),
      live.measures(),
      listPartners(admin, actor),
      listKeys(admin, actor),
      listUpgrades(admin, actor, { state: 'open' }),
      listSuggestions(places, actor, { states: ['open'], limit: shownSuggestions }),
      reportUsage(usage, actor, { fromMs: startOfUtcDay(fromMs), by: ['partner'], countedOnly: true }),
      reportUsage(usage, actor, { fromMs: startOfHour(nowMs - dayMs), by: ['status'], countedOnly: true }),
      countCauses(requests, actor, { fromMs: nowMs - dayMs }),
      listJobs(work, actor, { limit: 5 }),
      listJobs(work, actor, { kind: 'backup', state: 'done', limit: 1 }),
      listDeliveries(webhooks, actor, { state: 'failed', limit: 100 }),
    ])
  if (isAdminFault(month)) return month
  if (isAdminFault(day)) return day
  if (isAdminFault(causes)) return causes
  if (isAdminFault(failed)) return failed
  const recent = failed.rows.filter(({ event }) => event.atMs > nowMs - dayMs).length
  return {
    upgrades: upgrades.length,
    suggestions,
    units: month.units,
    top: topOf(month.rows, partners),
    jobs,
    refused: day.rows.filter(isRefusal).reduce((sum, { calls }) => sum + calls, 0),
    causes,
    problems: [
      ...status.reasons,
      ...status.notes,
      ...(recent > 0
        ? [`${formatCount(recent, 'delivery', 'deliveries')} of events of the last 24 hours failed.`]
        : []),
      ...(measures.index === undefined ? ['The search index is not loaded.'] : []),
      ...(month.calls > 0 ? backupProblem(backups[0], nowMs) : []),
    ],
    steps: [
      step('Load places', (measures.index?.places ?? 0) > 0, '/console/imports'),
      step('Create a partner', partners.length > 0, '/console/partners'),
      step('Give it a key', keys.length > 0, '/console/partners'),
      step('See the first call', month.calls > 0, '/console/requests'),
    ],
  }
}

/** Returns the partners with the most units. */
function topOf(rows: readonly UsageReportLine[], partners: readonly Partner[]) {
  const names = new Map(partners.map(({ id, name }) => [id, name]))
  return rows
    .toSorted((a, b) => b.units - a.units || b.calls - a.calls)
    .slice(0, topPartners)
    .map(({ partner, calls, units }) => {
      const id = String(partner)
      return { id, name: names.get(id) ?? id, calls, units }
    })
}

const isRefusal = ({ status }: UsageReportLine): boolean => Number(status) >= 400 && Number(status) < 500

function backupProblem(latest: Job | undefined, nowMs: number): string[] {
  const endedMs = latest?.endedMs
  if (endedMs === undefined) return ['There is no backup yet.']
  return nowMs - endedMs > backupMaxMs ? [`The latest backup ended ${distance(endedMs, nowMs)}.`] : []
}

/** A first step of a new service. */
interface Step {
  readonly text: string
  readonly isDone: boolean
  readonly path: string
}

const step = (text: string, isDone: boolean, path: string): Step => ({ text, isDone, path })

const stepsCard = (steps: readonly Step[], { site }: PageRequest): Html =>
  card(
    'First steps',
    html`<ol class="steps">
${steps.map(
  ({ text, isDone, path }) => html`<li>${icon(isDone ? 'check-circle-fill' : 'circle')}
<a href="${linkTo(site, path)}">${text}</a>${isDone && html`<span class="unseen"> (done)</span>`}</li>\n`,
)}</ol>
`,
  )

/** Returns what needs attention, with a link to the page that says more. */
const problemsNotice = (problems: readonly string[], more: Html): Html =>
  problems.length === 0
    ? notice('good', html`<p>No problems found.</p>`)
    : notice(
        'warn',
        problems.map((text, i) => html`<p>${text} ${i === problems.length - 1 && more}</p>`),
      )
