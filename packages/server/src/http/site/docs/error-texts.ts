import type { FaultCode } from '../../../domain/fault.ts'

/** `no`: the same request fails again. `wait`: after Retry-After. `later`: with growing delays. */
export type Retry = 'no' | 'wait' | 'later'

/** Explanation of an error for readers of the documentation. */
export interface ErrorText {
  readonly cause: string
  readonly remedy: string
  readonly retry: Retry
}

const fix = (cause: string, remedy: string): ErrorText => ({ cause, remedy, retry: 'no' })
const wait = (cause: string, remedy: string): ErrorText => ({ cause, remedy, retry: 'wait' })
const later = (cause: string, remedy: string): ErrorText => ({ cause, remedy, retry: 'later' })

/** Cause and remedy of each error of the partner API. */
export const errorTexts: Readonly<Record<FaultCode, ErrorText>> = {
  bad_request: fix(
    'The request breaks the rules of HTTP, such as a missing or repeated Host header or a broken percent-encoding.',
    'Use an HTTP library, and encode every value of the URL.',
  ),
  parameters_invalid: fix(
    'A parameter is missing, has an impossible value, or contradicts another one. `field_errors` lists all of them.',
    'Correct the parameters that `field_errors` names; the reference of the operation has their bounds.',
  ),
  body_invalid: fix(
    'The body of the request is not what the operation reads; `detail` says where.',
    'Correct the records that `field_errors` names; the reference of the operation has their fields.',
  ),
  media_type_unsupported: fix(
    'The body of the request is not declared as JSON.',
    'Send the header `Content-Type: application/json`.',
  ),
  version_unknown: fix(
    'The parameter `version` names no version of this service, or the request names two.',
    'Send one of the versions that `detail` lists, once.',
  ),
  key_missing: fix('The request has no API key.', 'Send the key in the header `X-API-Key`, or as a bearer token.'),
  key_malformed: fix(
    'The text that was sent as a key does not have the form of one: often a part is missing or a character was added.',
    'Copy the entire key again, without quotes and blanks.',
  ),
  key_unknown: fix(
    'The key has the right form but does not exist here: it belongs to another installation, or it has a typing error.',
    'Check that the base URL and the key belong together.',
  ),
  key_disabled: fix(
    'The key was disabled by you or by the operator; `detail` says when.',
    'Enable it, or ask the operator.',
  ),
  key_revoked: fix('The key was revoked, which is final.', 'Use another key.'),
  key_expired: fix(
    'The secret was replaced by a rotation, and the time in which both worked is over.',
    'Use the secret that the rotation showed.',
  ),
  key_ended: fix('The key had an end, and it has passed.', 'Use another key, or ask the operator for a later end.'),
  forbidden: fix(
    'The key does not have the permission of this endpoint. `detail` names the permission, and the package or add-on that has it.',
    'Ask for the package or add-on, or use another key.',
  ),
  address_refused: fix(
    'The key can be used only from certain networks, and the request came from another one.',
    'Call from one of these networks, or add the network to the key.',
  ),
  path_unknown: fix('The service has no such path.', 'Compare the path with the reference.'),
  location_unknown: fix(
    'No location has this id, or the key may not see it. Both have the same answer, so that it reveals nothing.',
    'Search the catalog for the current id, and remove the old one from your data.',
  ),
  request_unknown: fix(
    'The request log of the key has no request with this id; it keeps requests for some days.',
    'Check the id: it is the header `X-Request-Id` of the response.',
  ),
  feed_unknown: fix('The service has no feed with this name.', 'List the feeds of the key with `GET /feeds`.'),
  snapshot_unknown: fix('The feed never had a snapshot with this id.', 'List the snapshots of the feed.'),
  feed_file_unknown: fix(
    'The snapshot has no file with this name.',
    'Take the names from the manifest of the snapshot.',
  ),
  method_not_allowed: fix(
    'The path exists, but not with this method.',
    'Use GET or HEAD; the header `Allow` lists the methods.',
  ),
  timeout: later('The request did not arrive in full within the time limit.', 'Send the entire request at once.'),
  version_retired: fix(
    'The version was retired: its sunset has passed.',
    'Move to the successor in the header `Link`. The differences are listed with the versions.',
  ),
  endpoint_retired: fix('The endpoint was retired: its sunset has passed.', 'Use the successor in the header `Link`.'),
  feed_version_ended: fix(
    'The key is pinned to a version in which this feed is no longer built.',
    'Move the pin to a version that is built, or ask the operator to move it.',
  ),
  snapshot_gone: fix(
    'The snapshot was deleted: by age, or because a record in it was erased.',
    'Download the latest full snapshot, and delete your copy of this one.',
  ),
  changes_gone: fix(
    'Some of the changes since the given time or cursor are no longer kept, or the data was restored from a backup.',
    'Read all locations that you store again, or the latest full feed; then continue with the changes since the start of that.',
  ),
  deltas_gone: fix(
    'Some of the deltas after the given sequence have been deleted.',
    'Download the latest full snapshot, and continue with the deltas after it.',
  ),
  body_too_large: fix('The request has a body that is too large.', 'Send no body: all parameters belong in the query.'),
  url_too_long: fix('The URL is longer than 16 KB.', 'Split the call, for example into several multi-GETs.'),
  range_unsatisfiable: fix(
    'The range begins after the end of the file.',
    'Compare it with the size in the manifest; a complete file needs no further range.',
  ),
  rate_limited: wait(
    'The key used up a limit: the rate, a daily quota, the search limits, downloads, or it called before the promised time. `detail` and `violated-policies` say which.',
    'Wait for the seconds in `Retry-After`, then send one call. Earlier calls extend the wait. A call that asks for more than a whole quota must be split.',
  ),
  address_limited: wait(
    'Too many requests without a valid key came from this network address.',
    'Wait for the seconds in `Retry-After`, and send a valid key.',
  ),
  headers_too_large: fix('The header fields have more than 16 KB in total.', 'Send fewer or shorter header fields.'),
  internal: later(
    'An error of the service. Nothing was charged.',
    'Repeat the call. If it fails again, send `request_id` to the operator.',
  ),
  metering_unavailable: wait(
    'The service cannot record calls at the moment, and serves none that it could not count.',
    'Repeat the call after the seconds in `Retry-After`.',
  ),
  store_unavailable: wait(
    'The service cannot reach its database. What it has in memory is still answered.',
    'Repeat the call after the seconds in `Retry-After`.',
  ),
  limits_unavailable: wait(
    'The servers of the service cannot reach the limits that they share. The call was not charged.',
    'Repeat the call after the seconds in `Retry-After`.',
  ),
  limits_busy: wait(
    'Several servers of the service received more calls of this key at the same time than they could count. The call was not charged.',
    'Repeat the call after the seconds in `Retry-After`, and send fewer calls at the same time.',
  ),
  index_building: wait(
    'The service has just started and prepares the search. Other endpoints already answer.',
    'Repeat the search after the seconds in `Retry-After`.',
  ),
  search_unavailable: wait(
    'Searches and recommendations are overloaded or not ready; other endpoints answer.',
    'Repeat the call after the seconds in `Retry-After`.',
  ),
  account_unavailable: wait(
    'The account of the key cannot be read at the moment.',
    'Repeat the call after the seconds in `Retry-After`.',
  ),
  management_unavailable: wait(
    'The portal and the admin API are restarting. The partner API is not affected.',
    'Repeat the request after the seconds in `Retry-After`.',
  ),
  draining: wait('The service is being restarted.', 'Repeat the call after the seconds in `Retry-After`.'),
}
