/** Limits in words, for the `detail` of problem documents. */

import { formatCount, formatNumber } from '../kit/format-number.ts'

/**
 * Formats a rate: `10 requests per second`, or `1 request every 2 s` below one per second. Names the burst only if it
 * is not the requests of one second.
 */
export function formatRate(rate: number, burst: number, noun: readonly [one: string, many: string]): string {
  const sustained =
    rate >= 1 ? `${formatCount(rate, ...noun)} per second` : `1 ${noun[0]} every ${formatNumber(1 / rate)} s`
  return burst === Math.max(1, Math.ceil(rate))
    ? sustained
    : `${sustained}, and ${formatNumber(burst)} at once after a pause`
}

/** The noun of charged units. */
export const units = ['unit', 'units'] as const

/** Says which rate refused a call. */
export const rateSentence = (rateText: string): string => `The limit is ${rateText}.`

/** Says why a call before the promised time was refused. */
export const penaltySentence = (rateText: string): string =>
  `Calls before the time given in Retry-After extend the wait. ${rateSentence(rateText)}`

/** The names of the quotas in words, by bucket. */
export const quotaNames = {
  package: 'daily quota',
  search: 'daily search quota',
  // The bucket has no quota of its own.
  autocomplete: 'daily quota',
} as const

/** Says that a call can never fit into a quota. */
export const neverFitsSentence = (cost: number, quotaName: string, quota: number): string =>
  `The call costs ${formatCount(cost, ...units)}, more than the entire ${quotaName} of ${formatNumber(quota)}.`

/** The remedy of a call that can never fit. */
export const splitCall = 'Split it into smaller calls.'
