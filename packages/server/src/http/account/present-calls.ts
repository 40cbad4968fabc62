import type { AccountCalls } from '../../domain/account.ts'
import type { ExplainedRequest } from '../../domain/explanation-terms.ts'
import type { LoggedCall } from '../../domain/request-log.ts'

const formatTime = (ms: number): string => new Date(ms).toISOString()
const orAbsent = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined)

/** Presents a page of calls of a key. Undefined members are absent from the JSON. */
export const presentCalls = ({ rows, next, countedToMs }: AccountCalls): object => ({
  data: rows.map(presentCall),
  next,
  counted_to: countedToMs === undefined ? undefined : formatTime(countedToMs),
})

const presentCall = (call: LoggedCall) => ({
  id: call.requestId,
  at: formatTime(call.timeMs),
  operation: call.operation,
  version: call.version,
  version_explicit: call.versionExplicit,
  status: call.status,
  units: call.units,
  fault: call.fault,
  fields: orAbsent(call.fields),
  policies: orAbsent(call.policies),
  retry_after: call.retryAfterS,
  duration_ms: call.durationUs / 1000,
})

/** Presents a call with its explanation, and the package and limits of the key at that time. */
export const presentExplainedCall = ({ call, explanation, key, limits }: ExplainedRequest): object => ({
  ...presentCall(call),
  explanation: {
    code: explanation.code,
    sentence: explanation.sentence,
    remedy: explanation.remedy,
    link: explanation.link,
  },
  package: key.packageName,
  limits: {
    rate: limits.rate,
    burst: limits.burst,
    quota: limits.quota,
    search_rate: limits.searchRate,
    search_burst: limits.searchBurst,
    search_quota: limits.searchQuota,
    autocomplete_rate: limits.autocompleteRate,
    autocomplete_burst: limits.autocompleteBurst,
  },
})
