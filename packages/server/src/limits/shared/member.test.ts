import { expect, it } from 'vitest'
import { generator } from '../../access/limits-walk.fixture.ts'
import type { Membership } from '../../domain/membership.ts'
import { Member } from './member.ts'
import type { MemberParts } from './member-parts.ts'
import { MemoryStates } from './memory-states.fixture.ts'
import { pause, type Scheduler } from './scheduler.ts'
import { MemoryCluster, toCursor } from './simulation/memory-cluster.fixture.ts'
import { VirtualTime } from './simulation/virtual-time.fixture.ts'

const node = 'a'

const membershipOf = (cluster: MemoryCluster): Membership => ({
  register: async () => true,
  beat: async report => cluster.beat(node, report),
  openEpoch: async (seen, next) => cluster.openEpoch(seen, next),
  enter: async seen => cluster.enter(node, seen, 0),
  finishOpening: async epoch => cluster.finishOpening(epoch),
  markLate: async epoch => cluster.markLate(epoch),
  clockUs: async () => 0,
  seeds: async () => new Map(),
})

/** Returns the scheduler of a process that runs in virtual time. */
const schedulerOf = (time: VirtualTime): Scheduler => ({
  monotonicUs: () => time.nowUs,
  after: (ms, run) => {
    time.at(time.nowUs + ms * 1000, run)
    return () => {}
  },
  endOfTurn: run => time.at(time.nowUs, run),
  random: () => 0,
})

const createRounds = () => {
  const rounds = {
    epoch: undefined as number | undefined,
    enter: (epoch: number) => {
      rounds.epoch = epoch
    },
    leave: () => {
      rounds.epoch = undefined
    },
    settled: async () => {},
    useFormsOf: () => {},
  }
  return rounds as never
}

const lineOf = (time: VirtualTime): MemberParts['line'] => ({
  nowUs: () => time.nowUs,
  follow: async () => {},
  correct: async () => true,
  confirmedStepUs: 0,
})

it('reports that it has left after all other signs of life', async () => {
  const states = new MemoryStates()
  const cluster = new MemoryCluster()
  const time = new VirtualTime(generator(1))
  const membership = membershipOf(cluster)
  // A sign of life takes a second, and the renewal of the epoch, which begins later, ends earlier.
  let isSlow = false
  const member = new Member({
    states,
    membership: {
      ...membership,
      beat: async report => {
        if (isSlow && report.mode === 'in') await pause(schedulerOf(time), 1000)
        return cluster.beat(node, report)
      },
    },
    rounds: createRounds(),
    scheduler: schedulerOf(time),
    line: lineOf(time),
    foldAll: async () => toCursor(0),
    onReplaced: () => {},
  })
  member.start()
  await time.runUntil(1_200_000)
  expect(member.mode).toBe('in')
  isSlow = true
  time.at(2_200_000, () => void member.stop())
  await time.runUntil(4_000_000)
  expect(cluster.nodes.get(node)!.mode).toBe('left')
})

it('does not replace a cache by one that was lost before', async () => {
  const states = new MemoryStates()
  const cluster = new MemoryCluster()
  const time = new VirtualTime(generator(1))
  let folds = 0
  const member = new Member({
    states,
    membership: membershipOf(cluster),
    rounds: createRounds(),
    scheduler: schedulerOf(time),
    line: lineOf(time),
    foldAll: async () => {
      if (folds++ === 0) {
        // While the node folds, the cache is lost, and another node opens an epoch of the next one.
        states.restart()
        cluster.openEpoch(cluster.epoch, { identity: await states.identity(), atLeast: 1 })
      }
      return toCursor(0)
    },
    onReplaced: () => {},
  })
  member.start()
  await time.runUntil(1_000_000)
  expect(member.mode).toBe('in')
  expect(cluster.epoch).toMatchObject({ identity: 'life 1', epoch: 1, state: 'open' })
})
