import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { createProgress } from '../../test/progress.ts'
import { limitBuckets } from '../domain/limit-bucket.ts'
import { caller, createEffectiveLimits, dayUs, type Numbers, secondUs, someTimeUs } from './limits.fixture.ts'
import { listLefts, ModelLimits } from './limits.model.ts'
import { limitDefaults } from './limits.ts'
import { generator, modelPolicies, walk } from './limits-walk.fixture.ts'
import { allocateLimits } from './shared-bucket-table.ts'
import { SharedLimits } from './shared-limits.ts'
import {
  admittedAt,
  chargedAt,
  doneAt,
  keys,
  type Round,
  roundAt,
  type SharedLimitsTask,
} from './shared-limits-thread.fixture.ts'

const small = { stripes: 4, slotsPerStripe: 8 }
const threads = 4

it('decides as the model, over shared memory', () => {
  const steps = Number(process.env.PERIPLUS_LIMITER_STEPS ?? 5000)
  const progress = createProgress('steps over shared memory', steps)
  const create = (settings: typeof limitDefaults) => new SharedLimits(settings, allocateLimits(small), 1)
  expect(walk(steps, Number(process.env.PERIPLUS_SEED ?? 20_260_101), { progress, create }).refusals).toBeGreaterThan(0)
})

/** Returns rounds that reach the rate alone or the quota alone, so that the order of the calls makes no difference. */
function randomRounds(random: (below: number) => number, count: number): Round[] {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
  const reachesQuota = random(2) === 0
  const numbers: Required<Numbers> = reachesQuota
    ? {
        rate: 1e6,
        burst: 1e6,
        quota: 400,
        searchRate: 1e6,
        searchBurst: 1e6,
        searchQuota: 90,
        autocompleteRate: 1e6,
        autocompleteBurst: 1e6,
      }
    : {
        rate: 7,
        burst: 20,
        quota: 'unlimited',
        searchRate: 3,
        searchBurst: 9,
        searchQuota: 'unlimited',
        autocompleteRate: 4,
        autocompleteBurst: 11,
      }
  let nowUs = someTimeUs
  return Array.from({ length: count }, () => {
    nowUs += pick([1, 333_334, secondUs, 5 * secondUs, 70 * secondUs, random(5 * secondUs), dayUs + 1000])
    const bucket = pick(limitBuckets)
    return { nowUs, bucket, numbers, calls: 1 + random(12), units: reachesQuota ? pick([1, 3]) : 1 }
  })
}

/** Makes the calls of a round in the model, one at a time; returns the numbers of admitted and charged calls. */
function modelRound(model: ModelLimits, { nowUs, bucket, numbers, calls, units }: Round, both: boolean) {
  const policies = modelPolicies(numbers, bucket, both)
  let admitted = 0
  let charged = 0
  for (let call = 0; call < calls * threads; call++) {
    for (const { id, partnerId, agreement } of keys) {
      const subject = agreement.subject === 'partner' ? partnerId : id
      if (model.admit(subject, policies, nowUs, 1).refused.length > 0) continue
      admitted++
      if (model.charge(subject, policies, nowUs, units).length === 0) charged++
    }
  }
  return { admitted, charged }
}

async function compareRounds(seed: number, count: number): Promise<void> {
  const random = generator(seed)
  const both = random(2) === 0
  const rounds = randomRounds(random, count)
  const memory = allocateLimits(small)
  const state = new SharedArrayBuffer(16)
  const words = new Int32Array(state)
  const workers = Array.from({ length: threads }, (_, i) => {
    const workerData: SharedLimitsTask = { memory, thread: i + 2, both, rounds, state }
    return new Worker(new URL('./shared-limits-thread.fixture.ts', import.meta.url), { workerData })
  })
  const ended = Promise.all(workers.map(worker => once(worker, 'exit')))
  const model = new ModelLimits()
  const observer = new SharedLimits({ ...limitDefaults, searchCountsTowardPackage: both }, memory, 1)
  for (const [i, round] of rounds.entries()) {
    for (const at of [doneAt, admittedAt, chargedAt]) Atomics.store(words, at, 0)
    Atomics.store(words, roundAt, i + 1)
    Atomics.notify(words, roundAt)
    for (let done = 0; done < threads; done = Atomics.load(words, doneAt)) Atomics.wait(words, doneAt, done)
    const expected = modelRound(model, round, both)
    const found = { admitted: Atomics.load(words, admittedAt), charged: Atomics.load(words, chargedAt) }
    // Calls that are admitted before the last units are charged are refused by their charge instead.
    const isAdmitted = round.numbers.quota === 'unlimited'
    const name = `round ${i} of compareRounds(${seed}, ${count})`
    expect({ ...found, ...(!isAdmitted && { admitted: expected.admitted }) }, name).toEqual(expected)
    if (isAdmitted) expectSameHeaders(observer, model, round, both)
  }
  await ended
}

function expectSameHeaders(limits: SharedLimits, model: ModelLimits, { nowUs, bucket, numbers }: Round, both: boolean) {
  for (const key of keys) {
    const subject = key.agreement.subject === 'partner' ? key.partnerId : key.id
    const header = limits.headers(key, createEffectiveLimits(numbers), bucket, nowUs).RateLimit!
    const lefts = listLefts(model, subject, modelPolicies(numbers, bucket, both), nowUs)
    expect([...header.matchAll(/;r=(\d+)/g)].map(match => Number(match[1]))).toEqual(lefts)
  }
}

it('four threads that hammer two keys admit exactly the calls of the model', async () => {
  const rounds = Number(process.env.PERIPLUS_THREAD_ROUNDS ?? 40)
  const seed = Number(process.env.PERIPLUS_SEED ?? 20_260_101)
  await compareRounds(seed, rounds)
  await compareRounds(seed + 1, rounds)
})

it('a thread that ended within a step leaves no lock', async () => {
  const memory = allocateLimits(small)
  const limits = new SharedLimits(limitDefaults, memory, 1)
  const key = caller('k1')
  const dead = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads')
     const locks = new Int32Array(workerData, 0, 64)
     for (let i = 0; i < 64; i += 16) Atomics.store(locks, i, 2)
     parentPort.close()`,
    { eval: true, workerData: memory.memory },
  )
  await once(dead, 'exit')
  limits.releaseLocks(2)
  expect(limits.admit(key, createEffectiveLimits(), 'package', someTimeUs).refused).toBeUndefined()
})

it('subjects share a state when all slots are in use, and get one of their own from idle ones', () => {
  const limits = new SharedLimits(limitDefaults, allocateLimits({ stripes: 1, slotsPerStripe: 4 }), 1)
  const effective = createEffectiveLimits({ rate: 1, burst: 1 })
  const admits = (id: string, nowUs: number) =>
    limits.admit(caller(id), effective, 'package', nowUs).refused === undefined
  expect(['a', 'b', 'c', 'd'].map(id => admits(id, someTimeUs))).toEqual([true, true, true, true])
  expect(admits('e', someTimeUs)).toBe(false)
  expect(['a', 'e'].map(id => admits(id, someTimeUs + dayUs + secondUs))).toEqual([true, true])
  expect([...limits.states(someTimeUs)].map(({ subject }) => subject)).toContain('a')
  const long = 'x'.repeat(100)
  expect([admits(long, someTimeUs + 2 * dayUs), admits(long, someTimeUs + 2 * dayUs)]).toEqual([true, false])
})

it('a subject that gets a state of its own keeps what it has used while it shared one', () => {
  const limits = new SharedLimits(limitDefaults, allocateLimits({ stripes: 1, slotsPerStripe: 3 }), 1)
  const effective = createEffectiveLimits({ rate: 1, burst: 1, quota: 3 })
  const call = (id: string, nowUs: number, units: number): boolean => {
    const outcome = limits.admit(caller(id), effective, 'package', nowUs)
    return outcome.refused === undefined && outcome.charge(units, nowUs) === undefined
  }
  const noonUs = someTimeUs + dayUs / 2
  expect([call('a', someTimeUs, 1), call('b', noonUs, 3), call('c', noonUs, 2)]).toEqual([true, true, true])
  // The window of the first subject has ended, that of the others has not.
  const laterUs = someTimeUs + dayUs + secondUs
  expect([call('c', laterUs, 1), call('c', laterUs + secondUs, 1)]).toEqual([true, false])
  expect([...limits.states(laterUs)].map(({ subject }) => subject).sort()).toEqual(['b', 'c'])
})
