import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { Job } from '../../../domain/job.ts'
import type { ScanQuery } from '../../../domain/review-list.ts'
import { getJob } from '../../../usecases/admin/get-job.ts'
import { listJobs } from '../../../usecases/admin/list-jobs.ts'
import { type Html, html } from '../../../web/html.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber, formatPercent } from '../../../web/parts/number.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { describeJobFailure } from '../../job-failures.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { reviewsPath } from './reviews-path.ts'

/** Number of decisions among which the latest one about a scan is searched. */
const searchedJobs = 20

/** Returns the query and the progress of a scan, and of the latest decision about its results. */
export async function scanHeader(
  { work }: ManagementContext,
  request: PageRequest,
  id: string,
  scan: { readonly query: ScanQuery; readonly found: number } | undefined,
): Promise<Html> {
  const again = html`<a href="${linkTo(request.site, `${reviewsPath}/scan`)}">Start another scan</a>`
  if (!scan)
    return notice('warn', html`<p>This scan does not exist, has expired, or was removed by an erasure. ${again}.</p>`)
  const job = await getJob(work, request.actor, { id })
  const decisions = await listJobs(work, request.actor, { kind: 'moderation', limit: searchedJobs })
  const decision = decisions.find(one => one.request.scan === id)
  return html`<p>${queryText(scan.query)} ${again}.</p>
${!isAdminFault(job) && scanNotice(job, scan.found, request)}${decision && decisionNotice(decision, request)}`
}

const queryText = ({ state, user, text }: ScanQuery): Html =>
  html`${state === 'shown' ? 'Shown' : 'Hidden'} reviews${[
    user !== undefined && html` of the user <strong>${user}</strong>`,
    text !== undefined && html` with the text <strong>“${text}”</strong>`,
  ]}.`

function scanNotice(job: Job, found: number, request: PageRequest): Html {
  const { state, progress, failure, result = {} } = job
  if (failure)
    return notice('warn', html`<p>${describeJobFailure(failure)} ${formatCount(found, 'review')} found before.</p>`)
  if (state === 'done') {
    const cut = result.truncated === true && ' The scan ends at this number: decide about them, then scan again.'
    return notice(
      'info',
      html`<p>Read ${formatCount(Number(result.read), 'review')} and found ${formatNumber(found)}.${cut}</p>`,
    )
  }
  return runningNotice(job, `Reading reviews${shareText(progress)}; ${formatNumber(found)} found so far.`, request)
}

function decisionNotice(job: Job, request: PageRequest): Html {
  const { state, progress, failure, result = {}, request: requested } = job
  const isHiding = requested.action === 'hide'
  const changed = `${formatNumber(Number(result.changed))} of ${formatCount(Number(result.found), 'review')}`
  if (failure) return notice('warn', html`<p>${describeJobFailure(failure)}</p>`)
  if (state === 'done')
    return notice(
      'good',
      html`<p>${changed} ${result.changed === 1 ? 'is' : 'are'} now ${isHiding ? 'hidden' : 'shown again'}.</p>`,
    )
  return runningNotice(job, `${isHiding ? 'Hiding' : 'Showing'} the reviews${shareText(progress)}.`, request)
}

const shareText = (progress: Job['progress']): string =>
  progress?.total ? `: ${formatPercent(progress.done / progress.total)}` : ''

const runningNotice = ({ id, isCancelling }: Job, text: string, { site, may }: PageRequest): Html =>
  notice('info', [
    html`<p>${isCancelling ? 'Cancelling.' : text}</p>`,
    !isCancelling &&
      may('reviews:moderate') &&
      buttonForm(linkTo(site, `${reviewsPath}/cancel`), 'Cancel', { job: id }),
  ])
