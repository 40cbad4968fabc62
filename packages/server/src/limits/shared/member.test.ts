import { expect, it } from 'vitest'
import { generator } from '../../access/limits-walk.fixture.ts'
import type { Membership } from '../../domain/membership.ts'
import { Member } from './member.ts'
import { MemoryStates } from './memory-states.fixture.ts'
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

it('does not replace a cache by one that was lost before', async () => {
  const states = new MemoryStates()
  const cluster = new MemoryCluster()
  const time = new VirtualTime(generator(1))
  let folds = 0
  const member = new Member({
    states,
    membership: membershipOf(cluster),
    rounds: {
      epoch: undefined,
      enter: () => {},
      leave: () => {},
      settled: async () => {},
      useFormsOf: () => {},
    } as never,
    scheduler: {
      monotonicUs: () => time.nowUs,
      after: (ms, run) => {
        time.at(time.nowUs + ms * 1000, run)
        return () => {}
      },
      endOfTurn: run => time.at(time.nowUs, run),
      random: () => 0,
    },
    line: { nowUs: () => time.nowUs, follow: async () => {}, correct: async () => true, confirmedStepUs: 0 },
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
