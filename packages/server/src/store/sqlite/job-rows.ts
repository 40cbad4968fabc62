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
import type { Sqlite } from '../connection.ts'
import { mapPart, selectPart } from './list-query.ts'

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
  readonly cancelling: number
}

const countOf = (name: string) => `coalesce(json_extract(jobs.result, '$.${name}'), -1)`

const orders = {
  created: 'jobs.created_ms',
  state: 'jobs.state',
  source: "coalesce(lower(json_extract(jobs.request, '$.source')), '')",
  read: countOf('read'),
  added: countOf('added'),
  changed: countOf('changed'),
  rejected: countOf('rejected'),
}

const selectJobs = (control: Sqlite, { kind, state, ...span }: JobSpan) =>
  selectPart<JobRow, keyof typeof orders>(control, {
    from: ['jobs'],
    table: 'jobs',
    orders,
    byDefault: jobOrders.byDefault,
    span,
    conditions: [
      ...(kind === undefined ? [] : [['kind = ?', kind] as const]),
      ...(state === undefined ? [] : [['state = ?', state] as const]),
    ],
  })

/** Prepares the statements on the tables jobs, import_runs and import_rejects. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
export function prepareJobRows(control: Sqlite) {
  const one = control.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?')
  const unfinished = control.prepare<[], JobRow>("SELECT * FROM jobs WHERE state IN ('waiting', 'running')")
  const insert = control.prepare(
    `INSERT INTO jobs (id, kind, state, actor, request, created_ms, started_ms)
     VALUES (@id, @kind, @state, @actor, @request, @createdMs, @startedMs)`,
  )
  const take = control.prepare(
    "UPDATE jobs SET state = 'running', started_ms = @atMs WHERE id = @id AND state = 'waiting'",
  )
  const report = control.prepare("UPDATE jobs SET progress = ? WHERE id = ? AND state = 'running'")
  const end = control.prepare(
    `UPDATE jobs SET state = @state, ended_ms = @atMs, result = @result, failure = @failure, cancelling = 0
     WHERE id = @id AND state IN ('waiting', 'running')`,
  )
  const addRejects = control.prepare(
    'INSERT INTO import_rejects (job, input, rejects_file, rejects_rows) VALUES (@id, @input, @file, @rows)',
  )
  const rejects = control.prepare<[{ id: string }], RejectsOfRun>(
    `SELECT input, rejects_file AS file, rejects_rows AS rows FROM import_rejects AS run WHERE job = @id
       AND NOT EXISTS (SELECT 1 FROM import_rejects WHERE rejects_file = run.rejects_file AND job > run.job)`,
  )
  const cancel = control.prepare("UPDATE jobs SET cancelling = 1 WHERE id = ? AND state IN ('waiting', 'running')")
  const prune = control
    .prepare<[number], string>(
      `DELETE FROM jobs WHERE state NOT IN ('waiting', 'running')
         AND id < (SELECT id FROM jobs ORDER BY id DESC LIMIT 1 OFFSET ?) RETURNING id`,
    )
    .pluck()
  const addRun = control.prepare(
    'INSERT INTO import_runs (job, counts, drift, points) VALUES (@id, @counts, @drift, @points)',
  )
  const run = control.prepare<[string], { readonly drift: string; readonly points: string }>(
    'SELECT drift, points FROM import_runs WHERE job = ?',
  )
  const removals = ['import_rejects', 'import_runs'].map(table => control.prepare(`DELETE FROM ${table} WHERE job = ?`))
  const jobOf = (row: JobRow | undefined): Job | undefined => row && toJob(control, row)
  const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))

  return {
    find: (id: string) => jobOf(one.get(id)),
    part: (span: JobSpan) => mapPart(selectJobs(control, span), row => toJob(control, row)),
    unfinished: () => unfinished.all().map(row => toJob(control, row)),
    insert: (job: NewJob, state: 'waiting' | 'running') => {
      const { id, kind, createdMs } = job
      const startedMs = state === 'running' ? createdMs : null
      insert.run({ id, kind, state, createdMs, startedMs, actor: jsonOf(job.actor), request: jsonOf(job.request) })
    },
    take: (id: string, atMs: number) => take.run({ id, atMs }).changes === 1,
    report: (id: string, progress: JobProgress) => void report.run(jsonOf(progress), id),
    /** Ends a job unless it has ended. */
    end: (id: string, { state, result, failure, survey, rejects: files = [] }: JobEnd, atMs: number): boolean => {
      const columns = { id, state, atMs, result: jsonOf(result), failure: jsonOf(failure) }
      if (end.run(columns).changes === 0) return false
      for (const file of files) addRejects.run({ id, ...file })
      if (survey)
        addRun.run({ id, counts: jsonOf(result ?? {}), drift: jsonOf(survey.drift), points: jsonOf(survey.points) })
      return true
    },
    cancel: (id: string) => cancel.run(id).changes === 1,
    rejects: (id: string) => rejects.all({ id }),
    survey: (id: string): ImportSurvey | undefined => {
      const row = run.get(id)
      return row && { drift: control.parseJson(row.drift), points: control.parseJson(row.points) }
    },
    /** Deletes the oldest ended jobs and returns their ids. */
    prune: (kept: number): string[] => {
      const ids = prune.all(kept)
      for (const id of ids) for (const removal of removals) removal.run(id)
      return ids
    },
  }
}

const toJob = (control: Sqlite, row: JobRow): Job => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  actor: control.parseJson(row.actor),
  request: control.parseJson(row.request),
  createdMs: row.created_ms,
  ...(row.started_ms !== null && { startedMs: row.started_ms }),
  ...(row.ended_ms !== null && { endedMs: row.ended_ms }),
  ...(row.progress !== null && { progress: control.parseJson(row.progress) }),
  ...(row.result !== null && { result: control.parseJson(row.result) }),
  ...(row.failure !== null && { failure: control.parseJson(row.failure) }),
  isCancelling: row.cancelling === 1,
})
