import type { ImportSurvey } from '../../domain/import-survey.ts'
import {
  type Job,
  type JobEnd,
  type JobProgress,
  type JobSpan,
  jobOrders,
  type NewJob,
  type RejectsOfRun,
} from '../../domain/job.ts'
import type { ListPart } from '../../domain/list-order.ts'
import { all, get, type JsonColumns, run, type SqlDatabase, type SqlWork } from './database.ts'
import { mapPart, selectPart } from './list-query.ts'
import { equals } from './terms.ts'

interface JobRow {
  readonly id: string
  readonly kind: Job['kind']
  readonly state: Job['state']
  readonly actor: string
  readonly request: string
  readonly created_ms: number
  readonly started_ms: number | null
  readonly ended_ms: number | null
  readonly progress: string | null
  readonly result: string | null
  readonly failure: string | null
  readonly cancelling: number | boolean
}

const countOf = (name: string) => `coalesce(CAST(jobs.result ->> '${name}' AS BIGINT), -1)`

const orders = {
  created: 'jobs.created_ms',
  state: 'jobs.state',
  source: "coalesce(lower(jobs.request ->> 'source'), '')",
  read: countOf('read'),
  added: countOf('added'),
  changed: countOf('changed'),
  rejected: countOf('rejected'),
}

const isUnfinished = "state IN ('waiting', 'running')"

/** Reads a part of the jobs. */
export async function selectJobs(db: SqlDatabase, { kind, state, ...span }: JobSpan): Promise<ListPart<Job>> {
  const part = await selectPart<JobRow, keyof typeof orders>(db, {
    from: 'jobs',
    table: 'jobs',
    orders,
    byDefault: jobOrders.byDefault,
    span,
    conditions: [...equals('kind', 'kind', kind), ...equals('state', 'state', state)],
  })
  return mapPart(part, row => toJob(db, row))
}

/** Reads the jobs that wait or run. */
export function* readUnfinishedJobs(db: JsonColumns): SqlWork<Job[]> {
  const rows = yield* all<JobRow>(`SELECT * FROM jobs WHERE ${isUnfinished}`)
  return rows.map(row => toJob(db, row))
}

/** Reads a job. */
export function* readJob(db: JsonColumns, id: string): SqlWork<Job | undefined> {
  const row = yield* get<JobRow>('SELECT * FROM jobs WHERE id = @id', { id })
  return row && toJob(db, row)
}

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))

/** Stores a new job. Part of a transaction. */
export function* insertJob(job: NewJob, state: 'waiting' | 'running'): SqlWork<void> {
  const { id, kind, createdMs } = job
  const startedMs = state === 'running' ? createdMs : null
  yield* run(
    `INSERT INTO jobs (id, kind, state, actor, request, created_ms, started_ms)
     VALUES (@id, @kind, @state, @actor, @request, @createdMs, @startedMs)`,
    { id, kind, state, createdMs, startedMs, actor: jsonOf(job.actor), request: jsonOf(job.request) },
  )
}

/** Marks a waiting job as running; returns false if it does not wait any more. */
export function* takeJob(id: string, atMs: number): SqlWork<boolean> {
  const sql = "UPDATE jobs SET state = 'running', started_ms = @atMs WHERE id = @id AND state = 'waiting'"
  return (yield* run(sql, { id, atMs })) === 1
}

/** Stores the progress of a running job. */
export const reportJob = (id: string, progress: JobProgress): SqlWork<number> =>
  run("UPDATE jobs SET progress = @progress WHERE id = @id AND state = 'running'", { id, progress: jsonOf(progress) })

/** Marks an unfinished job as to be cancelled; returns false if it has ended. */
export function* cancelJob(id: string): SqlWork<boolean> {
  return (yield* run(`UPDATE jobs SET cancelling = 1 WHERE id = @id AND ${isUnfinished}`, { id })) === 1
}

/** Ends a job; returns false if it has ended. Part of a transaction. */
export function* endJob(id: string, end: JobEnd, atMs: number): SqlWork<boolean> {
  const { state, result, failure, survey, rejects = [] } = end
  const ended = yield* run(
    `UPDATE jobs SET state = @state, ended_ms = @atMs, result = @result, failure = @failure, cancelling = 0
     WHERE id = @id AND ${isUnfinished}`,
    { id, state, atMs, result: jsonOf(result), failure: jsonOf(failure) },
  )
  if (ended === 0) return false
  for (const file of rejects)
    yield* run(
      'INSERT INTO import_rejects (job, input, rejects_file, rejects_rows) VALUES (@id, @input, @file, @rows)',
      { id, ...file },
    )
  if (survey)
    yield* run('INSERT INTO import_runs (job, counts, drift, points) VALUES (@id, @counts, @drift, @points)', {
      id,
      counts: jsonOf(result ?? {}),
      drift: jsonOf(survey.drift),
      points: jsonOf(survey.points),
    })
  return true
}

/** Deletes the oldest ended jobs and returns their ids. Part of a transaction. */
export function* pruneJobs(kept: number): SqlWork<string[]> {
  const rows = yield* all<{ id: string }>(
    `DELETE FROM jobs WHERE state NOT IN ('waiting', 'running')
       AND id < (SELECT id FROM jobs ORDER BY id DESC LIMIT 1 OFFSET @kept) RETURNING id`,
    { kept },
  )
  for (const { id } of rows)
    for (const table of ['import_rejects', 'import_runs']) yield* run(`DELETE FROM ${table} WHERE job = @id`, { id })
  return rows.map(({ id }) => id)
}

/** Reads the files with rejected rows of a job, without those that a later job has replaced. */
export const readRejects = (id: string): SqlWork<RejectsOfRun[]> =>
  all(
    `SELECT input, rejects_file AS file, rejects_rows AS rows FROM import_rejects AS run WHERE job = @id
       AND NOT EXISTS (SELECT 1 FROM import_rejects WHERE rejects_file = run.rejects_file AND job > run.job)`,
    { id },
  )

/** Reads the survey of an import. */
export function* readSurvey(db: JsonColumns, id: string): SqlWork<ImportSurvey | undefined> {
  const row = yield* get<{ drift: string; points: string }>('SELECT drift, points FROM import_runs WHERE job = @id', {
    id,
  })
  return row && { drift: db.parseJson(row.drift), points: db.parseJson(row.points) }
}

const toJob = (db: JsonColumns, row: JobRow): Job => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  actor: db.parseJson(row.actor),
  request: db.parseJson(row.request),
  createdMs: row.created_ms,
  ...(row.started_ms !== null && { startedMs: row.started_ms }),
  ...(row.ended_ms !== null && { endedMs: row.ended_ms }),
  ...(row.progress !== null && { progress: db.parseJson(row.progress) }),
  ...(row.result !== null && { result: db.parseJson(row.result) }),
  ...(row.failure !== null && { failure: db.parseJson(row.failure) }),
  isCancelling: Boolean(row.cancelling),
})
