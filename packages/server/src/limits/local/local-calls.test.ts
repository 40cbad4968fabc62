import { describe, expect, it } from 'vitest'
import { Limits, limitDefaults } from '../../access/limits.ts'
import { fault } from '../../domain/fault.ts'
import { forEachBucket } from '../../domain/limit-bucket.ts'
import { testAgainstModel, whenRecorded } from '../call-limits-suite.fixture.ts'
import { createCall, createMemoryRecorder } from '../limits.fixture.ts'
import { LocalCallLimits } from './local-calls.ts'

function calls(numbers: Parameters<typeof createCall>[1] = {}) {
  const memory = createMemoryRecorder()
  const limits = new LocalCallLimits('package', new Limits(), memory.recorder)
  return {
    ...memory,
    open: (denied?: Parameters<typeof limits.open>[1]) => limits.open(createCall('getLocations', numbers), denied),
  }
}

const served = (entities: number) => ({ status: 200, entities })

describe('a call within its limits', () => {
  it('is charged and recorded once, and its headers contain the state after it (R-11, R-28)', async () => {
    const { open, records, state } = calls()
    const settlement = await whenRecorded(open().settle(served(7)))
    expect(settlement.refusal).toBeUndefined()
    expect(settlement.headers).toMatchObject({
      RateLimit: expect.stringContaining('"daily";r=9993'),
      'X-Billed-Units': '7',
    })
    expect(records).toMatchObject([{ status: 200, units: 7, meter: 'entity', refusedBy: [] }])
    expect(state.charged).toBe(7)
  })

  it.each([304, 400, 404, 500])('costs nothing if its status is %i, and is recorded (R-09)', async status => {
    const { open, records } = calls()
    const settlement = await whenRecorded(open().settle({ status, entities: 7 }))
    expect(settlement.headers).toMatchObject({ 'X-Billed-Units': '0' })
    expect(records).toMatchObject([{ status, units: 0 }])
  })

  it('reports the state after this call, without later calls of the same turn (R-11)', async () => {
    const { open } = calls()
    const first = open().settle(served(1))
    const second = open().settle(served(1))
    expect((await first).headers.RateLimit).toContain('"daily";r=9999')
    expect((await second).headers.RateLimit).toContain('"daily";r=9998')
  })

  it('reports its own token, whichever of two calls is finished first (R-11)', async () => {
    const { open } = calls()
    const [first, second] = [open(), open()]
    const headers = await Promise.all([second, first].map(async ticket => (await ticket.settle(served(1))).headers))
    expect(headers.map(({ RateLimit }) => RateLimit)).toEqual([
      '"rate";r=8;t=1, "daily";r=9999;t=86400',
      '"rate";r=9;t=1, "daily";r=9998;t=86400',
    ])
  })
})

describe('a call beyond its limits', () => {
  it('is refused when it opens, and recorded as 429', async () => {
    const { open, records, state } = calls({ rate: 1 })
    await whenRecorded(open().settle(served(1)))
    const ticket = open()
    expect(ticket.refusal).toMatchObject({ fault: 'rate_limited', violatedPolicies: ['rate'] })
    await whenRecorded(ticket.settle({ status: 429, entities: 0 }))
    expect(records[1]).toMatchObject({ status: 429, units: 0, refusedBy: ['rate'] })
    expect(state.refused).toEqual(['rate'])
  })

  it('is refused in settle if it costs more units than are left: the response becomes 429 (R-08)', async () => {
    const { open, records } = calls({ quota: 10 })
    await whenRecorded(open().settle(served(7)))
    const ticket = open()
    expect(ticket.refusal).toBeUndefined()
    const settlement = await whenRecorded(ticket.settle(served(4)))
    expect(settlement.refusal).toMatchObject({ fault: 'rate_limited', violatedPolicies: ['daily'] })
    expect(settlement.headers).toMatchObject({ 'X-Billed-Units': '0' })
    expect(records[1]).toMatchObject({ status: 429, units: 0, refusedBy: ['daily'] })
  })
})

it('records a call that was denied before the limits and charges nothing (R-14)', async () => {
  const { open, records } = calls()
  const ticket = open(fault('forbidden'))
  expect(ticket.refusal).toMatchObject({ fault: 'forbidden' })
  const settlement = await whenRecorded(ticket.settle({ status: 403, entities: 0 }))
  expect(settlement.headers.RateLimit).toBe('"rate";r=10, "daily";r=10000')
  expect(records).toMatchObject([{ status: 403, units: 0, refusedBy: [] }])
})

describe('a journal that cannot be written', () => {
  it('refuses every call while it fails', () => {
    const { open, state } = calls()
    state.failing = true
    expect(open().refusal).toMatchObject({ fault: 'metering_unavailable' })
  })

  it('replaces the response with 503 and refunds the units (R-28)', async () => {
    const { open, state, failure } = calls()
    state.outcome = failure
    const settlement = await whenRecorded(open().settle(served(7)))
    expect(settlement.refusal).toMatchObject({ fault: 'metering_unavailable' })
    expect(settlement.headers).toMatchObject({
      RateLimit: expect.stringContaining('"daily";r=10000'),
      'X-Billed-Units': '0',
    })
    expect(state.charged).toBe(0)
  })
})

testAgainstModel((recorder, searchCountsTowardPackage) => {
  const limits = new Limits({ ...limitDefaults, searchCountsTowardPackage })
  return forEachBucket(bucket => new LocalCallLimits(bucket, limits, recorder))
})
