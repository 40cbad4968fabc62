import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { adminFault } from '../../domain/admin-fault.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { Job, JobEnd, JobProgress, JobSpan, JobStore, NewJob, RunningJob, WaitingJob } from '../../domain/job.ts'
import { recordOfEnd } from '../../domain/job-record.ts'
import type { ListPart } from '../../domain/list-order.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Sqlite } from '../connection.ts'
import { type HeldLock, holdLock, isLockHeld } from '../folder/lock.ts'
import { createRecordWriter } from './change-record.ts'
import { prepareJobRows } from './job-rows.ts'
import { listStale } from './stale-folders.ts'

/** Number of ended jobs that are kept. */
const keptJobs = 1000

/** Dependencies of the jobs. */
export interface JobParts {
  readonly control: Sqlite
  /** Folder with a folder for each job. */
  readonly folder: string
  readonly clock: Clock
}

/**
 * Opens the jobs in control.sqlite. The process of a job, and the one that has added a waiting job, hold a lock that
 * the kernel frees when they end.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the statements it prepares once.
export function createSqliteJobs({ control, folder, clock }: JobParts): JobStore {
  const rows = prepareJobRows(control)
  const writeRecord = createRecordWriter(control)
  const folderOf = (id: string) => join(folder, id)
  const lockFile = (id: string, role: 'adder' | 'runner') => join(folderOf(id), `${role}-lock.sqlite`)
  const hold = (id: string, role: 'adder' | 'runner'): HeldLock => {
    mkdirSync(folderOf(id), { recursive: true })
    return holdLock(lockFile(id, role), `Job ${id} is held by another process.`)
  }
  const isAlive = ({ id, state }: Job): boolean =>
    isLockHeld(lockFile(id, 'runner')) || (state === 'waiting' && isLockHeld(lockFile(id, 'adder')))

  const inControl = <A extends unknown[], T>(work: (...args: A) => T) => control.transaction(work).immediate
  const end = inControl((job: Job, change: JobEnd): boolean => {
    const atMs = clock.nowMs()
    if (!rows.end(job.id, change, atMs)) return false
    const record = recordOfEnd(job, change, atMs)
    if (record) writeRecord(record)
    return true
  })
  const finish = (job: Job, change: JobEnd): void => {
    if (end(job, change)) rmSync(folderOf(job.id), { recursive: true, force: true })
  }
  /** Reads a job again after its locks, because its process may end it between the two. */
  const settle = (job: Job | undefined): Job | undefined => {
    if (!job || (job.state !== 'waiting' && job.state !== 'running') || isAlive(job)) return job
    const now = rows.find(job.id)
    if (now?.state !== job.state) return settle(now)
    finish(job, { state: 'failed', failure: adminFault('job_process_ended', [], {}) })
    return rows.find(job.id)
  }
  const readPart = (span: JobSpan): ListPart<Job> => {
    for (const job of rows.unfinished()) settle(job)
    return rows.part(span)
  }
  const insert = inControl((job: NewJob, state: 'waiting' | 'running', record: ChangeRecord | undefined) => {
    rows.insert(job, state)
    if (record) writeRecord(record)
    return rows.prune(keptJobs)
  })
  const add = (job: NewJob, state: 'waiting' | 'running', record?: ChangeRecord): Job => {
    for (const id of insert(job, state, record)) rmSync(folderOf(id), { recursive: true, force: true })
    return rows.find(job.id)!
  }

  const running = (job: Job, lock: HeldLock): RunningJob => ({
    job,
    report: async (progress: JobProgress) => rows.report(job.id, progress),
    isCancelling: async () => rows.find(job.id)?.isCancelling === true,
    end: async change => {
      end(job, change)
      lock.release()
      rmSync(folderOf(job.id), { recursive: true, force: true })
    },
  })
  const cancel = inControl((id: string, record: ChangeRecord): Job | undefined => {
    if (!rows.cancel(id)) return undefined
    writeRecord(record)
    return rows.find(id)
  })

  return {
    folderOf,
    add: async (job, record): Promise<WaitingJob> => {
      const lock = hold(job.id, 'adder')
      const added = add(job, 'waiting', record)
      return {
        job: added,
        abandon: async failure => {
          if (rows.find(job.id)?.state === 'waiting') finish(added, { state: 'failed', failure })
          lock.release()
        },
      }
    },
    start: async job => {
      const lock = hold(job.id, 'runner')
      return running(add(job, 'running'), lock)
    },
    take: async id => {
      if (rows.find(id)?.state !== 'waiting') return undefined
      const lock = hold(id, 'runner')
      if (rows.take(id, clock.nowMs())) return running(rows.find(id)!, lock)
      lock.release()
      return undefined
    },
    find: async id => settle(rows.find(id)),
    list: async query => [...readPart(query).rows],
    part: async span => readPart(span),
    cancel: async (id, record) => {
      settle(rows.find(id))
      return cancel(id, record)
    },
    sweep: async () => {
      const stale = listStale(folder)
      for (const job of rows.unfinished()) settle(job)
      const unfinished = new Set(rows.unfinished().map(({ id }) => id))
      for (const id of stale) if (!unfinished.has(id)) rmSync(folderOf(id), { recursive: true, force: true })
    },
    rejects: async id => rows.rejects(id),
    survey: async id => rows.survey(id),
  }
}
