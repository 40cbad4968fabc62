import { type Key, permissionsOf } from '../domain/key.ts'
import type { PackageTable, Permission, Quota } from '../domain/package.ts'
import type { Scope } from '../domain/scope.ts'

/** Origin of a limit of a key (SPEC §5.5). */
export type LimitSource = 'package' | 'agreement' | 'test key'

/** A limit and its origin. */
export interface Effective<T> {
  readonly value: T
  readonly source: LimitSource
}

/** The limits that bind a key: rates per second, bursts in requests, quotas in units per 24-hour window. */
export interface EffectiveLimits {
  readonly rate: Effective<number>
  readonly burst: Effective<number>
  readonly quota: Effective<Quota>
  readonly searchRate: Effective<number>
  readonly searchBurst: Effective<number>
  readonly searchQuota: Effective<Quota>
  readonly autocompleteRate: Effective<number>
  readonly autocompleteBurst: Effective<number>
}

/** Everything that a key may do. */
export interface Grant {
  readonly permissions: ReadonlySet<Permission>
  readonly scope: Scope
  readonly limits: EffectiveLimits
}

/** Quota of a test key, in units per 24-hour window. */
export const testQuota = 1000

/** Computes the grant of a key from its package, add-ons and agreement. */
export function computeGrant(key: Key, packageTable: PackageTable): Grant {
  return { permissions: permissionsOf(key, packageTable), scope: key.scope, limits: computeLimits(key, packageTable) }
}

function computeLimits(key: Key, packageTable: PackageTable): EffectiveLimits {
  const { agreement } = key
  const keyPackage = packageTable.packages[key.packageName]
  const pick = <T>(agreed: T | undefined, fromPackage: T): Effective<T> =>
    agreed === undefined ? { value: fromPackage, source: 'package' } : { value: agreed, source: 'agreement' }
  const rate = pick(agreement.rate, keyPackage.rate)
  // the default burst is one second of the rate.
  const burst: Effective<number> =
    agreement.burst === undefined
      ? { value: Math.max(1, Math.ceil(rate.value)), source: rate.source }
      : { value: agreement.burst, source: 'agreement' }
  const autocompleteRate: Effective<number> =
    agreement.autocompleteRate === undefined ? rate : { value: agreement.autocompleteRate, source: 'agreement' }
  return {
    rate,
    burst,
    quota: key.test
      ? { value: testQuota, source: 'test key' }
      : pick<Quota>(agreement.quota, keyPackage.quota ?? 'unlimited'),
    searchRate: pick(agreement.searchRate, packageTable.search.rate),
    searchBurst: pick(agreement.searchBurst, packageTable.search.burst),
    searchQuota: pick(agreement.searchQuota, packageTable.search.quota),
    // the rate of the package, in a bucket of its own, with a burst of two seconds.
    autocompleteRate,
    autocompleteBurst:
      agreement.autocompleteBurst === undefined
        ? { value: Math.max(1, Math.ceil(2 * autocompleteRate.value)), source: autocompleteRate.source }
        : { value: agreement.autocompleteBurst, source: 'agreement' },
  }
}
