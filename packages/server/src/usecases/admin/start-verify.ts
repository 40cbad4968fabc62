import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { Job } from '../../domain/job.ts'
import { type JobStarting, startJob } from './start-job.ts'

/** Starts a verification of the data folder in a process of its own. */
export const startVerify = (stores: JobStarting, actor: Actor): Promise<Job | AdminFault> =>
  startJob(stores, actor, { work: { kind: 'verify' }, request: {} })
