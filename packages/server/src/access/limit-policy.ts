import type { LimitedBucket } from '../domain/limit-bucket.ts'
import { formatRate } from '../domain/limit-words.ts'
import type { Quota } from '../domain/package.ts'
import { toIntervalUs } from './gcra.ts'
import type { EffectiveLimits } from './grant.ts'

/** The names of policies in headers and problem documents. */
export type PolicyName = 'rate' | 'daily' | 'search' | 'search-daily' | 'autocomplete' | 'sessions' | 'penalty'

/** The limits of a subject in one bucket, precomputed from EffectiveLimits for the checks of each call. */
export interface BucketPolicy {
  readonly bucket: LimitedBucket
  /** False if a call spends the quota alone: neither the rate nor a penalty of the bucket concerns it. */
  readonly spendsRate: boolean
  readonly rateName: PolicyName
  readonly dailyName: PolicyName
  /** Microseconds per call. */
  readonly intervalUs: number
  readonly burst: number
  /** Units per window; Infinity when unlimited. */
  readonly quota: number
  /** This policy's part of `RateLimit-Policy`. */
  readonly header: string
  /** The rate in words, for problem documents: `10 requests per second`. */
  readonly rateText: string
}

/**
 * Returns the policies that a call must pass: its bucket; also the package if searches count toward it, and the
 * quota of the package for calls of autocomplete.
 */
export function buildPolicies(
  limits: EffectiveLimits,
  bucket: LimitedBucket,
  searchCountsTowardPackage: boolean,
): readonly BucketPolicy[] {
  const pack = buildPolicy('package', limits.rate.value, limits.burst.value, limits.quota.value)
  switch (bucket) {
    case 'package':
      return [pack]
    case 'search': {
      const { searchRate, searchBurst, searchQuota } = limits
      const search = buildPolicy('search', searchRate.value, searchBurst.value, searchQuota.value)
      return searchCountsTowardPackage ? [search, pack] : [search]
    }
    case 'autocomplete': {
      const { autocompleteRate, autocompleteBurst } = limits
      const typing = buildPolicy('autocomplete', autocompleteRate.value, autocompleteBurst.value, 'unlimited')
      return [typing, { ...pack, spendsRate: false, header: formatQuota(pack) }]
    }
  }
}

const names = {
  package: { rateName: 'rate', dailyName: 'daily', noun: ['request', 'requests'] },
  search: { rateName: 'search', dailyName: 'search-daily', noun: ['search', 'searches'] },
  autocomplete: {
    rateName: 'autocomplete',
    dailyName: 'daily',
    noun: ['autocomplete request', 'autocomplete requests'],
  },
} as const

function buildPolicy(bucket: LimitedBucket, rate: number, burst: number, agreed: Quota): BucketPolicy {
  const { rateName, dailyName, noun } = names[bucket]
  const quota = agreed === 'unlimited' ? Number.POSITIVE_INFINITY : agreed
  // w: seconds until the burst is available again.
  const rateHeader = `"${rateName}";q=${burst};w=${Math.max(1, Math.ceil(burst / rate))}`
  const header = [rateHeader, formatQuota({ dailyName, quota })].filter(text => text !== '').join(', ')
  const rateText = formatRate(rate, burst, noun)
  return {
    bucket,
    spendsRate: true,
    rateName,
    dailyName,
    intervalUs: toIntervalUs(rate),
    burst,
    quota,
    header,
    rateText,
  }
}

/** Formats a quota for `RateLimit-Policy`; an unlimited one is omitted. */
const formatQuota = ({ dailyName, quota }: Pick<BucketPolicy, 'dailyName' | 'quota'>): string =>
  quota === Number.POSITIVE_INFINITY ? '' : `"${dailyName}";q=${quota};w=86400`
