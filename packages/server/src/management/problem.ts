import type { FieldError } from '../domain/fault.ts'
import { STATUS_CODES } from '../kit/http.ts'
import { maskSecrets } from '../kit/mask-secrets.ts'

/** An error of the admin API. */
export interface Problem {
  readonly status: number
  /** Stable name of the error, for programs. */
  readonly code: string
  /** Sentences that say what is wrong and what to do about it. */
  readonly detail: string
  readonly fieldErrors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
  /** The current resource, if a change was based on an earlier revision. */
  readonly current?: unknown
}

/** Status and general text of each error that is not a fault of a use case. */
const kinds = {
  parameters_invalid: [400, 'One or more parameters or members of the body are not valid.'],
  request_invalid: [400, 'The request is not valid HTTP.'],
  body_invalid: [400, 'The body of the request is not valid JSON.'],
  token_missing: [401, 'No admin token was sent.'],
  token_invalid: [401, 'This admin token is not valid.'],
  permission_missing: [403, 'The admin token does not have the permission of this operation.'],
  path_unknown: [404, 'This path does not exist.'],
  resource_unknown: [404, 'This resource does not exist.'],
  method_not_allowed: [405, 'This path does not support the method of the request.'],
  not_acceptable: [406, 'This resource is not available in the requested media type.'],
  timeout: [408, 'The request did not arrive in time.'],
  idempotency_unfinished: [409, 'An earlier request with this Idempotency-Key has not finished.'],
  body_too_large: [413, 'The body of the request is too large.'],
  url_too_long: [414, 'The URL is longer than 8 KB.'],
  media_type_unsupported: [415, 'The media type of the body is not supported.'],
  idempotency_key_reused: [422, 'The Idempotency-Key was sent before with another request.'],
  if_match_missing: [428, 'Changes require the header If-Match.'],
  rate_limited: [429, 'The admin token has exceeded its rate.'],
  address_limited: [429, 'Too many requests without a valid admin token.'],
  headers_too_large: [431, 'The header fields are larger than 16 KB in total.'],
  internal: [500, 'An internal error occurred.'],
  store_unavailable: [503, 'The stores cannot be read or written at the moment.'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof kinds

/** The codes of all errors that are not faults of use cases, with their statuses. */
export const problemStatuses = Object.fromEntries(
  Object.entries(kinds).map(([code, [status]]) => [code, status]),
) as Readonly<Record<ProblemCode, number>>

/** Creates an error; its detail is the general text unless `more` has one. */
export const problem = (code: ProblemCode, more: Partial<Omit<Problem, 'code' | 'status'>> = {}): Problem => ({
  status: kinds[code][0],
  code,
  detail: kinds[code][1],
  ...more,
})

/** Formats an error as application/problem+json with the members of R-13 and its code. */
export function formatProblem(
  { status, code, detail, fieldErrors, current }: Problem,
  request: { readonly id: string; readonly path: string; readonly publicUrl: string },
): string {
  const message = Object.hasOwn(kinds, code) ? kinds[code as ProblemCode][1] : detail
  const body = {
    type: `${request.publicUrl}/docs/errors#${code}`,
    title: STATUS_CODES[status],
    status,
    detail,
    instance: request.path,
    message,
    request_id: request.id,
    code,
    field_errors: fieldErrors?.map(({ field, message: text, rejectedValue }) => ({
      field,
      message: text,
      rejected_value: rejectedValue,
    })),
    current,
  }
  return maskSecrets(JSON.stringify(body))
}
