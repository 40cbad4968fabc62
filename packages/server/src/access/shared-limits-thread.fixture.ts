/** A thread of the test of shared limits: makes the calls of each round as fast as it can. */
import { workerData } from 'node:worker_threads'
import type { LimitedBucket } from '../domain/limit-bucket.ts'
import type { SharedTableMemory } from '../kit/shared-table.ts'
import { caller, createEffectiveLimits, type Numbers } from './limits.fixture.ts'
import { limitDefaults } from './limits.ts'
import { SharedLimits } from './shared-limits.ts'

/** Calls that each thread makes at one time. */
export interface Round {
  readonly nowUs: number
  readonly bucket: LimitedBucket
  readonly numbers: Required<Numbers>
  readonly calls: number
  readonly units: number
}

export interface SharedLimitsTask {
  readonly memory: SharedTableMemory
  readonly thread: number
  readonly both: boolean
  readonly rounds: readonly Round[]
  /** Words of shared memory: number of the round, and of threads that have made it; then admitted and charged calls. */
  readonly state: SharedArrayBuffer
}

export const roundAt = 0
export const doneAt = 1
export const admittedAt = 2
export const chargedAt = 3

export const keys = [caller('k1'), caller('k2', 'acme')] as const

function run({ memory, thread, both, rounds, state }: SharedLimitsTask): void {
  const limits = new SharedLimits({ ...limitDefaults, searchCountsTowardPackage: both }, memory, thread)
  const words = new Int32Array(state)
  for (const [i, { nowUs, bucket, numbers, calls, units }] of rounds.entries()) {
    Atomics.wait(words, roundAt, i)
    const effective = createEffectiveLimits(numbers)
    for (let call = 0; call < calls; call++) {
      for (const key of keys) {
        const outcome = limits.admit(key, effective, bucket, nowUs)
        if (outcome.refused) continue
        Atomics.add(words, admittedAt, 1)
        if (!outcome.charge(units, nowUs)) Atomics.add(words, chargedAt, 1)
      }
    }
    Atomics.add(words, doneAt, 1)
    Atomics.notify(words, doneAt)
  }
}

if (workerData?.memory !== undefined) run(workerData as SharedLimitsTask)
