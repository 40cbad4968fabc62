import { computeGrant, type Effective } from '../../access/grant.ts'
import type { AccountUsage, VersionUse } from '../../domain/account.ts'
import type { Key } from '../../domain/key.ts'
import type { BucketLimitStatus, LimitStatus } from '../../domain/limit-status.ts'
import type { PackageTable } from '../../domain/package.ts'

const formatTime = (ms: number): string => new Date(ms).toISOString()

/** Returns the list, or undefined if it is empty. */
const orAbsent = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined)

/** Presents a key to its holder, without the operator's notes. Undefined members are absent from the JSON. */
export function presentAccount(
  key: Key,
  packageTable: PackageTable,
  status: LimitStatus,
  versions: readonly VersionUse[],
): object {
  const { permissions, limits } = computeGrant(key, packageTable)
  const scoped = Object.values(key.scope).some(part => part?.length)
  const { countries, categories, sources } = key.scope
  return {
    id: key.id,
    name: key.name,
    partner_id: key.partnerId,
    test: key.test,
    package: key.packageName,
    add_ons: orAbsent(key.addOns),
    permissions: [...permissions],
    scope: scoped
      ? { countries: orAbsent(countries), categories: orAbsent(categories), sources: orAbsent(sources) }
      : undefined,
    limits: {
      rate: limits.rate,
      burst: presentBurst(limits.burst, status.package),
      quota: presentQuota(limits.quota, status.package),
      penalty: presentPenalty(status.package),
      search_rate: limits.searchRate,
      search_burst: presentBurst(limits.searchBurst, status.search),
      search_quota: presentQuota(limits.searchQuota, status.search),
      search_penalty: presentPenalty(status.search),
      autocomplete_rate: limits.autocompleteRate,
      autocomplete_burst: presentBurst(limits.autocompleteBurst, status.autocomplete),
      autocomplete_penalty: presentPenalty(status.autocomplete),
    },
    limits_apply_to: key.agreement.subject ?? 'key',
    versions: orAbsent(versions),
    feed_pins: permissions.has('feeds') ? key.feedPins : undefined,
    networks: orAbsent(key.networks),
    created_at: formatTime(key.createdMs),
    expires_at: key.expiresMs === undefined ? undefined : formatTime(key.expiresMs),
  }
}

const presentBurst = (limit: Effective<number>, { callsLeft, burstFullMs }: BucketLimitStatus) => ({
  ...limit,
  left: callsLeft,
  resets_at: burstFullMs === undefined ? undefined : formatTime(burstFullMs),
})

const presentQuota = <T>(limit: Effective<T>, { unitsLeft, window }: BucketLimitStatus) => ({
  ...limit,
  left: unitsLeft,
  window_opened_at: window && formatTime(window.openedMs),
  resets_at: window && formatTime(window.endsMs),
})

const presentPenalty = ({ penalty }: BucketLimitStatus) =>
  penalty && {
    strikes: penalty.strikes,
    until: penalty.untilMs === undefined ? undefined : formatTime(penalty.untilMs),
  }

/** Presents the usage of a key. */
export const presentAccountUsage = ({ fromMs, toMs, calls, units, billableUnits, rows }: AccountUsage): object => ({
  from: formatTime(fromMs),
  to: formatTime(toMs),
  calls,
  units,
  billable_units: billableUnits,
  rows: rows.map(({ billableUnits: billable, ...row }) => ({ ...row, billable_units: billable })),
})
