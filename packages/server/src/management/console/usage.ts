import type { Job } from '../../domain/job.ts'
import { listJobs } from '../../usecases/admin/list-jobs.ts'
import { type Html, html } from '../../web/html.ts'
import { notice } from '../../web/parts/notice.ts'
import { time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import { consolePage, type PageRequest } from '../pages/page-route.ts'
import { usagePage } from '../shared/usage.ts'
import { isLongSpan } from '../shared/usage-filter.ts'

/** The calls and units of all partners. */
export const consoleUsagePages = [
  consolePage({
    method: 'GET',
    path: '/usage',
    permission: 'usage:read',
    isCostly: isLongSpan,
    handler: async (context, request) =>
      usagePage(context, request, {
        lead: 'Calls and units of all partners, including the latest call.',
        dimensions: ['operation', 'partner', 'key', 'version', 'status'],
        extra: verified(await lastVerification(context, request), request),
      }),
  }),
]

/** Returns the last completed comparison of journal and ledger. */
async function lastVerification({ work }: ManagementContext, { actor }: PageRequest): Promise<Job | undefined> {
  const [job] = await listJobs(work, actor, { kind: 'verify', state: 'done', limit: 1 })
  return job
}

const verified = (job: Job | undefined, { zone, site }: PageRequest): Html => {
  if (job?.endedMs === undefined)
    return notice(
      'info',
      html`<p>The usage has not been compared with the journal yet.
<a href="${linkTo(site, '/console/health')}">Health</a> starts a verification.</p>`,
    )
  return job.result?.ok === true
    ? html`<p class="quiet">Verified ${time(job.endedMs, zone)}: the usage matches the journal.</p>`
    : notice(
        'warn',
        html`<p>The verification of ${time(job.endedMs, zone)} found problems.
<a href="${linkTo(site, '/console/health')}">Health</a> shows them.</p>`,
      )
}
