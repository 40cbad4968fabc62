import { expect, test } from 'vitest'
import { openEnd, type UsageQuery } from '../domain/ledger.ts'
import type { UsageReports } from '../domain/usage-report.ts'
import { dayMs } from '../kit/time.ts'
import { keepPastReports } from './past-reports.ts'

const todayMs = Date.parse('2026-11-23')
const by = ['key', 'day'] as const

/** Each read counts one call more of key k1, on each day of the query that has calls, and one of k0 on the last day. */
const createReads = () => {
  const queries: UsageQuery[] = []
  const statements: string[] = []
  let nowUs = 0
  const clock = { nowMs: () => todayMs + 5 * 3_600_000, monotonicUs: () => nowUs }
  const line = (key: string, day: string) => ({ key, day, calls: queries.length, units: 2, billableUnits: 1 })
  const usage: UsageReports = {
    report: async query => {
      queries.push(query)
      const days = ['2026-11-22', '2026-11-23'].filter(
        day => Date.parse(day) >= query.fromMs && Date.parse(day) < query.toMs,
      )
      const rows = [line('k0', days.at(-1)!), ...days.map(day => line('k1', day))]
      const calls = rows.length * queries.length
      return { calls, units: rows.length * 2, billableUnits: rows.length, rows }
    },
    statement: async period => {
      statements.push(period.month)
      const closed = period.month < '2026-11'
      return { ...period, fromMs: 0, toMs: 0, closed, calls: statements.length, units: 0, lines: [] }
    },
    countedTo: async () => Number.POSITIVE_INFINITY,
    relyingKeys: async () => [],
  }
  const waitMs = (ms: number) => {
    nowUs += ms * 1000
  }
  return { kept: keepPastReports(usage, clock), queries, statements, waitMs }
}

test('sums of past days are kept for a minute, and those of today are added to them each time', async () => {
  const { kept, queries, waitMs } = createReads()
  const query = { partnerId: 'p1', fromMs: todayMs - dayMs, toMs: openEnd }
  const read = async () => (await kept.report(query, by, 'UTC', true)).rows.map(row => [row.key, row.day, row.calls])
  const yesterday = (calls: number) => ['2026-11-22', calls]
  expect(await read()).toEqual([
    ['k0', ...yesterday(1)],
    ['k0', '2026-11-23', 2],
    ['k1', ...yesterday(1)],
    ['k1', '2026-11-23', 2],
  ])
  expect((await read()).map(row => row[2])).toEqual([1, 3, 1, 3])
  expect(await kept.report(query, by, 'UTC', true)).toMatchObject({ calls: 10, units: 8, billableUnits: 4 })
  waitMs(60_000)
  expect((await read()).map(row => row[2])).toEqual([5, 6, 5, 6])
  expect(queries[0]).toEqual({ ...query, toMs: todayMs })
  expect(queries[1]).toEqual({ ...query, fromMs: todayMs })
})

test('complete reports are read each time', async () => {
  const { kept, queries } = createReads()
  const query = { fromMs: todayMs - dayMs, toMs: todayMs }
  await kept.report(query, by, 'UTC')
  await kept.report(query, by, 'UTC')
  expect(queries).toEqual([query, query])
  // Another time zone has another today.
  await kept.report({ ...query, toMs: openEnd }, by, 'America/New_York', true)
  expect(queries.slice(2).map(({ fromMs }) => fromMs)).toEqual([todayMs - dayMs, todayMs + 5 * 3_600_000])
})

test('only statements of closed months are kept', async () => {
  const { kept, statements } = createReads()
  const read = (month: string, countedOnly: boolean) =>
    kept.statement({ partnerId: 'p1', month, timeZone: 'UTC' }, todayMs, countedOnly)
  for (const month of ['2026-10', '2026-11'])
    for (const countedOnly of [true, true, false]) await read(month, countedOnly)
  expect(statements).toEqual(['2026-10', '2026-10', '2026-11', '2026-11', '2026-11'])
})
