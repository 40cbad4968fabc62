import type { AdminFault } from '../domain/admin-fault.ts'
import type { ImportSurvey } from '../domain/import-survey.ts'
import type { Job, JobProgress, RejectedRow, RejectsOfRun } from '../domain/job.ts'
import { jobKinds, jobStates } from '../domain/job-kind.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const jsonObject = () => Type.Unsafe<object>({ type: 'object' })

const members = {
  id: Type.String(),
  kind: Type.Enum(jobKinds),
  state: Type.Enum(jobStates),
  actor: closedObject({ kind: Type.String(), id: Type.String(), via: Type.String() }),
  /** The requested work. */
  request: jsonObject(),
  created_at: dateTime(),
  started_at: Type.Optional(dateTime()),
  ended_at: Type.Optional(dateTime()),
  progress: Type.Optional(
    closedObject({
      phase: Type.String(),
      part: Type.Optional(Type.String()),
      done: count(),
      total: Type.Optional(count()),
      unit: Type.Enum(['bytes', 'rows', 'checks', 'records']),
      rows: Type.Optional(count()),
    }),
  ),
  /** True from the request to cancel the job until it ends. */
  cancelling: Type.Boolean(),
  /** The result, as the command prints it with `--json`. */
  result: Type.Optional(jsonObject()),
  failure: Type.Optional(closedObject({ code: Type.String(), message: Type.String() })),
}

export const jobSchema = closedObject(members)
export type JobResource = Resource<typeof jobSchema>

/** Presents a job. `describe` returns the message of a fault. */
export const jobResource = (job: Job, describe: (fault: AdminFault) => string): JobResource => ({
  id: job.id,
  kind: job.kind,
  state: job.state,
  actor: { kind: job.actor.kind, id: job.actor.id, via: job.actor.via },
  request: job.request,
  created_at: formatDateTime(job.createdMs),
  ...(job.startedMs !== undefined && { started_at: formatDateTime(job.startedMs) }),
  ...(job.endedMs !== undefined && { ended_at: formatDateTime(job.endedMs) }),
  ...(job.progress && { progress: progressResource(job.progress) }),
  cancelling: job.isCancelling,
  ...(job.result && { result: job.result }),
  ...(job.failure && { failure: { code: job.failure.fault, message: describe(job.failure) } }),
})

const progressResource = ({ phase, part, done, total, unit, rows }: JobProgress) => ({
  phase,
  done,
  unit,
  ...(part !== undefined && { part }),
  ...(total !== undefined && { total }),
  ...(rows !== undefined && { rows }),
})

export const jobListSchema = closedObject({ jobs: Type.Array(jobSchema) })

const driftCount = () =>
  closedObject({
    /** Missing for places without one. */
    value: Type.Optional(Type.String()),
    added: count(),
    changed: count(),
    unchanged: count(),
  })

export const importRunSchema = closedObject({
  ...members,
  /** Accepted places by country and by category; missing without places, and before the end of the import. */
  drift: Type.Optional(closedObject({ countries: Type.Array(driftCount()), categories: Type.Array(driftCount()) })),
  /** At most 2,000 sampled positions of accepted and rejected places. */
  points: Type.Optional(
    Type.Array(
      closedObject({
        lat: Type.Number({ minimum: -90, maximum: 90 }),
        lon: Type.Number({ minimum: -180, maximum: 180 }),
        /** Reason of the rejection; missing for an accepted place. */
        rejected: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** Numbers of rejected rows by input. */
  rejects: Type.Array(closedObject({ input: Type.String(), rows: count() })),
})

interface ShownRun {
  readonly job: Job
  readonly rejects: readonly RejectsOfRun[]
  readonly survey?: ImportSurvey | undefined
}

/** Presents the run of an import. */
export const importRunResource = (
  { job, rejects, survey }: ShownRun,
  describe: (fault: AdminFault) => string,
): Resource<typeof importRunSchema> => ({
  ...jobResource(job, describe),
  ...(survey && {
    drift: { countries: [...survey.drift.countries], categories: [...survey.drift.categories] },
    points: survey.points.map(({ latitude: lat, longitude: lon, rejected }) => ({
      lat,
      lon,
      ...(rejected !== undefined && { rejected }),
    })),
  }),
  rejects: rejects.map(({ input, rows }) => ({ input, rows })),
})

export const rejectedRowSchema = closedObject({
  input: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  reason: Type.String(),
  field: Type.Optional(Type.String()),
  detail: Type.String(),
  row: Type.Optional(Type.String()),
})

/** Presents a row that an import rejected. */
export const rejectedRowResource = (row: RejectedRow): Resource<typeof rejectedRowSchema> => ({
  input: row.input,
  line: row.line,
  reason: row.reason,
  ...(row.field !== undefined && { field: row.field }),
  detail: row.detail,
  ...(row.row !== undefined && { row: row.row }),
})
