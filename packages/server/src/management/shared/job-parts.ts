import type { Job } from '../../domain/job.ts'
import { type JobKind, type JobState, jobNouns } from '../../domain/job-kind.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { link } from '../../web/parts/link.ts'
import { badge, type Tone } from '../../web/parts/notice.ts'
import { formatBytes, formatNumber, formatPercent } from '../../web/parts/number.ts'
import { type Column, table } from '../../web/parts/table.ts'
import { time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import { describeJobFailure } from '../job-failures.ts'
import type { PageRequest } from '../pages/page-route.ts'

const states: Readonly<Record<JobState, readonly [Tone | 'plain', string]>> = {
  waiting: ['info', 'Waiting'],
  running: ['info', 'Running'],
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
}

/**
 * Returns a table of jobs, with links to the pages of imports; `more` are columns at its end, `empty` is shown if there
 * are no jobs.
 */
export const jobTable = (
  jobs: readonly Job[],
  { zone, site }: Pick<PageRequest, 'zone' | 'site'>,
  empty: string,
  more: readonly Column<Job>[] = [],
): HtmlValue =>
  table<Job>({
    caption: 'Latest jobs',
    columns: [
      {
        label: 'Job',
        kind: 'name',
        cell: ({ kind, id }) =>
          kind === 'import' ? link(linkTo(site, `/console/imports/${id}`), jobKind(kind)) : jobKind(kind),
      },
      { label: 'State', cell: jobState },
      { label: 'Progress', cell: jobProgress },
      { label: 'Started', cell: ({ createdMs }) => time(createdMs, zone) },
      ...more,
    ],
    rows: jobs,
    empty: html`<p class="quiet">${empty}</p>`,
  })

/** Returns the state of a job. */
export const jobState = ({ state, isCancelling }: Pick<Job, 'state' | 'isCancelling'>): Html =>
  isCancelling && state === 'running' ? badge('warn', 'Cancelling') : badge(...states[state])

/** Returns the kind of a job with a capital letter: "Import". */
const jobKind = (kind: JobKind): string => jobNouns[kind].replace(/^./, letter => letter.toUpperCase())

/** Returns how far a running job is, or why it failed. */
export function jobProgress({ state, progress, failure }: Job): Html | undefined {
  if (failure) return html`${describeJobFailure(failure)}`
  if (state !== 'running' || !progress) return undefined
  const { phase, done, total, unit } = progress
  const amount = unit === 'bytes' ? formatBytes(done) : `${formatNumber(done)} ${unit}`
  return html`${phase}: ${total === undefined || total === 0 ? amount : formatPercent(done / total)}`
}
