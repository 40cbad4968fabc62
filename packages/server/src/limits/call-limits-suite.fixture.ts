import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayUs, secondUs } from '../access/limits.fixture.ts'
import { listLefts, ModelLimits, type ModelPolicy } from '../access/limits.model.ts'
import { modelPolicies } from '../access/limits-walk.fixture.ts'
import { faults } from '../domain/fault.ts'
import type { Key } from '../domain/key.ts'
import { type LimitedBucket, limitBuckets } from '../domain/limit-bucket.ts'
import type { CallLimits, Settlement } from './call-limits.ts'
import type { CallRecorder } from './call-recorder.ts'
import { createCall, createMemoryRecorder } from './limits.fixture.ts'

/** Returns the settlement that counts once the call is recorded. */
export async function whenRecorded(settling: Settlement | Promise<Settlement>): Promise<Settlement> {
  const settlement = await settling
  return settlement.record ? settlement.record.conclude(await settlement.record.written) : settlement
}

/** Creates the limits of an engine with empty states. */
export type CreateLimits = (
  recorder: CallRecorder,
  searchCountsTowardPackage: boolean,
) => Readonly<Record<LimitedBucket, CallLimits>> | Promise<Readonly<Record<LimitedBucket, CallLimits>>>

const numbers = fc.record({
  rate: fc.constantFrom(1, 3, 10),
  burst: fc.constantFrom(1, 3, 10),
  quota: fc.constantFrom(5, 20, 1000),
  searchRate: fc.constantFrom(1, 2),
  searchBurst: fc.constantFrom(1, 5),
  searchQuota: fc.constantFrom(4, 100),
  autocompleteRate: fc.constantFrom(1, 2),
  autocompleteBurst: fc.constantFrom(1, 5),
})

const step = fc.record({
  waitUs: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, 5000, 100_000, 333_334) },
    { weight: 3, arbitrary: fc.nat(3 * secondUs) },
    { weight: 1, arbitrary: fc.constantFrom(dayUs - 1000, dayUs, 70 * secondUs) },
  ),
  who: fc.constantFrom<Partial<Key>>(
    { id: 'k1' },
    { id: 'k2', partnerId: 'acme', agreement: { subject: 'partner' } },
    { id: 'k3', partnerId: 'acme', agreement: { subject: 'partner' } },
  ),
  bucket: fc.constantFrom(...limitBuckets),
  numbers: fc.nat(1),
  entities: fc.constantFrom(0, 1, 1, 4, 30),
  status: fc.constantFrom(200, 200, 200, 304, 404, 500),
})

/**
 * Defines the test that every engine must pass: sequential calls are refused, charged, reported and recorded as by the
 * model in `access/`. `runs`: number of histories of 100 calls.
 */
export function testAgainstModel(create: CreateLimits, runs = 100): void {
  it('refuses, charges, reports and records like the model', async () => {
    const history = fc.array(step, { minLength: 100, maxLength: 100 })
    const property = fc.asyncProperty(fc.tuple(numbers, numbers), fc.boolean(), history, async (pair, both, steps) => {
      const { recorder, records, clock } = createMemoryRecorder()
      const limits = await create(recorder, both)
      const model = new ModelLimits()
      for (const { waitUs, who, bucket, numbers: which, entities, status } of steps) {
        clock.us += waitUs
        const policies = modelPolicies(pair[which]!, bucket, both)
        const subject = who.agreement ? `partner/${who.partnerId}` : who.id!
        const expected = getExpectedOutcome(model, subject, policies, recorder.nowUs(), { status, entities })

        const ticket = await limits[bucket].open(createCall('getLocations', pair[which]!, who))
        const work = ticket.refusal
          ? { status: faults[ticket.refusal.fault].status, entities: 0 }
          : { status, entities }
        const settlement = await whenRecorded(ticket.settle(work))
        const refusal = settlement.refusal ?? ticket.refusal

        expect(refusal?.violatedPolicies ?? []).toEqual(expected.refused)
        expect(settlement.headers['X-Billed-Units']).toBe(String(expected.units))
        expect([...settlement.headers.RateLimit!.matchAll(/;r=(\d+)/g)].map(match => Number(match[1]))).toEqual(
          listLefts(model, subject, policies, recorder.nowUs()),
        )
        expect(records.at(-1)).toMatchObject({
          subject,
          status: expected.refused.length > 0 ? 429 : status,
          units: expected.units,
          refusedBy: expected.refused,
        })
      }
      expect(records).toHaveLength(steps.length)
    })
    await fc.assert(property, { numRuns: runs })
  }, 60_000)
}

/** Returns the policies that refuse a call according to the model, and the units that it is charged. */
function getExpectedOutcome(
  model: ModelLimits,
  subject: string,
  policies: readonly ModelPolicy[],
  nowUs: number,
  { status, entities }: { readonly status: number; readonly entities: number },
): { refused: readonly string[]; units: number } {
  const { refused } = model.admit(subject, policies, nowUs, 1)
  if (refused.length > 0 || status !== 200) return { refused, units: 0 }
  const full = model.charge(subject, policies, nowUs, entities)
  return { refused: full, units: full.length > 0 ? 0 : entities }
}
