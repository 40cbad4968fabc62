import type { Key } from '../../domain/key.ts'
import type { BucketLimitStatus, LimitStatus } from '../../domain/limit-status.ts'
import { formatRate } from '../../domain/limit-words.ts'
import type { PackageTable, Quota } from '../../domain/package.ts'
import { keyResource } from '../../resources/key.ts'
import { type Html, html } from '../../web/html.ts'
import { meter } from '../../web/parts/meter.ts'
import { badge } from '../../web/parts/notice.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { time, timeDistance } from '../../web/parts/time.ts'

/** The limits of a key, and how far they are used up. */
export interface UsedLimits {
  readonly key: Key
  readonly status: LimitStatus
  readonly packageTable: PackageTable
  readonly zone: string
  readonly nowMs: number
}

/** Returns the meters of a key: rate and units of its package, rate and units of search, and rate of autocomplete. */
export function limitMeters({ key, status, packageTable, zone, nowMs }: UsedLimits): Html {
  const { limits } = keyResource(key, packageTable)
  const { rate, burst, quota, search_rate: searchRate, search_burst: searchBurst, search_quota: searchQuota } = limits
  const { autocomplete_rate: typingRate, autocomplete_burst: typingBurst } = limits
  const [requestRate, searches, typing] = [
    formatRate(rate.value, burst.value, ['request', 'requests']),
    formatRate(searchRate.value, searchBurst.value, ['search', 'searches']),
    formatRate(typingRate.value, typingBurst.value, ['request', 'requests']),
  ]
  const meters = [
    rateMeter('Rate', status.package, { rate: requestRate, burst: burst.value, nowMs }),
    quotaMeter('Daily units', status.package, quota.value, { zone, nowMs }),
    rateMeter('Search rate', status.search, { rate: searches, burst: searchBurst.value, nowMs }),
    quotaMeter('Search units', status.search, searchQuota.value, { zone, nowMs }),
    rateMeter('Autocomplete rate', status.autocomplete, { rate: typing, burst: typingBurst.value, nowMs }),
  ]
  return html`<div class="meters">${meters.map(one => html`<div>${one}</div>\n`)}</div>`
}

/** Returns the meter of the calls that are possible at once, and the penalty for calls before the promised time. */
const rateMeter = (
  label: string,
  { callsLeft, penalty }: BucketLimitStatus,
  { rate, burst, nowMs }: { readonly rate: string; readonly burst: number; readonly nowMs: number },
): Html =>
  html`${meter({
    label,
    limit: burst,
    unit: 'at once',
    used: Math.max(0, burst - callsLeft),
    note: `${rate[0]!.toUpperCase()}${rate.slice(1)}.`,
  })}${penalty && html`<p class="small">${penaltyText(penalty, nowMs)}</p>`}`

function quotaMeter(
  label: string,
  { unitsLeft, window }: BucketLimitStatus,
  quota: Quota,
  { zone, nowMs }: Pick<UsedLimits, 'zone' | 'nowMs'>,
): Html {
  const limit = quota === 'unlimited' || unitsLeft === 'unlimited' ? undefined : quota
  if (limit === undefined)
    return html`<div class="meter"><p class="meter-head"><span class="meter-label">${label}</span></p><p>Unlimited</p>
</div>`
  return meter({
    label,
    limit,
    unit: 'units',
    used: Math.max(0, limit - Number(unitsLeft)),
    note: window
      ? html`Window opened ${time(window.openedMs, zone)}; the next can open ${timeDistance(window.endsMs, nowMs)},
${time(window.endsMs, zone)}.`
      : 'The next call opens a window of 24 hours.',
  })
}

const penaltyText = ({ strikes, untilMs }: NonNullable<BucketLimitStatus['penalty']>, nowMs: number): Html =>
  html`${badge('bad', 'Penalty')} Called ${formatNumber(strikes)} times before the promised
time${untilMs !== undefined && untilMs > nowMs && html`; wait ends ${timeDistance(untilMs, nowMs)}`}.`
