import type { JobFaultFacts } from '../domain/job-fault.ts'
import { type JobKind, jobNouns } from '../domain/job-kind.ts'
import { formatMegabytes } from '../kit/bytes.ts'
import { CommandError } from './errors.ts'

const commandError = (text: string): Error => new CommandError(text)
const seeJobs = "Run 'periplus jobs list' to see all jobs."
const aJob = (kind: JobKind): string => `${/^[aeiou]/.test(jobNouns[kind]) ? 'An' : 'A'} ${jobNouns[kind]}`

/** The message and exit code of each fault of jobs. */
export const jobFaultErrors: { readonly [C in keyof JobFaultFacts]: (fault: JobFaultFacts[C]) => Error } = {
  job_unknown: ({ job }) => commandError(`Job ${job} does not exist. ${seeJobs}`),
  job_ended: ({ job, state }) => commandError(`Job ${job} has ended (${state}), so it cannot be cancelled.`),
  job_running: ({ kind, job, unfinished = 1 }) =>
    commandError(
      unfinished > 1
        ? `${unfinished} jobs of the kind ${kind} are running or waiting already. Wait until one has ended, or cancel ${job}.`
        : `${aJob(kind)} is running already: job ${job}. Wait until it has ended, or cancel it.`,
    ),
  job_not_waiting: ({ job }) => commandError(`Job ${job} does not wait to be run. ${seeJobs}`),
  job_cancelled: () => commandError('The job was cancelled. Start it again to complete it.'),
  job_process_ended: () => commandError('The process of the job ended before the job did. Start the job again.'),
  job_failed: ({ detail }) => commandError(detail),
  snapshot_unknown: ({ feed, version, snapshot }) =>
    commandError(
      `The feed ${feed} in version ${version} has no snapshot ${snapshot}. Run 'periplus feeds list' to see all snapshots.`,
    ),
  snapshot_gone: ({ feed, version, snapshot }) =>
    commandError(`The snapshot ${snapshot} of ${feed} in version ${version} is not available any more.`),
  scan_unknown: ({ scan }) =>
    commandError(`Scan ${scan} does not exist, has expired, or was removed by an erasure. Start it again.`),
  import_unknown: ({ import: id }) =>
    commandError(`Import ${id} does not exist. Run 'periplus imports list' to see all imports.`),
  upload_too_large: ({ maxBytes }) =>
    commandError(`The upload has more than ${formatMegabytes(maxBytes)} (imports.uploadMb).`),
  backup_folder_unset: () =>
    commandError('The setting backup.dir is missing. Set it to the folder for backups that are started remotely.'),
  backup_of_database: () =>
    commandError('The stores are in a database. Back it up with pg_dump, or by archiving its log.'),
}
