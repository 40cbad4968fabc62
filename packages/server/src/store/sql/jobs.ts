import { adminFault } from '../../domain/admin-fault.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import { type Job, type JobEnd, type JobStore, keptJobs, type NewJob, type RunningJob } from '../../domain/job.ts'
import { recordOfEnd } from '../../domain/job-record.ts'
import type { Lock } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { writeRecord } from './change-record.ts'
import type { SqlDatabase } from './database.ts'
import {
  cancelJob,
  endJob,
  insertJob,
  pruneJobs,
  readJob,
  readRejects,
  readSurvey,
  readUnfinishedJobs,
  reportJob,
  selectJobs,
  takeJob,
} from './job-rows.ts'

/** A process that cares for a job: the one that has added it and waits, or the one that runs it. */
export type JobRole = 'adder' | 'runner'

/** Locks that the processes of jobs hold until they release them or end in any way. */
export interface JobLocks {
  /** Throws LockHeld if another process has the role. */
  hold(id: string, role: JobRole): Promise<Lock>
  isHeld(id: string, role: JobRole): Promise<boolean>
}

/** The folders of jobs, which this process or another one on this machine fills. */
export interface JobFolders {
  pathOf(id: string): string
  /** Creates the folder of a job unless it exists. */
  create(id: string): void
  remove(id: string): void
  /** Returns the ids of the folders in which nothing has changed for a while. */
  listStale(): readonly string[]
}

/** Dependencies of the jobs. */
export interface JobParts {
  readonly db: SqlDatabase
  readonly locks: JobLocks
  readonly folders: JobFolders
  readonly clock: Clock
}

/** Opens the jobs. A job has failed if no process holds a lock of it. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short closures that share the parts.
export function createJobs({ db, locks, folders, clock }: JobParts): JobStore {
  const find = (id: string): Promise<Job | undefined> => db.perform(readJob(db, id))
  const hold = (id: string, role: JobRole): Promise<Lock> => {
    folders.create(id)
    return locks.hold(id, role)
  }
  const isAlive = async ({ id, state }: Job): Promise<boolean> =>
    (await locks.isHeld(id, 'runner')) || (state === 'waiting' && (await locks.isHeld(id, 'adder')))
  const end = (job: Job, change: JobEnd): Promise<boolean> => {
    const atMs = clock.nowMs()
    return db.transaction(function* () {
      if (!(yield* endJob(job.id, change, atMs))) return false
      const record = recordOfEnd(job, change, atMs)
      if (record) yield* writeRecord(record)
      return true
    })
  }
  const finish = async (job: Job, change: JobEnd): Promise<void> => {
    if (await end(job, change)) folders.remove(job.id)
  }
  /** Reads a job again after its locks, because its process may end it between the two. */
  const settle = async (job: Job | undefined): Promise<Job | undefined> => {
    if (!job || (job.state !== 'waiting' && job.state !== 'running') || (await isAlive(job))) return job
    const now = await find(job.id)
    if (now?.state !== job.state) return settle(now)
    await finish(job, { state: 'failed', failure: adminFault('job_process_ended', [], {}) })
    return find(job.id)
  }
  const settleAll = async (): Promise<void> => {
    for (const job of await db.perform(readUnfinishedJobs(db))) await settle(job)
  }
  const readPart: JobStore['part'] = async span => {
    await settleAll()
    return selectJobs(db, span)
  }
  const add = async (job: NewJob, state: 'waiting' | 'running', record?: ChangeRecord): Promise<Job> => {
    const pruned = await db.transaction(function* () {
      yield* insertJob(job, state)
      if (record) yield* writeRecord(record)
      return yield* pruneJobs(keptJobs)
    })
    for (const id of pruned) folders.remove(id)
    return (await find(job.id))!
  }
  const running = (job: Job, lock: Lock): RunningJob => ({
    job,
    report: async progress => void (await db.perform(reportJob(job.id, progress))),
    isCancelling: async () => (await find(job.id))?.isCancelling === true,
    end: async change => {
      await end(job, change)
      await lock.release()
      folders.remove(job.id)
    },
  })

  return {
    folderOf: id => folders.pathOf(id),
    add: async (job, record) => {
      const lock = await hold(job.id, 'adder')
      const added = await add(job, 'waiting', record)
      return {
        job: added,
        abandon: async failure => {
          if ((await find(job.id))?.state === 'waiting') await finish(added, { state: 'failed', failure })
          await lock.release()
        },
      }
    },
    start: async job => {
      const lock = await hold(job.id, 'runner')
      return running(await add(job, 'running'), lock)
    },
    take: async id => {
      if ((await find(id))?.state !== 'waiting') return undefined
      const lock = await hold(id, 'runner')
      if (await db.perform(takeJob(id, clock.nowMs()))) return running((await find(id))!, lock)
      await lock.release()
      return undefined
    },
    find: async id => settle(await find(id)),
    list: async query => [...(await readPart(query)).rows],
    part: readPart,
    cancel: async (id, record) => {
      await settle(await find(id))
      return db.transaction(function* () {
        if (!(yield* cancelJob(id))) return undefined
        yield* writeRecord(record)
        return yield* readJob(db, id)
      })
    },
    sweep: async () => {
      const stale = folders.listStale()
      await settleAll()
      const unfinished = new Set((await db.perform(readUnfinishedJobs(db))).map(({ id }) => id))
      for (const id of stale) if (!unfinished.has(id)) folders.remove(id)
    },
    rejects: id => db.perform(readRejects(id)),
    survey: id => db.perform(readSurvey(db, id)),
  }
}
