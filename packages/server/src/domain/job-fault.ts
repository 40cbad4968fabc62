import type { JobKind, JobState } from './job-kind.ts'

/** Members of the faults of jobs and snapshots, by code (see AdminFaultFacts). */
export interface JobFaultFacts {
  job_unknown: { readonly job: string }
  /** The job cannot be cancelled, because it has ended. */
  job_ended: { readonly job: string; readonly state: JobState }
  /** As many jobs of the kind wait or run as may: `unfinished`, one if it is missing. */
  job_running: { readonly kind: JobKind; readonly job: string; readonly unfinished?: number }
  /** The job does not wait for a process. */
  job_not_waiting: { readonly job: string }
  job_cancelled: object
  /** The process of the job ended before the job did. */
  job_process_ended: object
  /** `detail` is a user-facing message. */
  job_failed: { readonly detail: string }
  snapshot_unknown: { readonly feed: string; readonly version: string; readonly snapshot: string }
  /** The snapshot has ended before. */
  snapshot_gone: { readonly feed: string; readonly version: string; readonly snapshot: string }
  /** The scan never existed, has expired, or was removed by an erasure. */
  scan_unknown: { readonly scan: string }
  import_unknown: { readonly import: string }
  /** The uploaded input has more bytes than the setting `imports.uploadMb` permits. */
  upload_too_large: { readonly maxBytes: number }
  /** The setting `backup.dir` is missing, which names the folder for backups that are started remotely. */
  backup_folder_unset: object
  /** The stores are in a database, which its own tools back up. */
  backup_of_database: object
}
