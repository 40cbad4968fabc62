import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Job, JobStore } from '../../domain/job.ts'
import type { JobKind } from '../../domain/job-kind.ts'
import type { JobProcesses, JobWork } from '../../domain/job-process.ts'
import type { Clock } from '../../kit/clock.ts'
import type { JsonObject } from '../../kit/json.ts'
import { newJobId } from './new-job-id.ts'
import { recordOf } from './record.ts'

/** Dependencies of the use cases that start jobs. */
export interface JobStarting {
  readonly jobs: JobStore
  readonly processes: JobProcesses
  readonly clock: Clock
}

/** The job to start. */
export interface JobToStart {
  /** Id of a job that has received its input. */
  readonly id?: string
  readonly work: JobWork
  readonly request: JsonObject
}

/** Starts a job in a process of its own, and returns it. Only one job of each kind may wait or run. */
export async function startJob(
  { jobs, processes, clock }: JobStarting,
  actor: Actor,
  { id = newJobId(), work, request }: JobToStart,
): Promise<Job | AdminFault> {
  const unfinished = await findUnfinished(jobs, work.kind)
  if (unfinished) return adminFault('job_running', [], { kind: work.kind, job: unfinished.id })
  const record = recordOf(clock, actor, { action: `${work.kind}.start`, target: id, after: request })
  const waiting = await jobs.add({ id, kind: work.kind, actor, request, createdMs: clock.nowMs() }, record)
  processes.start(waiting, work)
  return waiting.job
}

async function findUnfinished(jobs: JobStore, kind: JobKind): Promise<Job | undefined> {
  const [waiting] = await jobs.list({ kind, state: 'waiting', limit: 1 })
  if (waiting) return waiting
  const [running] = await jobs.list({ kind, state: 'running', limit: 1 })
  return running
}
