import type { ExplainedRequest, Explanation } from '../domain/explanation-terms.ts'
import type { RefusalHour } from '../domain/refusal-hours.ts'
import type { LoggedCall } from '../domain/request-log.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { explanationResource, explanationSchema } from './explanation.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const requestMembers = {
  id: Type.String(),
  at: dateTime(),
  partner_id: Type.String(),
  key_id: Type.String(),
  operation: Type.String(),
  version: Type.String(),
  /** True if the caller named the version. */
  version_explicit: Type.Boolean(),
  status: Type.Integer(),
  units: Type.Number({ minimum: 0 }),
  /** Code of the fault; missing for a success. */
  fault: Type.Optional(Type.String()),
  /** Names of the wrong parameters. */
  fields: Type.Array(Type.String()),
  /** The violated policies, as `RateLimit-Policy` sends them. */
  policies: Type.Array(Type.String()),
  retry_after: Type.Optional(count()),
  duration_ms: Type.Number({ minimum: 0 }),
}

export const requestSchema = closedObject(requestMembers)
export type RequestResource = Resource<typeof requestSchema>

/** Presents a call of the request log. */
export const requestResource = (call: LoggedCall): RequestResource => ({
  id: call.requestId,
  at: formatDateTime(call.timeMs),
  partner_id: call.partnerId,
  key_id: call.keyId,
  operation: call.operation,
  version: call.version,
  version_explicit: call.versionExplicit,
  status: call.status,
  units: call.units,
  ...(call.fault !== undefined && { fault: call.fault }),
  fields: [...call.fields],
  policies: [...call.policies],
  ...(call.retryAfterS !== undefined && { retry_after: call.retryAfterS }),
  duration_ms: call.durationUs / 1000,
})

const quota = () => Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')])

export const explainedRequestSchema = closedObject({
  ...requestMembers,
  explanation: explanationSchema,
  /** The package and the limits of the key at the time of the call. */
  package: Type.String(),
  limits: closedObject({
    rate: Type.Number(),
    burst: Type.Number(),
    quota: quota(),
    search_rate: Type.Number(),
    search_burst: Type.Number(),
    search_quota: quota(),
    autocomplete_rate: Type.Number(),
    autocomplete_burst: Type.Number(),
  }),
})
export type ExplainedRequestResource = Resource<typeof explainedRequestSchema>

/** Presents a call with its explanation and the limits at that time. */
export const explainedRequestResource = (request: ExplainedRequest): ExplainedRequestResource => ({
  ...requestResource(request.call),
  explanation: explanationResource(request.explanation),
  package: request.key.packageName,
  limits: {
    rate: request.limits.rate,
    burst: request.limits.burst,
    quota: request.limits.quota,
    search_rate: request.limits.searchRate,
    search_burst: request.limits.searchBurst,
    search_quota: request.limits.searchQuota,
    autocomplete_rate: request.limits.autocompleteRate,
    autocomplete_burst: request.limits.autocompleteBurst,
  },
})

export const refusalSchema = closedObject({
  partner_id: Type.String(),
  key_id: Type.String(),
  /** Start of the hour. */
  hour: dateTime(),
  code: Type.String(),
  /** Missing if the request named no version that exists. */
  version: Type.Optional(Type.String()),
  calls: count(),
  last_at: dateTime(),
  explanation: explanationSchema,
})

/** Refusals of a key in one hour, with the reason. */
type ExplainedRefusalHour = RefusalHour & { readonly explanation: Explanation }

/** Presents the refusals of a key in one hour. */
export const refusalResource = (row: ExplainedRefusalHour): Resource<typeof refusalSchema> => ({
  partner_id: row.partnerId,
  key_id: row.keyId,
  hour: formatDateTime(row.hourMs),
  code: row.code,
  ...(row.version !== '' && { version: row.version }),
  calls: row.calls,
  last_at: formatDateTime(row.lastMs),
  explanation: explanationResource(row.explanation),
})

export const requestListSchema = closedObject({
  requests: Type.Array(requestSchema),
  /** Calls that were refused before metering. */
  refusals: Type.Array(refusalSchema),
  /** Time up to which the list has every call; missing before the first. */
  counted_to: Type.Optional(dateTime()),
})

/** Presents calls, refusals, and the time up to which they are counted. */
export const requestListResource = (
  calls: readonly LoggedCall[],
  refusals: readonly ExplainedRefusalHour[],
  countedToMs: number | undefined,
): Resource<typeof requestListSchema> => ({
  requests: calls.map(requestResource),
  refusals: refusals.map(refusalResource),
  ...(countedToMs !== undefined && { counted_to: formatDateTime(countedToMs) }),
})

/** Columns of calls as CSV. */
export const requestColumns = Object.keys(requestMembers) as (keyof RequestResource)[]

/** Presents a call as cells in the order of `requestColumns`; lists are separated by spaces. */
export function requestCells(resource: RequestResource): (string | number | undefined)[] {
  return requestColumns.map(name => {
    const value = resource[name]
    return Array.isArray(value) ? value.join(' ') : typeof value === 'boolean' ? String(value) : value
  })
}
