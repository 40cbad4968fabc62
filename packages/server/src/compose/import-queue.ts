import { setTimeout as delay } from 'node:timers/promises'
import type { ImportHolder, ImportWait } from '../domain/importer.ts'
import { LockHeld } from '../domain/store-errors.ts'
import type { Engine, Lock } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'

/** Interval between attempts to take the lock, in milliseconds. */
const tryEveryMs = 250
/** Number of unfinished imports that are considered; more do not wait at the same time. */
const maxListed = 50

/**
 * Takes the lock of imports. While another import has it, waits for at most `wait.maxMs` milliseconds and reports who
 * holds it. Imports that a service has started run in the order of their requests. Throws LockHeld.
 */
export async function holdImportLock(
  { locks, jobs }: Pick<Engine, 'locks' | 'jobs'>,
  message: string,
  clock: Clock,
  wait: ImportWait,
): Promise<Lock> {
  const endUs = clock.monotonicUs() + wait.maxMs * 1000
  let reported: string | undefined
  for (;;) {
    try {
      const earlier = wait.job === undefined ? undefined : await findEarlier(jobs, wait.job)
      if (!earlier) return await locks.hold('import', message)
      if (clock.monotonicUs() >= endUs) throw new LockHeld(message)
    } catch (error) {
      if (!(error instanceof LockHeld) || clock.monotonicUs() >= endUs) throw error
    }
    const holder = await findHolder(jobs, wait.job, clock)
    const id = holder?.job ?? ''
    if (id !== reported) wait.onWait(holder)
    reported = id
    await delay(tryEveryMs, undefined, wait.signal && { signal: wait.signal })
  }
}

/** Returns the import that has the lock; undefined if it is not recorded as a job. */
async function findHolder(
  jobs: Engine['jobs'],
  own: string | undefined,
  clock: Clock,
): Promise<ImportHolder | undefined> {
  const running = await listImports(jobs, 'running')
  const first = running.filter(({ id }) => id !== own).sort(byCreation)[0]
  return (
    first && {
      job: first.id,
      actor: first.actor,
      seconds: Math.max(0, Math.round((clock.nowMs() - (first.startedMs ?? first.createdMs)) / 1000)),
    }
  )
}

/** Returns an import that a service has started before the job and that has not ended. */
async function findEarlier(jobs: Engine['jobs'], id: string): Promise<string | undefined> {
  const unfinished = [...(await listImports(jobs, 'waiting')), ...(await listImports(jobs, 'running'))].sort(byCreation)
  const first = unfinished[0]
  return first && first.id !== id && unfinished.some(job => job.id === id) ? first.id : undefined
}

/** Lists imports that change data: dry runs do not wait for one another. */
const listImports = async (jobs: Engine['jobs'], state: 'waiting' | 'running') =>
  (await jobs.list({ kind: 'import', state, limit: maxListed })).filter(({ request }) => request.dry_run !== true)

const byCreation = (a: Created, b: Created): number => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1)

interface Created {
  readonly id: string
  readonly createdMs: number
}
