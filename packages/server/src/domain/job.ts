import type { JsonObject } from '../kit/json.ts'
import type { Actor } from './actor.ts'
import type { AdminFault } from './admin-fault.ts'
import type { ChangeRecord } from './change-record.ts'
import type { ImportSurvey } from './import-survey.ts'
import type { JobKind, JobState } from './job-kind.ts'
import type { ListOrders, ListPart, ListSpan } from './list-order.ts'

/** The progress of a job. `done` and `total` are in `unit`; the total may be unknown. */
export interface JobProgress {
  /** The kind of work, such as `input`, `index` or `checks`. */
  readonly phase: string
  /** The part of it, such as the name of a file or of a check. */
  readonly part?: string
  readonly done: number
  readonly total?: number
  readonly unit: 'bytes' | 'rows' | 'checks' | 'records'
  /** Rows read so far, of an import. */
  readonly rows?: number
}

/** A piece of long work: an import, a backup, a verification or a build of feeds. */
export interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly state: JobState
  readonly actor: Actor
  /** The requested work. Contains names of files, never their folders. */
  readonly request: JsonObject
  readonly createdMs: number
  readonly startedMs?: number
  readonly endedMs?: number
  readonly progress?: JobProgress
  /** The result, as the command prints it with `--json`. */
  readonly result?: JsonObject
  readonly failure?: AdminFault
  /** True from the request to cancel the job until it ends. */
  readonly isCancelling: boolean
}

/** A job before its start. */
export type NewJob = Pick<Job, 'id' | 'kind' | 'actor' | 'request' | 'createdMs'>

/** The end of a job. */
export interface JobEnd {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly result?: JsonObject
  readonly failure?: AdminFault
  /** The rejected rows of an import. */
  readonly rejects?: readonly RejectsOfRun[]
  /** The places of an import. */
  readonly survey?: ImportSurvey
}

/** The rejected rows of one input of an import. */
export interface RejectsOfRun {
  /** Name of the input, without its folder. */
  readonly input: string
  /** Path at which the process of the import has written the rejected rows. */
  readonly file: string
  readonly rows: number
}

/** A row that an import rejected. */
export interface RejectedRow {
  /** Name of the input. */
  readonly input: string
  /** Number of the row in its input, from 1. */
  readonly line: number
  readonly reason: string
  readonly field?: string
  /** User-facing message. */
  readonly detail: string
  /** Text of the row; missing for a row of an erased review. */
  readonly row?: string
}

/** A job that this process runs. Other processes see that it has died when the process ends in any way. */
export interface RunningJob {
  readonly job: Job
  report(progress: JobProgress): Promise<void>
  /** Returns true once a caller has requested to cancel the job. */
  isCancelling(): Promise<boolean>
  /** Ends the job and writes the record of its end. */
  end(end: JobEnd): Promise<void>
}

/** A job that waits until another process takes it. */
export interface WaitingJob {
  readonly job: Job
  /** Reports that no process will take the job any more; it has no effect after one has. */
  abandon(failure: AdminFault): Promise<void>
}

/** The orders of jobs: by creation, state and source, and by the counts of an import. */
export const jobOrders = {
  first: {
    created: 'desc',
    state: 'asc',
    source: 'asc',
    read: 'desc',
    added: 'desc',
    changed: 'desc',
    rejected: 'desc',
  },
  byDefault: { by: 'created', isDescending: true },
} as const satisfies ListOrders
export type JobOrder = keyof typeof jobOrders.first

/** Number of ended jobs that are kept. */
export const keptJobs = 1000

/** Selects jobs, newest first. */
export interface JobQuery {
  readonly kind?: JobKind | undefined
  readonly state?: JobState | undefined
  readonly limit: number
}

/** Selects a part of the jobs. */
export interface JobSpan extends Omit<JobQuery, 'limit'>, ListSpan<JobOrder> {}

/** The jobs of a data folder. Reading them marks a job as failed if its process has ended without a report. */
export interface JobStore {
  /** Adds a job that another process is going to take. */
  add(job: NewJob, record: ChangeRecord): Promise<WaitingJob>
  /** Starts a job in this process. */
  start(job: NewJob): Promise<RunningJob>
  /** Starts a job in this process that another one has added; undefined if it does not wait any more. */
  take(id: string): Promise<RunningJob | undefined>
  find(id: string): Promise<Job | undefined>
  list(query: JobQuery): Promise<Job[]>
  /** Returns a part of the jobs in an order. */
  part(span: JobSpan): Promise<ListPart<Job>>
  /** Requests to cancel a job; a waiting one ends immediately. Returns undefined if it does not exist or has ended. */
  cancel(id: string, record: ChangeRecord): Promise<Job | undefined>
  /** Returns the files with the rejected rows of an import, without those that a later import has replaced. */
  rejects(id: string): Promise<RejectsOfRun[]>
  /** Returns the survey of an import; undefined without places, and before its end. */
  survey(id: string): Promise<ImportSurvey | undefined>
  /**
   * Marks jobs whose process has died as failed, with their events, and removes what killed processes have left:
   * folders without a job, such as one of an incomplete upload, in which nothing has changed for ten minutes.
   */
  sweep(): Promise<void>
  /** Returns the folder of the files of a job, such as an uploaded input. */
  folderOf(id: string): string
}
