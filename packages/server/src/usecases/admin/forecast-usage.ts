import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { Quota } from '../../domain/package.ts'
import { forecastQuota, type QuotaForecast } from '../../domain/quota-forecast.ts'
import type { UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { toLocalDate } from '../../kit/time.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { type DailyUnits, readPastUnits } from './past-units.ts'

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

/** Dependencies of forecasts. */
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

/** Returns the forecasts of the quotas of a partner or key. */
export type Forecasts = (actor: Actor, input: ForecastInput) => Promise<readonly BucketForecast[] | AdminFault>

/**
 * Creates the function that forecasts the quotas of each subject of limits, the one nearest to its quota first;
 * unlimited quotas are left out. Without a key and a partner there are no subjects: a quota is never that of all
 * partners.
 */
export function createForecasts(stores: ForecastStores): Forecasts {
  return async (actor, { keyId, partnerId, timeZone }) => {
    const chosen = keyId === undefined ? undefined : await getKey(stores, actor, { id: keyId })
    if (isAdminFault(chosen)) return chosen
    const ownerId = chosen?.partnerId ?? partnerId
    if (ownerId === undefined) return []
    const subjects = Map.groupBy(await listKeys(stores, actor, { partnerIds: [ownerId] }), subjectOf)
    const nowMs = stores.clock.nowMs()
    const shown = chosen
      ? [subjects.get(subjectOf(chosen)) ?? []]
      : [...subjects.values()].filter(some => some.some(key => isInUse(key, nowMs)))
    const [only, ...others] = shown.flat()
    if (!only) return []
    const units = await readPastUnits(stores, actor, {
      partnerId: ownerId,
      ...(others.length === 0 && { keyId: only.id }),
      today: toLocalDate(nowMs, timeZone),
      days: forecastDays,
      timeZone,
    })
    if (isAdminFault(units)) return units
    return shown
      .flatMap(keys => forecastSubject(stores, keys, { nowMs, units }))
      .sort((a, b) => b.average / b.quota - a.average / a.quota)
  }
}

/** Returns what keys have in common that share limits: the partner, or the key alone. */
const subjectOf = ({ id, agreement }: Key): string => (agreement.subject === 'partner' ? 'partner' : id)

const isInUse = ({ test, state, expiresMs }: Key, nowMs: number): boolean =>
  !test && state === 'active' && (expiresMs === undefined || expiresMs > nowMs)

interface SubjectUse {
  readonly units: ReadonlyMap<string, DailyUnits>
  readonly nowMs: number
}

function forecastSubject(
  { limitsOf, searchCountsTowardPackage }: ForecastStores,
  keys: readonly Key[],
  { units, nowMs }: SubjectUse,
): readonly BucketForecast[] {
  const used = keys.flatMap(({ id }) => units.get(id) ?? [])
  const days = {
    package: addUp(used.flatMap(({ searches, others }) => (searchCountsTowardPackage ? [searches, others] : [others]))),
    search: addUp(used.map(({ searches }) => searches)),
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
    return quota === undefined ? [] : [{ bucket, quota, keys: holders, ...forecastQuota(days[bucket], quota) }]
  })
}

/** Adds up the units of each day. */
const addUp = (lists: readonly (readonly number[])[]): number[] =>
  Array.from({ length: forecastDays }, (_, day) => lists.reduce((sum, units) => sum + units[day]!, 0))

/** Returns the smallest quota; undefined if all are unlimited. */
function smallest(quotas: readonly Quota[]): number | undefined {
  const limited = quotas.filter(quota => quota !== 'unlimited')
  return limited.length === 0 ? undefined : Math.min(...limited)
}
