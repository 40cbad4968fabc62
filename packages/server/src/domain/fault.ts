/** One thing that is wrong with one parameter. */
export interface FieldError {
  readonly field: string
  readonly message: string
  readonly rejectedValue?: string
}

interface FaultKind {
  readonly status: number
  readonly title: string
  /** The public text; a `detail` may say more. */
  readonly text: string
}

/** Every way in which an answer can be an error: code -> status -> public text. Nothing else reaches a client. */
export const faults = {
  bad_request: { status: 400, title: 'Bad Request', text: 'The request could not be read as HTTP.' },
  parameters_invalid: { status: 400, title: 'Bad Request', text: 'One or more parameters are not valid.' },
  version_unknown: { status: 400, title: 'Bad Request', text: 'This version does not exist.' },
  key_missing: { status: 401, title: 'Unauthorized', text: 'No API key was sent.' },
  key_malformed: { status: 401, title: 'Unauthorized', text: 'This is not an API key of this service.' },
  key_unknown: { status: 401, title: 'Unauthorized', text: 'This API key is unknown.' },
  key_disabled: { status: 401, title: 'Unauthorized', text: 'This API key is disabled.' },
  key_revoked: { status: 401, title: 'Unauthorized', text: 'This API key has been revoked.' },
  key_expired: { status: 401, title: 'Unauthorized', text: 'This API key was replaced by a rotation and has ended.' },
  // SPEC §5.3, to the letter.
  forbidden: { status: 403, title: 'Forbidden', text: 'API Key does not have access to endpoint' },
  path_unknown: { status: 404, title: 'Not Found', text: 'There is nothing at this path.' },
  location_unknown: { status: 404, title: 'Not Found', text: 'There is no location with this id.' },
  feed_unknown: { status: 404, title: 'Not Found', text: 'There is no feed with this name.' },
  snapshot_unknown: { status: 404, title: 'Not Found', text: 'There is no such snapshot of this feed.' },
  feed_file_unknown: { status: 404, title: 'Not Found', text: 'The snapshot has no file with this name.' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed', text: 'This path answers other methods only.' },
  timeout: { status: 408, title: 'Request Timeout', text: 'The request did not arrive in time.' },
  version_retired: { status: 410, title: 'Gone', text: 'This version has been retired.' },
  endpoint_retired: { status: 410, title: 'Gone', text: 'This endpoint has been retired.' },
  feed_version_ended: { status: 410, title: 'Gone', text: 'This feed is no longer made in the version of this key.' },
  snapshot_gone: { status: 410, title: 'Gone', text: 'This snapshot is no longer kept.' },
  deltas_gone: { status: 410, title: 'Gone', text: 'The deltas that follow are no longer all kept.' },
  body_too_large: { status: 413, title: 'Content Too Large', text: 'The request has a body, and it is too large.' },
  url_too_long: { status: 414, title: 'URI Too Long', text: 'The URL is longer than 8 KB.' },
  range_unsatisfiable: {
    status: 416,
    title: 'Range Not Satisfiable',
    text: 'The file has no bytes in the range that was asked for.',
  },
  rate_limited: { status: 429, title: 'Too Many Requests', text: 'A limit of this API key is exceeded.' },
  address_limited: { status: 429, title: 'Too Many Requests', text: 'Too many requests without a valid API key.' },
  headers_too_large: {
    status: 431,
    title: 'Request Header Fields Too Large',
    text: 'The header fields are larger than 16 KB in all.',
  },
  internal: { status: 500, title: 'Internal Server Error', text: 'Something went wrong on our side.' },
  metering_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    text: 'Calls cannot be counted at the moment, and none is served uncounted.',
  },
  index_building: {
    status: 503,
    title: 'Service Unavailable',
    text: 'The search index is being built.',
  },
  draining: { status: 503, title: 'Service Unavailable', text: 'The service is shutting down.' },
} as const satisfies Record<string, FaultKind>

export type FaultCode = keyof typeof faults

/** An expected bad outcome, as a value: returned, never thrown. */
export interface Fault {
  readonly fault: FaultCode
  /** What is wrong in this case, and what to do about it. */
  readonly detail?: string
  readonly fieldErrors?: readonly FieldError[]
  /** Names of the limits that refused. */
  readonly violatedPolicies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Builds a fault. */
export const fault = (code: FaultCode, more: Omit<Fault, 'fault'> = {}): Fault => ({ fault: code, ...more })

/** Tells a fault from any other outcome. */
export const isFault = (outcome: unknown): outcome is Fault =>
  typeof outcome === 'object' && outcome !== null && 'fault' in outcome
