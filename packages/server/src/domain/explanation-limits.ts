import { formatCount, formatNumber } from '../kit/format-number.ts'
import { dayMs, formatUtc } from '../kit/time.ts'
import type {
  ExplainedCall,
  ExplainedLimits,
  Explanation,
  ExplanationRoute,
  ExplanationTerms,
} from './explanation-terms.ts'
import {
  formatRate,
  neverFitsSentence,
  penaltySentence,
  quotaNames,
  rateSentence,
  splitCall,
  units,
} from './limit-words.ts'
import { autocompleteOperation, searchOperations } from './operation.ts'

/** A violated policy as it was recorded: `"search";q=5;w=5`. */
export interface Policy {
  readonly name: string
  /** `q` and `w` of the policy; undefined if they were not recorded. */
  readonly quota: number | undefined
  readonly windowS: number | undefined
}

/** Parses a policy; one of an earlier release is its name alone. */
export function parsePolicy(text: string): Policy {
  const [, name = text] = /^"([^"]*)"/.exec(text) ?? []
  const read = (parameter: string) => {
    const [, value] = new RegExp(`;${parameter}=(\\d+)`).exec(text) ?? []
    return value === undefined ? undefined : Number(value)
  }
  return { name, quota: read('q'), windowS: read('w') }
}

/** Explains a 429 by the policies that refused the call, with the values at that time. */
export function explainLimit(
  call: ExplainedCall,
  terms: ExplanationTerms,
  route: ExplanationRoute,
): Omit<Explanation, 'code'> {
  const policies = call.policies.map(parsePolicy)
  const sentences =
    policies.length === 0 ? [anyLimit] : policies.map(policy => explainPolicy(policy, call, terms, route))
  const of = (name: string) => policies.some(policy => policy.name === name)
  const wait = call.retryAfterS === undefined ? '' : `Wait ${formatNumber(call.retryAfterS)} s.`
  return {
    sentence: [...new Set(sentences), 'Nothing was charged.'].join(' '),
    remedy: [wait, findRemedy(of, call)].filter(text => text !== '').join(' '),
    link: of('daily') || of('search-daily') ? 'plan' : of('feed-downloads') || of('feed-snapshots') ? 'feeds' : 'guide',
  }
}

const anyLimit = 'A limit of the key was exceeded.'

function explainPolicy(policy: Policy, call: ExplainedCall, terms: ExplanationTerms, route: ExplanationRoute): string {
  const { limits, key } = terms
  switch (policy.name) {
    case 'rate':
      return `${rateSentence(rateText(policy, limits.rate, limits.burst, requests))} The package is ${key.packageName}.`
    case 'search':
      return `${rateSentence(rateText(policy, limits.searchRate, limits.searchBurst, searches))} The four search endpoints share it.`
    case 'autocomplete':
      return rateSentence(rateText(policy, limits.autocompleteRate, limits.autocompleteBurst, autocompletes))
    case 'penalty':
      return explainPenalty(call, limits, route)
    case 'daily':
      return explainQuota(policy, quotaNames.package, limits.quota, call)
    case 'search-daily':
      return explainQuota(policy, quotaNames.search, limits.searchQuota, call)
    case 'feed-downloads':
      return `The limit is ${formatCount(policy.quota ?? 4, 'open download', 'open downloads')} per key.`
    case 'feed-snapshots':
      return `The limit is ${formatCount(policy.quota ?? 50, 'snapshot', 'snapshots')} in 24 hours.`
    case 'sessions':
      return 'The service had as many open sessions of autocomplete as it keeps.'
    case 'unread':
      return 'Clients of the key did not read the responses that the service had sent.'
    default:
      return anyLimit
  }
}

const requests = ['request', 'requests'] as const
const searches = ['search', 'searches'] as const
const autocompletes = ['autocomplete request', 'autocomplete requests'] as const

/** Returns the rate of the recorded policy in words. If the terms have the same rate, it names their burst as well. */
function rateText({ quota, windowS }: Policy, rate: number, burst: number, noun: readonly [string, string]): string {
  const isOfTerms = quota === undefined || (quota === burst && windowS === Math.max(1, Math.ceil(burst / rate)))
  return isOfTerms ? formatRate(rate, burst, noun) : `${formatCount(quota, ...noun)} in ${formatNumber(windowS ?? 1)} s`
}

/** Explains a 429 by a penalty. The sentence names the rate of the bucket that the operation uses. */
function explainPenalty(
  { operation, strikes }: ExplainedCall,
  limits: ExplainedLimits,
  route: ExplanationRoute,
): string {
  const text = formatRateOf(operation, limits)
  const strike = strikes === undefined || strikes === 0 ? '' : ` This was strike ${strikes}.`
  return `${penaltySentence(text)}${strike} The longest wait is ${formatNumber(route.penaltyCapS)} s.`
}

/** Returns the rate of the bucket that an operation uses, in words. */
function formatRateOf(operation: string, limits: ExplainedLimits): string {
  if (searchOperations.includes(operation)) return formatRate(limits.searchRate, limits.searchBurst, searches)
  return operation === autocompleteOperation
    ? formatRate(limits.autocompleteRate, limits.autocompleteBurst, autocompletes)
    : formatRate(limits.rate, limits.burst, requests)
}

function explainQuota(policy: Policy, name: string, agreed: ExplainedLimits['quota'], call: ExplainedCall): string {
  const quota = policy.quota ?? (agreed === 'unlimited' ? undefined : agreed)
  const { cost, retryAfterS, timeMs } = call
  if (quota !== undefined && cost !== undefined && cost > quota) return neverFitsSentence(cost, name, quota)
  const size = quota === undefined ? '' : ` of ${formatCount(quota, ...units)}`
  const used =
    cost === undefined || cost <= 1
      ? `The ${name}${size} was used up.`
      : `The ${name}${size} did not have the ${formatCount(cost, ...units)} that the call needed.`
  if (retryAfterS === undefined) return used
  const nextMs = timeMs + retryAfterS * 1000
  return `${used} The window opened on ${formatUtc(nextMs - dayMs)}; the next one can open on ${formatUtc(nextMs)}. It is not reset at midnight.`
}

function findRemedy(of: (name: string) => boolean, { cost, retryAfterS }: ExplainedCall): string {
  if (retryAfterS === undefined && cost !== undefined) return splitCall
  if (of('penalty')) return 'Sleep for Retry-After after each 429, then send one call.'
  if (of('daily') || of('search-daily')) return 'A larger quota needs another package or an agreement.'
  if (of('search')) return 'Wait 300 to 500 ms after the last keystroke before a search.'
  if (of('autocomplete'))
    return 'Wait 100 to 300 ms after the last keystroke, and end requests that a newer one replaces.'
  if (of('sessions')) return 'Repeat the call later, or without a session.'
  if (of('rate')) return 'Combine reads by id: one call can read several locations.'
  if (of('feed-downloads')) return 'Download one file at a time.'
  if (of('feed-snapshots')) return 'Follow the deltas instead of downloading every snapshot.'
  return of('unread') ? 'Read each response, or close its connection.' : 'Slow down after each 429.'
}
