import type { Key } from '../../domain/key.ts'
import type { BucketLimitStatus, LimitStatus } from '../../domain/limit-status.ts'
import { formatRate } from '../../domain/limit-words.ts'
import type { PackageTable, Quota } from '../../domain/package.ts'
import { keyResource } from '../../resources/key.ts'
import { type Html, html } from '../../web/html.ts'
import { meter } from '../../web/parts/meter.ts'
import { badge } from '../../web/parts/notice.ts'
import { number } from '../../web/parts/number.ts'
import { distance, time } from '../../web/parts/time.ts'

/** The limits of a key, and how far they are used up. */
export interface UsedLimits {
  readonly key: Key
  readonly status: LimitStatus
  readonly packageTable: PackageTable
  readonly zone: string
  readonly nowMs: number
}

/** Returns the four meters of a key: rate and units of its package, rate and units of search. */
export function limitMeters({ key, status, packageTable, zone, nowMs }: UsedLimits): Html {
  const { limits } = keyResource(key, packageTable)
  const { rate, burst, quota, search_rate: searchRate, search_burst: searchBurst, search_quota: searchQuota } = limits
  return html`${rateMeter('Rate', status.package, formatRate(rate.value, burst.value, requests), burst.value, nowMs)}
${quotaMeter('Units of 24 hours', status.package, quota.value, { zone, nowMs })}
${rateMeter('Search rate', status.search, formatRate(searchRate.value, searchBurst.value, searches), searchBurst.value, nowMs)}
${quotaMeter('Search units of 24 hours', status.search, searchQuota.value, { zone, nowMs })}`
}

const requests = ['request', 'requests'] as const
const searches = ['search', 'searches'] as const

/** Returns the meter of the calls that are possible at once, and the penalty for calls before the promised time. */
const rateMeter = (
  label: string,
  { callsLeft, penalty }: BucketLimitStatus,
  rate: string,
  burst: number,
  nowMs: number,
): Html =>
  html`${meter({ ...{ label, limit: burst, unit: 'at once' }, used: Math.max(0, burst - callsLeft), note: `${rate[0]!.toUpperCase()}${rate.slice(1)}.` })}${penalty && html`<p class="small">${penaltyText(penalty, nowMs)}</p>`}`

function quotaMeter(
  label: string,
  { unitsLeft, window }: BucketLimitStatus,
  quota: Quota,
  { zone, nowMs }: Pick<UsedLimits, 'zone' | 'nowMs'>,
): Html {
  const limit = quota === 'unlimited' || unitsLeft === 'unlimited' ? undefined : quota
  if (limit === undefined) return html`<p><span class="meter-label">${label}</span>: unlimited</p>`
  return meter({
    ...{ label, limit, unit: 'units' },
    used: Math.max(0, limit - Number(unitsLeft)),
    note: window
      ? html`Opened ${time(window.openedMs, zone)}; a new window can open ${distance(window.endsMs, nowMs)}, at ${time(window.endsMs, zone)}.`
      : 'The next call opens a window of 24 hours.',
  })
}

const penaltyText = ({ strikes, untilMs }: NonNullable<BucketLimitStatus['penalty']>, nowMs: number): Html =>
  html`${badge('bad', 'Penalty')} Called ${number(strikes)} times before the promised time${untilMs !== undefined && untilMs > nowMs && html`; wait ends ${distance(untilMs, nowMs)}`}.`
