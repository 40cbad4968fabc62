import { type Policy, parsePolicy } from '../../domain/explanation-limits.ts'
import { type FaultCode, faults } from '../../domain/fault.ts'
import type { LoggedCall } from '../../domain/request-log.ts'
import { badge, type Tone } from '../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../web/parts/number.ts'
import { formatDuration } from '../../web/parts/time.ts'

/** Names of the limits that refuse calls, by policy. */
const policyNames: Readonly<Record<string, string>> = {
  rate: 'rate',
  search: 'search rate',
  daily: 'daily quota',
  'search-daily': 'daily search quota',
  autocomplete: 'autocomplete rate',
  sessions: 'open sessions of autocomplete',
  penalty: 'penalty for early retries',
  'feed-downloads': 'open feed downloads',
  'feed-snapshots': 'feed snapshots a day',
  unread: 'unread responses',
}

/** Returns the names of the limits that refused a call. */
export const limitNamesOf = ({ policies }: Pick<LoggedCall, 'policies'>): readonly string[] =>
  policies.map(policy => nameOf(parsePolicy(policy)))

const nameOf = ({ name }: Policy): string => policyNames[name] ?? name

/** Returns what a refused call had left of each limit that refused it, and the wait; undefined for other calls. */
export function limitsLeft({
  policies,
  cost = 1,
  strikes,
  retryAfterS,
}: Pick<LoggedCall, 'policies' | 'cost' | 'strikes' | 'retryAfterS'>): string | undefined {
  if (policies.length === 0) return undefined
  const lefts = policies.map(text => {
    const policy = parsePolicy(text)
    const left = leftOf(policy, cost, strikes)
    return policies.length === 1 ? left : `${nameOf(policy)} ${left}`
  })
  const wait = retryAfterS === undefined ? '' : `, again after ${formatDuration(retryAfterS * 1000)}`
  return `${lefts.join(', ')}${wait}`
}

function leftOf({ name, quota }: Policy, cost: number, strikes: number | undefined): string {
  if (name === 'penalty')
    return strikes === undefined ? 'penalty' : formatCount(strikes, 'early retry', 'early retries')
  if (quota === undefined) return 'none left'
  const isUnits = name === 'daily' || name === 'search-daily'
  const left = isUnits && cost > 1 ? `fewer than ${formatNumber(cost)}` : '0'
  return `${left} of ${formatNumber(quota)} left`
}

/** Short names of the most frequent faults; the others have the sentence of their response. */
const codeNames: Readonly<Partial<Record<FaultCode, string>>> = {
  parameters_invalid: 'Wrong parameters',
  forbidden: 'Missing permission',
  location_unknown: 'Unknown location',
  rate_limited: 'Limit',
  key_disabled: 'Key disabled',
  key_revoked: 'Key revoked',
  key_expired: 'Secret replaced by a rotation',
  key_ended: 'Key ended',
  address_refused: 'Network not allowed',
  version_unknown: 'Unknown version',
  version_retired: 'Retired version',
  index_building: 'Search index being built',
  search_unavailable: 'Search not available',
  internal: 'Internal error',
}

/** Returns the name of a fault. */
export const faultName = (code: string): string =>
  codeNames[code as FaultCode] ?? faults[code as FaultCode]?.text.replace(/\.$/, '') ?? code

/** Returns the reason of a refused or failed call in a few words; undefined for a success. */
export function causeOf(call: Pick<LoggedCall, 'status' | 'fault' | 'policies' | 'fields'>): string | undefined {
  if (call.fault === undefined) return call.status < 400 ? undefined : `Status ${call.status}`
  const details = call.fault === 'rate_limited' ? limitNamesOf(call) : call.fields
  return details.length === 0 ? faultName(call.fault) : `${faultName(call.fault)}: ${details.join(', ')}`
}

const tones: Readonly<Record<string, Tone | 'plain'>> = { 2: 'good', 3: 'plain', 4: 'warn', 5: 'bad' }

/** Returns a status as a badge. */
export const httpStatusBadge = (status: number) => badge(tones[String(status)[0]!] ?? 'plain', String(status))
