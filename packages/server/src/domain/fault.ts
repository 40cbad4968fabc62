/** An error in one parameter of a request. */
export interface FieldError {
  readonly field: string
  readonly message: string
  readonly rejectedValue?: string
}

/** Status and public text of a fault. */
interface FaultKind {
  readonly status: number
  readonly title: string
  /** General text for clients; the `detail` of a fault may explain more. */
  readonly text: string
}

/** All error responses by code, with status and public text. */
export const faults = {
  bad_request: { status: 400, title: 'Bad Request', text: 'The request is not valid HTTP.' },
  parameters_invalid: { status: 400, title: 'Bad Request', text: 'One or more parameters are not valid.' },
  version_unknown: { status: 400, title: 'Bad Request', text: 'This version does not exist.' },
  body_invalid: { status: 400, title: 'Bad Request', text: 'The body of the request is not valid.' },
  key_missing: { status: 401, title: 'Unauthorized', text: 'No API key was sent.' },
  key_malformed: { status: 401, title: 'Unauthorized', text: 'This is not an API key of this service.' },
  key_unknown: { status: 401, title: 'Unauthorized', text: 'This API key is unknown.' },
  key_disabled: { status: 401, title: 'Unauthorized', text: 'This API key is disabled.' },
  key_revoked: { status: 401, title: 'Unauthorized', text: 'This API key has been revoked.' },
  key_expired: {
    status: 401,
    title: 'Unauthorized',
    text: 'This API key was replaced by a rotation and is no longer valid.',
  },
  key_ended: { status: 401, title: 'Unauthorized', text: 'The term of this API key has ended.' },
  // The exact text of SPEC §5.3.
  forbidden: { status: 403, title: 'Forbidden', text: 'API Key does not have access to endpoint' },
  address_refused: {
    status: 403,
    title: 'Forbidden',
    text: 'This API key cannot be used from this network address.',
  },
  path_unknown: { status: 404, title: 'Not Found', text: 'This path does not exist.' },
  location_unknown: { status: 404, title: 'Not Found', text: 'A location with this id does not exist.' },
  request_unknown: {
    status: 404,
    title: 'Not Found',
    text: 'The request log of this key has no request with this id.',
  },
  feed_unknown: { status: 404, title: 'Not Found', text: 'A feed with this name does not exist.' },
  snapshot_unknown: { status: 404, title: 'Not Found', text: 'This snapshot of the feed does not exist.' },
  feed_file_unknown: { status: 404, title: 'Not Found', text: 'The snapshot has no file with this name.' },
  method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    text: 'This path does not support the method of the request.',
  },
  timeout: { status: 408, title: 'Request Timeout', text: 'The request did not arrive in time.' },
  version_retired: { status: 410, title: 'Gone', text: 'This version has been retired.' },
  endpoint_retired: { status: 410, title: 'Gone', text: 'This endpoint has been retired.' },
  feed_version_ended: {
    status: 410,
    title: 'Gone',
    text: 'This feed is no longer built in the version that the key is pinned to.',
  },
  snapshot_gone: { status: 410, title: 'Gone', text: 'This snapshot has been deleted.' },
  changes_gone: { status: 410, title: 'Gone', text: 'Some of the changes since then are no longer kept.' },
  deltas_gone: { status: 410, title: 'Gone', text: 'Some of the following deltas have been deleted.' },
  body_too_large: { status: 413, title: 'Content Too Large', text: 'The body of the request is too large.' },
  url_too_long: { status: 414, title: 'URI Too Long', text: 'The URL is longer than 16 KB.' },
  media_type_unsupported: {
    status: 415,
    title: 'Unsupported Media Type',
    text: 'The body of the request has a type that the endpoint does not read.',
  },
  range_unsatisfiable: {
    status: 416,
    title: 'Range Not Satisfiable',
    text: 'The requested range is beyond the end of the file.',
  },
  rate_limited: { status: 429, title: 'Too Many Requests', text: 'This API key has exceeded a limit.' },
  address_limited: { status: 429, title: 'Too Many Requests', text: 'Too many requests without a valid API key.' },
  headers_too_large: {
    status: 431,
    title: 'Request Header Fields Too Large',
    text: 'The header fields are larger than 16 KB in total.',
  },
  internal: { status: 500, title: 'Internal Server Error', text: 'An internal error occurred.' },
  metering_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    text: 'Requests cannot be counted at the moment, so the service refuses them.',
  },
  store_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    text: 'The database of the service is not available at the moment.',
  },
  limits_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    text: 'The limits of API keys cannot be checked at the moment.',
  },
  limits_busy: {
    status: 503,
    title: 'Service Unavailable',
    text: 'Too many calls of this API key are being counted at the same time.',
  },
  index_building: {
    status: 503,
    title: 'Service Unavailable',
    text: 'The search index is being built.',
  },
  search_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    text: 'Searches and recommendations are not available at the moment.',
  },
  account_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    text: 'The account of this key is not available at the moment.',
  },
  management_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    text: 'The management server is not available at the moment.',
  },
  draining: { status: 503, title: 'Service Unavailable', text: 'The service is shutting down.' },
} as const satisfies Record<string, FaultKind>

export type FaultCode = keyof typeof faults

/** An expected error as a value, which is returned and never thrown. */
export interface Fault {
  readonly fault: FaultCode
  /** Explanation of this occurrence, and what to do about it. */
  readonly detail?: string
  readonly fieldErrors?: readonly FieldError[]
  /** Names of the limits that refused the request. */
  readonly violatedPolicies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates a fault. */
export const fault = (code: FaultCode, more: Omit<Fault, 'fault'> = {}): Fault => ({ fault: code, ...more })

/** Returns true for a fault. */
export const isFault = (outcome: unknown): outcome is Fault =>
  typeof outcome === 'object' && outcome !== null && 'fault' in outcome
