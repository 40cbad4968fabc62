import type { Quota } from '../domain/package.ts'
import type { EffectiveLimits } from './grant.ts'
import type { Caller } from './limits.ts'

/** Limits for tests; the defaults are the limits of Discover and of the search bucket (SPEC §8). */
export interface Numbers {
  readonly rate?: number
  readonly burst?: number
  readonly quota?: Quota
  readonly searchRate?: number
  readonly searchBurst?: number
  readonly searchQuota?: Quota
  readonly autocompleteRate?: number
  readonly autocompleteBurst?: number
}

export function createEffectiveLimits(numbers: Numbers = {}): EffectiveLimits {
  const of = <T>(value: T) => ({ value, source: 'package' }) as const
  const rate = numbers.rate ?? 10
  return {
    rate: of(rate),
    burst: of(numbers.burst ?? Math.max(1, Math.ceil(rate))),
    quota: of(numbers.quota ?? 10_000),
    searchRate: of(numbers.searchRate ?? 1),
    searchBurst: of(numbers.searchBurst ?? 5),
    searchQuota: of(numbers.searchQuota ?? 86_400),
    autocompleteRate: of(numbers.autocompleteRate ?? rate),
    autocompleteBurst: of(numbers.autocompleteBurst ?? Math.max(1, Math.ceil(2 * rate))),
  }
}

/** Creates a caller with separate limits, or with the limits of its partner if `partner` is set. */
export const caller = (id: string, partner?: string): Caller => ({
  id,
  partnerId: partner ?? `partner-of-${id}`,
  agreement: partner === undefined ? {} : { subject: 'partner' },
})

/** A time on a timeline: 2026-01-01, not on a whole second. */
export const someTimeUs = 1_767_225_600_000_137
export const secondUs = 1_000_000
export const dayUs = 86_400 * secondUs
