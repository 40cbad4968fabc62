/** Limits in words, for the `detail` of problem documents. */

/** Formats a number with separators of thousands and at most two decimals: `10,000`. */
export function formatCount(value: number): string {
  const [whole, fraction] = String(Math.round(value * 100) / 100).split('.')
  const grouped = whole!.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Formats a number of things: `1 unit`, `2 units`. */
export const formatAmount = (value: number, [one, many]: readonly [one: string, many: string]): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`

/**
 * Formats a rate: `10 requests per second`, or `1 request every 2 s` below one per second. Names the burst only if it
 * is not the requests of one second.
 */
export function formatRate(rate: number, burst: number, noun: readonly [one: string, many: string]): string {
  const sustained =
    rate >= 1 ? `${formatAmount(rate, noun)} per second` : `1 ${noun[0]} every ${formatCount(1 / rate)} s`
  return burst === Math.max(1, Math.ceil(rate))
    ? sustained
    : `${sustained}, and ${formatCount(burst)} at once after a pause`
}

/** The noun of charged units. */
export const units = ['unit', 'units'] as const

/** Says which rate refused a call. */
export const rateSentence = (rateText: string): string => `The limit is ${rateText}.`

/** Says why a call before the promised time was refused. */
export const penaltySentence = (rateText: string): string =>
  `Calls before the time given in Retry-After extend the wait. ${rateSentence(rateText)}`

/** The names of the quotas in words, by bucket. */
export const quotaNames = { package: 'daily quota', search: 'daily search quota' } as const

/** Says that a call can never fit into a quota. */
export const neverFitsSentence = (cost: number, quotaName: string, quota: number): string =>
  `The call costs ${formatAmount(cost, units)}, more than the entire ${quotaName} of ${formatCount(quota)}.`

/** The remedy of a call that can never fit. */
export const splitCall = 'Split it into smaller calls.'
