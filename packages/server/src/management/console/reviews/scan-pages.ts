import { setTimeout as wait } from 'node:timers/promises'
import { type AdminFault, adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Job } from '../../../domain/job.ts'
import { cancelJob } from '../../../usecases/admin/cancel-job.ts'
import { checkReason } from '../../../usecases/admin/check-texts.ts'
import { getJob } from '../../../usecases/admin/get-job.ts'
import { listJobs } from '../../../usecases/admin/list-jobs.ts'
import { startModeration } from '../../../usecases/admin/start-moderation.ts'
import { startReviewScan } from '../../../usecases/admin/start-review-scan.ts'
import { html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { faultText, type RefusedForm, reasonError, refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { jobState } from '../../shared/job-parts.ts'
import { filtersOf } from './review-decisions.ts'
import { reviewListView } from './review-list.ts'
import { reviewsPath } from './reviews-path.ts'

/** Time for which the answer waits for a short job, so that its page shows the result at once, in milliseconds. */
const settleMs = 2000
const checkEveryMs = 100
const shownScans = 5

const fields: readonly Field[] = [
  {
    name: 'text',
    label: 'Title or text contains',
    type: 'search',
    required: false,
    hint: 'In any case, and in any language of the review.',
  },
  { name: 'user', label: 'User', placeholder: 'source:id', required: false, hint: 'All reviews by this user.' },
  {
    name: 'state',
    label: 'State',
    type: 'select',
    choices: [
      { value: 'shown', label: 'Shown' },
      { value: 'hidden', label: 'Hidden' },
    ],
  },
]

/** Shows the form of a scan, and the latest scans. */
export const scanPage = (context: ManagementContext, request: PageRequest): Promise<PageAnswer> =>
  scanView(context, request)

async function scanView({ work }: ManagementContext, request: PageRequest, refused?: RefusedForm): Promise<PageView> {
  const scans = await listJobs(work, request.actor, { kind: 'scan', limit: shownScans })
  return {
    title: 'Find reviews',
    trail: [{ path: reviewsPath, label: 'Reviews' }],
    lead: 'A scan reads all reviews, because no index has their texts and users. Its result is kept for a day.',
    ...(refused && { status: refused.status }),
    content: [
      form({
        action: linkTo(request.site, `${reviewsPath}/scan`),
        button: 'Start scan',
        fields: refused?.fields ?? fields,
        error: refused?.error,
      }),
      scans.length > 0 && card('Last scans', scanTable(scans, request)),
      sameElsewhere({ cli: 'periplus reviews scan --text TEXT', api: 'POST /admin/v1/review-scans' }),
    ],
  }
}

const scanTable = (scans: readonly Job[], { zone, site }: PageRequest) =>
  table<Job>({
    caption: 'Last scans',
    columns: [
      {
        label: 'Started',
        kind: 'name',
        cell: ({ id, createdMs }) =>
          html`<a href="${linkTo(site, reviewsPath + toQuery({ scan: id }))}">${time(createdMs, zone)}</a>`,
      },
      { label: 'State', cell: jobState },
      { label: 'Read', kind: 'number', cell: ({ result }) => result && formatNumber(Number(result.read)) },
      { label: 'Found', kind: 'number', cell: ({ result }) => result && formatNumber(Number(result.found)) },
    ],
    rows: scans,
  })

/** Starts a scan. */
export async function startScanPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const textOf = (name: string) => sent.text(name) || undefined
  const state = sent.text('state') === 'hidden' ? 'hidden' : 'shown'
  const job = await startReviewScan(context.work, actor, { state, user: textOf('user'), text: textOf('text') })
  if (isAdminFault(job)) return scanView(context, request, refuseForm(fields, sent, job))
  await settle(context, request, job)
  return { redirect: reviewsPath + toQuery({ scan: job.id }) }
}

/** Hides or shows all reviews that a scan has found. */
export const decideFoundPage =
  (action: 'hide' | 'show') =>
  async (context: ManagementContext, request: PageRequest): Promise<PageAnswer> => {
    const { form: sent, actor } = request
    const [reason, filters] = [sent.text('reason'), filtersOf(request)]
    const refuse = (fault: AdminFault) => {
      const atReason = reasonError(fault)
      const refused = { reason, ids: sent.all('id') }
      const why = atReason === undefined ? { error: faultText(fault) } : { reasonError: atReason }
      return reviewListView(context, request, filters, { ...refused, ...why })
    }
    const fault = checkReason(reason)
    if (fault) return refuse(fault)
    const job = await startModeration(context.work, actor, { scan: filters.scan ?? '', action, reason })
    if (isAdminFault(job)) return refuse(job)
    await settle(context, request, job)
    return { redirect: reviewsPath + toQuery({ scan: filters.scan }) }
  }

/** Cancels a scan, or a decision about its results. */
export async function cancelScanPage({ work }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const id = request.form.text('job')
  const found = await getJob(work, request.actor, { id })
  if (isAdminFault(found)) return found
  if (found.kind !== 'scan' && found.kind !== 'moderation') return adminFault('job_unknown', ['id'], { job: id })
  const job = await cancelJob(work, request.actor, { id })
  if (isAdminFault(job)) return job
  const scan = typeof job.request.scan === 'string' ? job.request.scan : job.id
  return { redirect: reviewsPath + toQuery({ scan }), message: 'The job is being cancelled.' }
}

/** Waits for a while until a job has ended. */
async function settle({ work }: ManagementContext, { actor }: PageRequest, { id }: Job): Promise<void> {
  for (let waitedMs = 0; waitedMs < settleMs; waitedMs += checkEveryMs) {
    const job = await getJob(work, actor, { id })
    if (isAdminFault(job) || job.endedMs !== undefined) return
    await wait(checkEveryMs)
  }
}
