import { formatRate } from '../domain/limit-words.ts'
import type { Quota } from '../domain/package.ts'
import { toIntervalUs } from './gcra.ts'
import type { EffectiveLimits } from './grant.ts'

/** The buckets with a rate and a quota; feed downloads have separate limits. */
export type LimitedBucket = 'package' | 'search'

/** The names of policies in headers and problem documents. */
export type PolicyName = 'rate' | 'daily' | 'search' | 'search-daily' | 'penalty'

/** The limits of a subject in one bucket, precomputed from EffectiveLimits for the checks of each call. */
export interface BucketPolicy {
  readonly bucket: LimitedBucket
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

/** Returns the policies that a call must pass: its bucket, and also the package if searches count toward it. */
export function buildPolicies(
  limits: EffectiveLimits,
  bucket: LimitedBucket,
  searchCountsTowardPackage: boolean,
): readonly BucketPolicy[] {
  const pack = buildPolicy('package', limits.rate.value, limits.burst.value, limits.quota.value)
  if (bucket === 'package') return [pack]
  const search = buildPolicy('search', limits.searchRate.value, limits.searchBurst.value, limits.searchQuota.value)
  return searchCountsTowardPackage ? [search, pack] : [search]
}

const names = {
  package: { rateName: 'rate', dailyName: 'daily' },
  search: { rateName: 'search', dailyName: 'search-daily' },
} as const

function buildPolicy(bucket: LimitedBucket, rate: number, burst: number, agreed: Quota): BucketPolicy {
  const { rateName, dailyName } = names[bucket]
  const quota = agreed === 'unlimited' ? Number.POSITIVE_INFINITY : agreed
  // w: seconds until the burst is available again. An unlimited policy is omitted.
  const rateHeader = `"${rateName}";q=${burst};w=${Math.max(1, Math.ceil(burst / rate))}`
  const header = agreed === 'unlimited' ? rateHeader : `${rateHeader}, "${dailyName}";q=${quota};w=86400`
  const rateText = formatRate(rate, burst, bucket === 'search' ? ['search', 'searches'] : ['request', 'requests'])
  return { bucket, rateName, dailyName, intervalUs: toIntervalUs(rate), burst, quota, header, rateText }
}
