import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { searchOperations } from '../../domain/operation.ts'
import type { Quota } from '../../domain/package.ts'
import { forecastQuota, type QuotaForecast } from '../../domain/quota-forecast.ts'
import type { UsageReportLine, UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { addDays, datesBetween } from '../../kit/dates.ts'
import { startOfDay, toLocalDate } from '../../kit/time.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { reportUsage } from './report-usage.ts'

/** Number of full days that a forecast reads. */
export const forecastDays = 28

const buckets = ['package', 'search'] as const

/** The forecast of one quota of a subject. */
export interface BucketForecast extends QuotaForecast {
  readonly bucket: (typeof buckets)[number]
  readonly quota: number
  /** The keys that use the quota: one key, or all active keys of the partner that share limits. */
  readonly keys: readonly Key[]
}

/** Dependencies of `forecastUsage`. */
export interface ForecastStores {
  readonly usage: UsageReports
  readonly keys: KeyAdmin
  readonly clock: Clock
  /** Returns the effective quotas of a key. */
  limitsOf(key: Key): { readonly quota: Quota; readonly searchQuota: Quota }
  /** True if searches also count toward the quota of the package. */
  readonly searchCountsTowardPackage: boolean
}

/** The keys whose quotas are forecast: one key, or all active live keys of a partner. */
export interface ForecastInput {
  readonly keyId?: string | undefined
  readonly partnerId?: string | undefined
  readonly timeZone: string
}

/**
 * Forecasts the quotas of each subject of limits, the one nearest to its quota first; unlimited quotas are left out.
 * Without a key and a partner there are no subjects: a quota is never that of all partners.
 */
export async function forecastUsage(
  stores: ForecastStores,
  actor: Actor,
  { keyId, partnerId, timeZone }: ForecastInput,
): Promise<readonly BucketForecast[] | AdminFault> {
  const chosen = keyId === undefined ? undefined : await getKey(stores, actor, { id: keyId })
  if (isAdminFault(chosen)) return chosen
  const ownerId = chosen?.partnerId ?? partnerId
  if (ownerId === undefined) return []
  const keys = await listKeys(stores, actor, { partnerIds: [ownerId] })
  const subjects = Map.groupBy(keys, subjectOf)
  const nowMs = stores.clock.nowMs()
  const shown = chosen
    ? [subjects.get(subjectOf(chosen)) ?? []]
    : [...subjects.values()].filter(some => some.some(key => isInUse(key, nowMs)))
  const isAlone = shown.length === 1 && shown[0]!.length === 1
  const today = toLocalDate(nowMs, timeZone)
  const from = addDays(today, -forecastDays)
  const report = await reportUsage(stores, actor, {
    ...(isAlone ? { keyId: shown[0]![0]!.id } : { partnerId: ownerId }),
    fromMs: startOfDay(from, timeZone),
    toMs: startOfDay(today, timeZone),
    timeZone,
    by: ['day', 'operation', 'key'],
  })
  if (isAdminFault(report)) return report
  const rows = Map.groupBy(report.rows, ({ key }) => String(key))
  const dates = datesBetween(from, addDays(today, -1))
  return shown
    .flatMap(some =>
      forecastSubject(stores, some, { dates, nowMs, rows: some.flatMap(({ id }) => rows.get(id) ?? []) }),
    )
    .sort((a, b) => b.average / b.quota - a.average / a.quota)
}

/** Returns what keys have in common that share limits: the partner, or the key alone. */
const subjectOf = ({ id, agreement }: Key): string => (agreement.subject === 'partner' ? 'partner' : id)

const isInUse = ({ test, state, expiresMs }: Key, nowMs: number): boolean =>
  !test && state === 'active' && (expiresMs === undefined || expiresMs > nowMs)

interface SubjectUse {
  readonly dates: readonly string[]
  readonly rows: readonly UsageReportLine[]
  readonly nowMs: number
}

function forecastSubject(
  { limitsOf, searchCountsTowardPackage }: ForecastStores,
  keys: readonly Key[],
  { dates, rows, nowMs }: SubjectUse,
): readonly BucketForecast[] {
  const counts = {
    package: (isSearch: boolean) => searchCountsTowardPackage || !isSearch,
    search: (isSearch: boolean) => isSearch,
  }
  const unitsOf = (bucket: keyof typeof counts) => {
    const counted = rows.filter(({ operation }) => counts[bucket](searchOperations.includes(String(operation))))
    const days = Map.groupBy(counted, ({ day }) => day)
    return dates.map(date => (days.get(date) ?? []).reduce((sum, { units }) => sum + units, 0))
  }
  const inUse = keys.filter(key => isInUse(key, nowMs))
  const holders = inUse.length > 0 ? inUse : keys
  const limits = holders.map(limitsOf)
  // Keys that share limits may have different quotas: the smallest one refuses calls first.
  const quotas = {
    package: smallest(limits.map(({ quota }) => quota)),
    search: smallest(limits.map(({ searchQuota }) => searchQuota)),
  }
  return buckets.flatMap(bucket => {
    const quota = quotas[bucket]
    return quota === undefined ? [] : [{ bucket, quota, keys: holders, ...forecastQuota(unitsOf(bucket), quota) }]
  })
}

/** Returns the smallest quota; undefined if all are unlimited. */
function smallest(quotas: readonly Quota[]): number | undefined {
  const limited = quotas.filter(quota => quota !== 'unlimited')
  return limited.length === 0 ? undefined : Math.min(...limited)
}
