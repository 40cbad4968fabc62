import { expect, test } from 'vitest'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import type { Agreement } from '../../src/domain/agreement.ts'
import { createTestKey } from '../../src/domain/key.fixture.ts'
import type { Key } from '../../src/domain/key.ts'
import type { KeyAdmin } from '../../src/domain/key-stores.ts'
import type { UsageQuery } from '../../src/domain/ledger.ts'
import type { UsageReports } from '../../src/domain/usage-report.ts'
import { addDays } from '../../src/kit/dates.ts'
import { createForecasts, type ForecastStores } from '../../src/usecases/admin/forecast-usage.ts'
import { actor } from '../world.ts'

/** 23:30 UTC is the next day in Madrid. */
const nowMs = Date.parse('2026-11-22T23:30:00Z')
const shared: Agreement = { subject: 'partner' }
const keys = [
  createTestKey({ id: 'k1', partnerId: 'p1' }),
  createTestKey({ id: 'k2', partnerId: 'p1', agreement: shared }),
  createTestKey({ id: 'k3', partnerId: 'p1', agreement: shared, state: 'revoked' }),
  createTestKey({ id: 'k4', partnerId: 'p1', agreement: shared }),
  createTestKey({ id: 'k5', partnerId: 'p1', test: true }),
  createTestKey({ id: 'k6', partnerId: 'p1', expiresMs: nowMs }),
]

interface Options {
  readonly quota?: (key: Key) => number | 'unlimited'
  readonly searchCountsTowardPackage?: boolean
}

/** Each key has used 10 units more with each day, and 7 units for searches; returns the query of the report, too. */
const forecast = async (
  input: { readonly keyId?: string; readonly partnerId?: string },
  { quota = () => 500, searchCountsTowardPackage = false }: Options = {},
) => {
  const queries: UsageQuery[] = []
  const row = (key: string, day: string, operation: string, units: number) => ({
    key,
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
      const rows = keys
        .filter(({ id }) => query.keyId === undefined || query.keyId === id)
        .flatMap(({ id }) =>
          days.flatMap((day, i) => [row(id, day, 'getLocation', 10 * (i + 1)), row(id, day, 'nearbyCatalog', 7)]),
        )
      return { calls: 0, units: 0, billableUnits: 0, rows }
    },
    statement: () => Promise.reject(new Error('A forecast needs no statement.')),
    countedTo: async () => Number.POSITIVE_INFINITY,
    relyingKeys: async () => [],
  }
  const stores: ForecastStores = {
    usage,
    keys: {
      key: async (id: string) => keys.find(key => key.id === id),
      keys: async () => keys,
    } as unknown as KeyAdmin,
    clock: { nowMs: () => nowMs, monotonicUs: () => 0 },
    limitsOf: key => ({ quota: quota(key), searchQuota: 100 }),
    searchCountsTowardPackage,
  }
  const made = await createForecasts(stores)(actor, { timeZone: 'Europe/Madrid', ...input })
  if (isAdminFault(made)) throw new Error(made.fault)
  return { made: made.map(one => ({ ...one, keys: one.keys.map(({ id }) => id) })), query: queries[0] }
}

test('the quotas of a key are forecast from its full days, searches separately', async () => {
  const { made, query } = await forecast({ keyId: 'k1' })
  expect(query).toMatchObject({
    keyId: 'k1',
    fromMs: Date.parse('2026-10-25T23:00:00Z'),
    toMs: Date.parse('2026-11-22T23:00:00Z'),
  })
  expect(query).not.toHaveProperty('partnerId')
  expect(made).toEqual([
    { bucket: 'package', quota: 500, keys: ['k1'], average: 250, peak: 280, daysLeft: 22 },
    { bucket: 'search', quota: 100, keys: ['k1'], average: 7, peak: 7 },
  ])
  const both = await forecast({ keyId: 'k1' }, { searchCountsTowardPackage: true })
  expect(both.made[0]).toMatchObject({ bucket: 'package', average: 257, peak: 287 })
})

test('without a chosen key each subject of limits is forecast, the one nearest to its quota first', async () => {
  const { made, query } = await forecast({ partnerId: 'p1' }, { quota: ({ id }) => (id === 'k4' ? 900 : 1000) })
  expect(query).toMatchObject({ partnerId: 'p1' })
  expect(query).not.toHaveProperty('keyId')
  // The units of a revoked key were used from the shared quota; test keys and keys that have ended are left out.
  expect(made.map(({ keys, bucket, quota, average }) => [keys, bucket, quota, average])).toEqual([
    [['k2', 'k4'], 'package', 900, 750],
    [['k1'], 'package', 1000, 250],
    [['k2', 'k4'], 'search', 100, 21],
    [['k1'], 'search', 100, 7],
  ])
})

test('an unlimited quota has no forecast, and neither have all partners together', async () => {
  const { made } = await forecast({ keyId: 'k2' }, { quota: () => 'unlimited' })
  expect(made.map(({ bucket, average }) => [bucket, average])).toEqual([['search', 21]])
  expect(await forecast({})).toEqual({ made: [], query: undefined })
})
