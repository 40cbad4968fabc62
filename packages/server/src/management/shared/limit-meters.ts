import type { Key } from '../../domain/key.ts'
import type { BucketLimitStatus, LimitStatus } from '../../domain/limit-status.ts'
import type { PackageTable, Quota } from '../../domain/package.ts'
import { keyResource } from '../../resources/key.ts'
import { type Html, html } from '../../web/html.ts'
import { meter } from '../../web/parts/meter.ts'
import { badge } from '../../web/parts/notice.ts'
import { count, number } from '../../web/parts/number.ts'
import { distance, time } from '../../web/parts/time.ts'

/** The limits of a key, and how far they are used up. */
export interface UsedLimits {
  readonly key: Key
  readonly status: LimitStatus
  readonly packageTable: PackageTable
  readonly zone: string
  readonly nowMs: number
}

/** Returns the meters of a key: units of its package and of search in the open window, and the calls that are possible now. */
export function limitMeters({ key, status, packageTable, zone, nowMs }: UsedLimits): Html {
  const { limits } = keyResource(key, packageTable)
  const bucket = (label: string, state: BucketLimitStatus, quota: Quota, rate: number, burst: number) =>
    html`${quotaMeter(label, state, quota, { zone, nowMs })}<p class="quiet small">${count(rate, 'call')} a second, ${number(burst)} at once: ${number(state.callsLeft)} possible now.${state.penalty && html` ${penaltyText(state.penalty, nowMs)}`}</p>`
  return html`${bucket('Units of 24 hours', status.package, limits.quota.value, limits.rate.value, limits.burst.value)}
${bucket('Search', status.search, limits.search_quota.value, limits.search_rate.value, limits.search_burst.value)}`
}

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
