import { expect, it } from 'vitest'
import { generator } from '../../../access/limits-walk.fixture.ts'
import { penaltyDefaults } from '../../../access/penalty.ts'
import { MemoryStates } from '../memory-states.fixture.ts'
import { MemoryCluster } from './memory-cluster.fixture.ts'
import { SimulatedNode } from './node.fixture.ts'
import { VirtualTime } from './virtual-time.fixture.ts'
import type { SimulatedWorld } from './world.fixture.ts'

const secondUs = 1_000_000

it('keeps what it has counted alone while folds keep it out of the epoch (R-128)', async () => {
  const world: SimulatedWorld = {
    time: new VirtualTime(generator(1)),
    cache: { downUntilUs: 2 * secondUs, life: 0, states: new MemoryStates() },
    store: { downUntilUs: 0, life: 0, foldsFailUntilUs: 6 * secondUs, cluster: new MemoryCluster() },
    slowUntilUs: 0,
    whenDown: 'share',
    bucket: 'package',
    numbers: { rate: 1000, burst: 1000, quota: 10 },
    penalty: penaltyDefaults,
    onToken: () => {},
  }
  const node = new SimulatedNode('a', world)
  node.start()
  const admitted = () => node.journal.filter(({ status, epoch }) => status === 200 && epoch === 0).length
  for (let i = 0; i < 500; i++) world.time.at(i * 10_000, () => node.call('k1', `request ${i}`, 0))
  await world.time.runUntil(1.5 * secondUs)
  expect(node.mode).toBe('alone')
  await world.time.runUntil(5 * secondUs)
  // The cache is back, and the ledger can be read.
  expect([node.mode, admitted()]).toEqual(['alone', 10])
  await world.time.runUntil(7 * secondUs)
  expect(node.mode).toBe('in')
})
