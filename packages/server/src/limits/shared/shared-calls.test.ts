import { describe, expect, it } from 'vitest'
import { limitDefaults } from '../../access/limits.ts'
import { fault } from '../../domain/fault.ts'
import type { FoldedState } from '../../domain/ledger.ts'
import { forEachBucket } from '../../domain/limit-bucket.ts'
import { getSubject } from '../../domain/limit-subject.ts'
import { testAgainstModel, whenRecorded } from '../call-limits-suite.fixture.ts'
import type { CallRecorder } from '../call-recorder.ts'
import { createCall, createMemoryRecorder } from '../limits.fixture.ts'
import { MemoryStates } from './memory-states.fixture.ts'
import { Rounds } from './rounds.ts'
import { type Scheduler, systemScheduler } from './scheduler.ts'
import { SharedCallLimits } from './shared-calls.ts'

const epoch = 1_795_305_590_000

/** A scheduler of tests on a busy machine: no reply takes too long. */
const patientScheduler: Scheduler = {
  ...systemScheduler,
  monotonicUs: () => 0,
  after: (ms, run) => (ms < 100 ? systemScheduler.after(ms, run) : () => {}),
}

async function createNode(
  states: MemoryStates,
  recorder: CallRecorder,
  { both = false, ledger = [] as FoldedState[], scheduler = patientScheduler } = {},
) {
  const lost: string[] = []
  const rounds: Rounds = new Rounds({
    states,
    settings: { ...limitDefaults, searchCountsTowardPackage: both },
    scheduler,
    lineUs: () => recorder.nowUs(),
    readSeeds: async () => Map.groupBy(ledger, ({ subject }) => subject),
    onUnreadable: error => lost.push((error as Error).message),
    onLost: cause => {
      lost.push(cause)
      rounds.leave()
    },
  })
  if ((await states.epoch()) === undefined) await states.raiseEpoch(undefined, epoch)
  rounds.enter(epoch)
  rounds.useFormsOf(Number.POSITIVE_INFINITY)
  const parts = { rounds, recorder, alone: () => undefined, refuseVoid: () => fault('metering_unavailable') }
  const limits = forEachBucket(bucket => new SharedCallLimits(bucket, parts))
  return { rounds, limits, lost }
}

testAgainstModel(async (recorder, both) => (await createNode(new MemoryStates(), recorder, { both })).limits, 20)

const served = (entities: number) => ({ status: 200, entities })

/** Nodes that share states in memory and a clock. */
async function createNodes(count: number, scheduler = patientScheduler) {
  const states = new MemoryStates()
  const memory = createMemoryRecorder()
  const nodes = await Promise.all(
    Array.from({ length: count }, () => createNode(states, memory.recorder, { scheduler })),
  )
  return { ...memory, states, nodes }
}

describe('calls of several nodes', () => {
  it('are admitted as by one node, whichever of them win', async () => {
    const { nodes, records, clock } = await createNodes(3)
    const numbers = { rate: 1000, burst: 1000, quota: 50 }
    const settle = async (i: number) => {
      const ticket = await nodes[i % 3]!.limits.package.open(createCall('getLocations', numbers))
      return whenRecorded(ticket.settle(ticket.refusal ? { status: 429, entities: 0 } : served(1)))
    }
    for (let i = 0; i < 10; i++) {
      await Promise.all(Array.from({ length: 9 }, (_, call) => settle(call)))
      clock.us += 1000
    }
    expect(records.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(records).toHaveLength(90)
    expect(nodes.map(({ rounds }) => rounds.counters.beaten).reduce((a, b) => a + b)).toBeGreaterThan(0)
  })

  it('spend their token before the work when as many are at work as may pass', async () => {
    const { nodes, records } = await createNodes(1)
    const open = () => nodes[0]!.limits.package.open(createCall('getLocations', { rate: 1, burst: 2 }))
    await whenRecorded((await open()).settle(served(1)))
    const unpaid = await open()
    const [paid, refused] = await Promise.all([open(), open()])
    expect([unpaid.refusal, paid.refusal, refused.refusal?.violatedPolicies]).toEqual([undefined, undefined, ['rate']])
    for (const ticket of [paid, unpaid]) await whenRecorded(ticket.settle(served(1)))
    await whenRecorded(refused.settle({ status: 429, entities: 0 }))
    expect(records.map(({ status, refusedBy }) => [status, refusedBy])).toEqual([
      [200, []],
      [200, []],
      [429, ['rate']],
      [429, ['rate']],
    ])
    expect(new Set(records.map(record => record.epoch))).toEqual(new Set([epoch]))
  })

  it('report each remaining rate once, also where tokens were spent before the work (R-11)', async () => {
    const { nodes } = await createNodes(1)
    const open = () => nodes[0]!.limits.package.open(createCall('getLocations', { rate: 1, burst: 10 }))
    await whenRecorded((await open()).settle(served(1)))
    const tickets = await Promise.all(Array.from({ length: 9 }, open))
    const settled = await Promise.all(tickets.map(ticket => whenRecorded(ticket.settle(served(1)))))
    const left = settled.map(({ headers }) => Number(/"rate";r=(\d+)/.exec(headers.RateLimit!)![1]))
    expect(left.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('are refused without a swap where that changes nothing', async () => {
    const { nodes } = await createNodes(1)
    const { rounds, limits } = nodes[0]!
    const call = async () => {
      const ticket = await limits.package.open(createCall('getLocations', { quota: 1, rate: 5, burst: 5 }))
      return whenRecorded(ticket.settle(served(1)))
    }
    await call()
    const { swaps } = rounds.counters
    expect((await call()).refusal?.violatedPolicies ?? ['daily']).toEqual(['daily'])
    expect(rounds.counters).toMatchObject({ swaps, withoutSwap: 1 })
  })
})

it('is recorded with the wait for its decision, and no earlier than it', async () => {
  const states = new MemoryStates()
  const memory = createMemoryRecorder()
  const swap = states.swap.bind(states)
  states.swap = swaps => {
    memory.clock.us += 5000
    return swap(swaps)
  }
  const call = async () => {
    const { limits } = await createNode(states, memory.recorder)
    await whenRecorded((await limits.package.open(createCall('getLocations'))).settle(served(1)))
  }
  const startMs = memory.clock.nowMs()
  await call()
  // The line of the second node is 20 ms behind that of the first one.
  memory.clock.us -= 20_000
  await call()
  expect(memory.records).toMatchObject([
    { durationUs: 5000, timeMs: startMs + 5 },
    { durationUs: 15_000, timeMs: startMs },
  ])
})

it('forgives the penalty of a subject on all nodes', async () => {
  const { nodes, clock } = await createNodes(2)
  const numbers = { rate: 1, burst: 1 }
  const call = async (i: number) => {
    const ticket = await nodes[i]!.limits.package.open(createCall('getLocations', numbers))
    return ticket.refusal ?? (await whenRecorded(ticket.settle(served(1)))).refusal
  }
  for (let i = 0; i < 4; i++) {
    await call(0)
    clock.us += 900_000
  }
  expect((await call(1))?.violatedPolicies).toEqual(['penalty'])
  const { key: caller, limits } = createCall('getLocations', numbers)
  await nodes[0]!.rounds.decide({ kind: 'forgive', caller, limits, bucket: 'package', minUnits: 1, units: 0 })
  clock.us += 1_000_000
  expect(await call(1)).toBeUndefined()
})

it('is refused while only a newer release reads the state, and counts what an older epoch has left as absent', async () => {
  const { nodes, states } = await createNodes(1)
  const { rounds, limits, lost } = nodes[0]!
  const { key: caller } = createCall('getLocations', {})
  const subject = getSubject(caller)
  const call = async (text: string) => {
    const [expected] = await states.get([subject])
    await states.swap([{ subject, expected, next: text }])
    rounds.enter(epoch)
    const ticket = await limits.package.open(createCall('getLocations', {}))
    return (await whenRecorded(ticket.settle(served(1)))).refusal?.fault
  }
  expect(await call(`99~${epoch}|later`)).toBe('metering_unavailable')
  expect(lost).toEqual([
    `The shared state of ${subject} has form 99, and this Periplus reads forms up to 2: ` +
      'it was written by a newer release. Run that release.',
  ])
  expect(await call(`99~${epoch - 1}|later`)).toBeUndefined()
  expect((await states.get([subject]))[0]).toMatch(new RegExp(`^2~${epoch}\\|`))
})

describe('a call that nothing decides', () => {
  it.each([
    ['the cache is of another epoch', (states: MemoryStates) => states.raiseEpoch(epoch, epoch + 1), 'other epoch'],
    ['the cache does not answer', (states: MemoryStates) => (states.swap = () => new Promise(() => {})), 'unavailable'],
    ['the cache has lost its epoch', (states: MemoryStates) => states.restart(), 'other epoch'],
  ])('is refused and not recorded when %s', async (_, spoil, cause) => {
    const { nodes, records, states } = await createNodes(2, systemScheduler)
    const [first] = nodes
    const open = () => first!.limits.package.open(createCall('getLocations'))
    await whenRecorded((await open()).settle(served(1)))
    const ticket = await open()
    await spoil(states)
    const settlement = await ticket.settle(served(1))
    expect(settlement).toMatchObject({ refusal: { fault: 'metering_unavailable' }, headers: {} })
    expect(settlement.record).toBeUndefined()
    expect(first!.lost).toEqual([cause])
    expect(records).toHaveLength(1)
    expect((await open()).refusal).toMatchObject({ fault: 'metering_unavailable' })
  })

  it('ends the epoch when a state is gone that was swapped here', async () => {
    const { nodes, records, states } = await createNodes(1)
    const { limits, lost } = nodes[0]!
    const call = async () => whenRecorded((await limits.package.open(createCall('getLocations'))).settle(served(1)))
    await call()
    states.texts.clear()
    // The swap finds no text; the round then asks whether it was swapped here.
    expect((await call()).refusal).toMatchObject({ fault: 'metering_unavailable' })
    expect(lost).toEqual(['missing'])
    expect(records).toHaveLength(1)
  })
})

describe('the state of a subject without a text', () => {
  const used = (lastUs: number) => {
    const { recorder } = createMemoryRecorder()
    const nowUs = recorder.nowUs()
    const windowStartMs = nowUs / 1000 - 1000
    const mark = { bucket: 'package', windowStartMs, used: 9999, tatUs: nowUs + lastUs + 200_000 } as const
    return { recorder, ledger: [{ ...mark, subject: 'key_1', lastUs: nowUs + lastUs }] }
  }
  const callTwice = async ({ recorder, ledger }: ReturnType<typeof used>) => {
    const { limits, rounds } = await createNode(new MemoryStates(), recorder, { ledger })
    const call = async () => whenRecorded((await limits.package.open(createCall('getLocations'))).settle(served(1)))
    return { first: await call(), second: await call(), rounds }
  }

  it('is that of the ledger', async () => {
    const { first, second, rounds } = await callTwice(used(-1000))
    expect(first.headers.RateLimit).toContain('"rate";r=7;t=1, "daily";r=0')
    expect(second.refusal?.violatedPolicies).toEqual(['daily'])
    expect(rounds.counters).toMatchObject({ gets: 1, seeds: 1, swaps: 1 })
  })

  it('is cut where its last decision is later than the line (R-29)', async () => {
    const { first } = await callTwice(used(3600 * 1_000_000))
    expect(first.headers.RateLimit).toContain('"rate";r=7;t=1, "daily";r=0')
  })
})
