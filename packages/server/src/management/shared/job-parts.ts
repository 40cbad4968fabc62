import type { Job } from '../../domain/job.ts'
import { type JobKind, type JobState, jobNouns } from '../../domain/job-kind.ts'
import { type Html, html } from '../../web/html.ts'
import { badge, type Tone } from '../../web/parts/notice.ts'
import { formatBytes, formatNumber, formatPercent } from '../../web/parts/number.ts'
import { describeJobFailure } from '../job-failures.ts'

const states: Readonly<Record<JobState, readonly [Tone | 'plain', string]>> = {
  waiting: ['info', 'Waiting'],
  running: ['info', 'Running'],
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
}

/** Returns the state of a job. */
export const jobState = ({ state, isCancelling }: Pick<Job, 'state' | 'isCancelling'>): Html =>
  isCancelling && state === 'running' ? badge('warn', 'Cancelling') : badge(...states[state])

/** Returns the kind of a job with a capital letter: "Import". */
export const jobKind = (kind: JobKind): string => jobNouns[kind].replace(/^./, letter => letter.toUpperCase())

/** Returns how far a running job is, or why it failed. */
export function jobProgress({ state, progress, failure }: Job): Html | undefined {
  if (failure) return html`${describeJobFailure(failure)}`
  if (state !== 'running' || !progress) return undefined
  const { phase, done, total, unit } = progress
  const amount = unit === 'bytes' ? formatBytes(done) : `${formatNumber(done)} ${unit}`
  return html`${phase}: ${total === undefined || total === 0 ? amount : formatPercent(done / total)}`
}
