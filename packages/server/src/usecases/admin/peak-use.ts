import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { searchOperations } from '../../domain/operation.ts'
import type { UsageReportLine, UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { dayMs, startOfUtcDay } from '../../kit/time.ts'
import { type PeriodReport, reportUsage, type UsageReportInput } from './report-usage.ts'

/** The UTC day on which a key used the most units of a quota. */
export interface PeakDay {
  readonly day: string
  readonly units: number
}

/** The peak of each daily quota of a key; missing without units. */
export interface KeyPeaks {
  readonly quota?: PeakDay
  readonly searchQuota?: PeakDay
}

/** Period in which peaks are sought, in milliseconds: today and the 29 days before. */
const peakPeriodMs = 29 * dayMs

/** Returns the peaks of the last 30 days by key; keys without units are missing. */
export async function peakUse(
  stores: { readonly usage: UsageReports; readonly clock: Clock },
  actor: Actor,
  filter: Pick<UsageReportInput, 'keyId' | 'partnerId'>,
): Promise<ReadonlyMap<string, KeyPeaks> | AdminFault> {
  const report = await reportPeaks(stores, actor, filter)
  return isAdminFault(report) ? report : findPeaks(report.rows)
}

/** Reports the usage that has the peaks, by key, day and operation. */
export function reportPeaks(
  stores: { readonly usage: UsageReports; readonly clock: Clock },
  actor: Actor,
  filter: Pick<UsageReportInput, 'keyId' | 'partnerId'>,
): Promise<PeriodReport | AdminFault> {
  const fromMs = startOfUtcDay(stores.clock.nowMs() - peakPeriodMs)
  return reportUsage(stores, actor, { ...filter, fromMs, by: ['key', 'day', 'operation'], countedOnly: true })
}

/** Returns the peaks by key in usage by key, day and operation. */
export function findPeaks(rows: readonly UsageReportLine[]): ReadonlyMap<string, KeyPeaks> {
  const sums = new Map<string, { key: string; limit: keyof KeyPeaks; day: string; units: number }>()
  for (const { key, day, operation, units } of rows) {
    const limit = searchOperations.includes(String(operation)) ? 'searchQuota' : 'quota'
    const sum = sums.getOrInsertComputed(`${key} ${limit} ${day}`, () => ({
      key: String(key),
      limit,
      day: String(day),
      units: 0,
    }))
    sum.units += units
  }
  const peaks = new Map<string, { -readonly [L in keyof KeyPeaks]: PeakDay }>()
  for (const { key, limit, day, units } of sums.values()) {
    if (units === 0) continue
    const own = peaks.getOrInsertComputed(key, () => ({}))
    if (units > (own[limit]?.units ?? 0)) own[limit] = { day, units }
  }
  return peaks
}
