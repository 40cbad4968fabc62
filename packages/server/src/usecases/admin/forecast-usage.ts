import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import { searchOperations } from '../../domain/operation.ts'
import type { Quota } from '../../domain/package.ts'
import { forecastQuota, type QuotaForecast } from '../../domain/quota-forecast.ts'
import type { UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { addDays, datesBetween } from '../../kit/dates.ts'
import { startOfDay, toLocalDate } from '../../kit/time.ts'
import { reportUsage } from './report-usage.ts'

/** Number of full days that a forecast reads. */
const forecastDays = 28

/** The forecast of one quota of a key. */
export interface BucketForecast extends QuotaForecast {
  readonly bucket: 'package' | 'search'
  readonly quota: number
}

/** Forecasts the quotas of a key, or of all keys of its partner if they share limits; unlimited quotas are left out. */
export async function forecastUsage(
  stores: { readonly usage: UsageReports; readonly clock: Clock },
  actor: Actor,
  {
    key,
    quota,
    searchQuota,
    timeZone,
  }: { readonly key: Key; readonly quota: Quota; readonly searchQuota: Quota; readonly timeZone: string },
): Promise<readonly BucketForecast[] | AdminFault> {
  const today = toLocalDate(stores.clock.nowMs(), timeZone)
  const from = addDays(today, -forecastDays)
  const report = await reportUsage(stores, actor, {
    ...(key.agreement.subject === 'partner' ? { partnerId: key.partnerId } : { keyId: key.id }),
    fromMs: startOfDay(from, timeZone),
    toMs: startOfDay(today, timeZone),
    timeZone,
    by: ['day', 'operation'],
  })
  if (isAdminFault(report)) return report
  const dates = datesBetween(from, addDays(today, -1))
  const unitsOf = (isSearch: boolean) => {
    const rows = report.rows.filter(row => searchOperations.includes(String(row.operation)) === isSearch)
    const days = Map.groupBy(rows, ({ day }) => day)
    return dates.map(date => (days.get(date) ?? []).reduce((sum, { units }) => sum + units, 0))
  }
  const quotas = { package: quota, search: searchQuota }
  return (['package', 'search'] as const).flatMap(bucket => {
    const size = quotas[bucket]
    return size === 'unlimited' ? [] : [{ bucket, quota: size, ...forecastQuota(unitsOf(bucket === 'search'), size) }]
  })
}
