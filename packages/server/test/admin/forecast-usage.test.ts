import { expect, test } from 'vitest'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import { createTestKey } from '../../src/domain/key.fixture.ts'
import type { Key } from '../../src/domain/key.ts'
import type { UsageQuery } from '../../src/domain/ledger.ts'
import type { UsageReports } from '../../src/domain/usage-report.ts'
import { addDays } from '../../src/kit/dates.ts'
import { forecastUsage } from '../../src/usecases/admin/forecast-usage.ts'
import { actor } from '../world.ts'

/** 23:30 UTC is the next day in Madrid. */
const nowMs = Date.parse('2026-11-22T23:30:00Z')
const key = createTestKey({ id: 'k1', partnerId: 'p1' })

const forecast = async (of: Key, more: { quota?: number | 'unlimited' } = {}) => {
  const queries: UsageQuery[] = []
  const row = (day: string, operation: string, units: number) => ({
    day,
    operation,
    calls: 1,
    units,
    billableUnits: units,
  })
  const usage: UsageReports = {
    report: async query => {
      queries.push(query)
      const days = Array.from({ length: 28 }, (_, i) => addDays('2026-10-26', i))
      const rows = days.flatMap((day, i) => [row(day, 'getLocation', 10 * (i + 1)), row(day, 'nearbyCatalog', 7)])
      return { calls: 0, units: 0, billableUnits: 0, rows }
    },
    statement: () => Promise.reject(new Error('A forecast needs no statement.')),
    relyingKeys: async () => [],
  }
  const stores = { usage, clock: { nowMs: () => nowMs, monotonicUs: () => 0 } }
  const input = { key: of, quota: 500, searchQuota: 100, timeZone: 'Europe/Madrid', ...more }
  const made = await forecastUsage(stores, actor, input)
  if (isAdminFault(made)) throw new Error(made.fault)
  return { made, query: queries[0]! }
}

test('the quotas of a key are forecast from its full days, searches separately', async () => {
  const { made, query } = await forecast(key)
  expect(query).toMatchObject({
    keyId: 'k1',
    fromMs: Date.parse('2026-10-25T23:00:00Z'),
    toMs: Date.parse('2026-11-22T23:00:00Z'),
  })
  expect(query).not.toHaveProperty('partnerId')
  expect(made).toEqual([
    { bucket: 'package', quota: 500, average: 250, peak: 280, daysLeft: 22 },
    { bucket: 'search', quota: 100, average: 7, peak: 7 },
  ])
})

test('a shared quota is forecast from all keys of the partner, an unlimited one not at all', async () => {
  const { made, query } = await forecast({ ...key, agreement: { subject: 'partner' } }, { quota: 'unlimited' })
  expect(query).toMatchObject({ partnerId: 'p1' })
  expect(query).not.toHaveProperty('keyId')
  expect(made.map(({ bucket }) => bucket)).toEqual(['search'])
})
