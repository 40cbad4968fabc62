import { createEffectiveLimits, type Numbers } from '../access/limits.fixture.ts'
import { createTimeline } from '../access/timeline.ts'
import { createTestKey } from '../domain/key.fixture.ts'
import type { Key } from '../domain/key.ts'
import type { Operation } from '../domain/operation.ts'
import type { AppendResult, UsageRecord } from '../domain/usage.ts'
import type { CallFacts } from './call-limits.ts'
import { CallRecorder } from './call-recorder.ts'

/** Creates a call of a key with these limits. */
export const createCall = (operation: Operation, numbers: Numbers = {}, who: Partial<Key> = {}): CallFacts => ({
  requestId: 'request',
  operation,
  key: createTestKey(who),
  secretId: '1',
  limits: createEffectiveLimits(numbers),
  version: '1',
  versionExplicit: true,
})

/** Creates a recorder with a manual clock and a journal in memory. `state.outcome` is the result of every write. */
export function createMemoryRecorder() {
  const records: UsageRecord[] = []
  const state = { outcome: 'written' as AppendResult, failing: false, refused: [] as string[], charged: 0 }
  const failure = { code: 'ENOSPC', reason: 'The disk is full.' }
  const clock = { us: 1_000_000, nowMs: () => 1_800_000_000_000 + clock.us / 1000, monotonicUs: () => clock.us }
  const recorder = new CallRecorder({
    journal: {
      append: async record => {
        if (state.outcome === 'written') records.push(record)
        return state.outcome
      },
      failure: () => (state.failing ? failure : undefined),
    },
    timeline: createTimeline({ wallMs: clock.nowMs(), monotonicUs: clock.monotonicUs() }),
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
  return { recorder, records, state, failure, clock }
}
