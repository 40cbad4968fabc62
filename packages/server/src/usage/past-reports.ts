import type { UsageQuery } from '../domain/ledger.ts'
import type { Statement, UsageDimension, UsageReport, UsageReports } from '../domain/usage-report.ts'
import type { Clock } from '../kit/clock.ts'
import { startOfDay, toLocalDate } from '../kit/time.ts'
import { addReports } from './report.ts'

/** Time for which sums of past days are kept, in microseconds: such days change only by calls recorded late. */
const keptUs = 60_000_000
const maxKept = 200
/** Reports with more rows are not kept. */
const maxRows = 5000

/**
 * Returns reports that keep what they counted of the days before today for a minute, if they leave out the calls that
 * are not folded yet. All other reports and statements are read each time.
 */
export function keepPastReports(usage: UsageReports, clock: Clock): UsageReports {
  const reports = createCache<UsageReport>(clock, ({ rows }) => rows.length <= maxRows)
  const statements = createCache<Statement>(clock, ({ closed }) => closed)
  const reportPast = (query: UsageQuery, by: readonly UsageDimension[], zone: string): Promise<UsageReport> =>
    reports(JSON.stringify([query, by, zone]), () => usage.report(query, by, zone, true))
  return {
    ...usage,
    report: async (query, by, zone, countedOnly = false) => {
      if (!countedOnly) return usage.report(query, by, zone)
      const todayMs = startOfDay(toLocalDate(clock.nowMs(), zone), zone)
      if (query.toMs <= todayMs) return reportPast(query, by, zone)
      if (query.fromMs >= todayMs) return usage.report(query, by, zone, true)
      const past = await reportPast({ ...query, toMs: todayMs }, by, zone)
      return addReports([past, await usage.report({ ...query, fromMs: todayMs }, by, zone, true)], by)
    },
    statement: (period, nowMs, countedOnly = false) =>
      countedOnly
        ? statements(JSON.stringify(period), () => usage.statement(period, nowMs, true))
        : usage.statement(period, nowMs),
  }
}

/** Returns a function that returns the known value of a name, or reads it and keeps it for a minute. */
function createCache<T>(clock: Clock, isKept: (value: T) => boolean) {
  const kept = new Map<string, { readonly value: T; readonly untilUs: number }>()
  return async (name: string, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(name)
    if (known && clock.monotonicUs() < known.untilUs) return known.value
    const value = await read()
    if (!isKept(value)) return value
    if (kept.size >= maxKept) kept.clear()
    kept.set(name, { value, untilUs: clock.monotonicUs() + keptUs })
    return value
  }
}
