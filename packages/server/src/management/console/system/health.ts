import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Job } from '../../../domain/job.ts'
import type { RecentWarning } from '../../../kit/recent-warnings.ts'
import { jobResource } from '../../../resources/job.ts'
import { formatDateTime } from '../../../resources/schema.ts'
import { cancelJob } from '../../../usecases/admin/cancel-job.ts'
import { listJobs } from '../../../usecases/admin/list-jobs.ts'
import { startBackup } from '../../../usecases/admin/start-backup.ts'
import { startVerify } from '../../../usecases/admin/start-verify.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { livePart } from '../../../web/parts/live.ts'
import { badge, notice } from '../../../web/parts/notice.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time, timeDistance } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { describeJobFailure } from '../../job-failures.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat, exportList, listFiles, type PageLists } from '../../shared/export.ts'
import { jobTable } from '../../shared/job-parts.ts'
import { diskCard, diskRow } from './disk-card.ts'
import { feedAgeRow } from './feed-age-row.ts'
import type { MeasureRow } from './measure-row.ts'
import { measureRows } from './measure-rows.ts'

const maxWarnings = 500
const shownJobs = 10

/** Shows whether the service works: readiness, measures, disk, jobs and the latest warnings. */
export async function healthPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { live, work, disk, release, node } = context
  const { actor, nowMs, may } = request
  const [status, measures, jobs, space] = await Promise.all([
    live.status(),
    live.measures(),
    listJobs(work, actor, { limit: shownJobs }),
    disk(),
  ])
  const feedAges = await feedAgeRow(context, request, measures.startedMs)
  const rows = measureRows(measures, nowMs, [feedAges, diskRow(space)])
  const warnings = [...measures.warnings, ...context.warnings()].sort((a, b) => b.atMs - a.atMs).slice(0, maxWarnings)
  const problems = [...status.reasons, ...status.notes]
  const lists: PageLists = {
    measures: ['Measures', () => rows.map(toMeasureExport)],
    jobs: ['Jobs', () => jobs.map(job => jobResource(job, describeJobFailure))],
    warnings: ['Warnings', () => warnings.map(toWarningExport)],
  }
  const format = exportFormat(request)
  if (format) return exportList(lists, format, request)
  return {
    title: 'Health',
    lead: html`${status.ready ? badge('good', 'Ready') : badge('bad', 'Not ready')} Release ${release}${
      node && html` · Measures, disk and warnings of node <code>${node.id}</code> on ${node.name}; each shows its own`
    }`,
    scripts: ['live.js'],
    content: [
      livePart('health', [
        problems.length > 0 &&
          notice(status.ready ? 'warn' : 'bad', html`<ul>${problems.map(text => html`<li>${text}</li>`)}</ul>`),
        card('Measures', measureTable(rows)),
        diskCard(space),
        jobsCard(jobs, request, may('system:write')),
        warningsCard(warnings, request),
      ]),
      sameElsewhere({
        cli: ['periplus verify', 'periplus backup FOLDER', 'periplus jobs list'],
        api: ['GET /admin/v1/health', 'POST /admin/v1/backups', 'POST /admin/v1/verify'],
        files: listFiles(linkTo(request.site, '/console/health'), lists),
      }),
    ],
  }
}

const toMeasureExport = ({ label, value, fine, tone }: MeasureRow): object => ({
  measure: label,
  now: value,
  threshold: fine,
  state: words[tone],
})

const toWarningExport = ({ atMs, level, message, facts }: RecentWarning): object => ({
  at: formatDateTime(atMs),
  level,
  message,
  facts,
})

const words = { good: 'OK', warn: 'Attention', bad: 'Failing' } as const

const measureTable = (rows: readonly MeasureRow[]) =>
  table({
    caption: 'Measures of the service',
    columns: [
      { label: 'Measure', kind: 'name', cell: ({ label }) => label },
      { label: 'Now', cell: ({ value }) => value },
      { label: 'Threshold', cell: ({ fine }) => html`<span class="quiet">${fine}</span>` },
      { label: 'State', cell: ({ tone }) => badge(tone, words[tone]) },
    ],
    rows,
  })

function jobsCard(jobs: readonly Job[], { site, zone, nowMs }: PageRequest, canStart: boolean): Html {
  const path = linkTo(site, '/console/health')
  const isOpen = ({ state, isCancelling }: Job) => !isCancelling && (state === 'waiting' || state === 'running')
  const list = jobTable(jobs, { zone, site }, 'No imports, backups, verifications or builds of feeds yet.', [
    { label: 'Ended', cell: ({ endedMs }) => endedMs !== undefined && timeDistance(endedMs, nowMs) },
    {
      label: 'Action',
      kind: 'actions',
      cell: job => canStart && isOpen(job) && buttonForm(`${path}/cancel`, 'Cancel', { job: job.id }),
    },
  ])
  const buttons = [buttonForm(`${path}/backup`, 'Start backup'), buttonForm(`${path}/verify`, 'Start verification')]
  return card('Jobs', list, { id: 'jobs', ...(canStart && { actions: buttons }) })
}

const warningsCard = (warnings: readonly RecentWarning[], { zone }: PageRequest): Html =>
  card(
    'Warnings',
    table({
      caption: 'Latest warnings and errors of the log, newest first',
      columns: [
        { label: 'When', cell: ({ atMs }) => time(atMs, zone, 'second') },
        { label: 'Level', cell: ({ level }) => badge(level === 'error' ? 'bad' : 'warn', level) },
        {
          label: 'Message',
          cell: ({ message, facts }) => [
            message,
            Object.entries(facts).map(([name, value]) => html` <span class="quiet">${name}: ${value}</span>`),
          ],
        },
      ],
      rows: warnings,
      empty: html`<p class="quiet">No warnings since the start. With server.logLevel error or silent they are not
recorded.</p>`,
    }),
    { actions: html`<span class="quiet">${formatCount(warnings.length, 'line')}</span>` },
  )

const toJobs = '/console/health#jobs'

/** Starts a backup. */
export async function beginBackup({ work }: ManagementContext, { actor }: PageRequest): Promise<PageAnswer> {
  const job = await startBackup(work, actor)
  return isAdminFault(job) ? job : { redirect: toJobs, message: 'The backup has started.' }
}

/** Starts a verification. */
export async function beginVerify({ work }: ManagementContext, { actor }: PageRequest): Promise<PageAnswer> {
  const job = await startVerify(work, actor)
  return isAdminFault(job) ? job : { redirect: toJobs, message: 'The verification has started.' }
}

/** Cancels a job. */
export async function cancel({ work }: ManagementContext, { actor, form }: PageRequest): Promise<PageAnswer> {
  const job = await cancelJob(work, actor, { id: form.text('job') })
  return isAdminFault(job) ? job : { redirect: toJobs, message: 'The job is being cancelled.' }
}
