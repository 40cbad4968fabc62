import { limitsOf, type Numbers } from '../../access/limits.fixture.ts'
import { timeline } from '../../access/timeline.ts'
import { pinsTo } from '../../domain/feed.ts'
import type { Key } from '../../domain/key.ts'
import type { Operation } from '../../domain/operation.ts'
import type { Appended, UsageRecord } from '../../domain/usage.ts'
import type { CallFacts } from '../call-limits.ts'
import { CallRecorder } from '../call-recorder.ts'

const key: Key = {
  id: 'key_1',
  revision: 1,
  partnerId: 'partner',
  test: false,
  packageName: 'discover',
  addOns: [],
  agreement: {},
  scope: {},
  feedPins: pinsTo('1'),
  state: 'active',
  createdMs: 0,
}

/** A call of one key with these limits. */
export const callOf = (operation: Operation, numbers: Numbers = {}): CallFacts => ({
  requestId: 'request',
  operation,
  key,
  limits: limitsOf(numbers),
  version: '1',
  versionExplicit: true,
})

/** A recorder with a clock at rest and a journal in memory. `outcome` is the result of every write. */
export function recorderInMemory() {
  const records: UsageRecord[] = []
  const state = { outcome: 'written' as Appended, failing: false, refused: [] as string[], charged: 0 }
  const failure = { code: 'ENOSPC', reason: 'The disk is full.' }
  const clock = { nowMs: () => 1_800_000_000_000, monotonicUs: () => 1_000_000 }
  const recorder = new CallRecorder({
    journal: {
      append: async record => {
        if (state.outcome === 'written') records.push(record)
        return state.outcome
      },
      failure: () => (state.failing ? failure : undefined),
    },
    timeline: timeline({ wallMs: clock.nowMs(), monotonicUs: clock.monotonicUs() }),
    clock,
    meters: new Proxy(
      {},
      { get: (_, operation) => ({ meter: operation === 'getLocations' ? 'entity' : 'call', weight: 1 }) },
    ) as ConstructorParameters<typeof CallRecorder>[0]['meters'],
    counters: {
      countRefusal: policies => state.refused.push(...policies),
      countUnits: (_, units) => {
        state.charged += units
      },
    },
  })
  return { recorder, records, state, failure }
}
