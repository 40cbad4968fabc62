import { formatUtc, toUtcDay } from '../kit/time.ts'
import { explainLimit } from './explanation-limits.ts'
import type { ExplainedCall, Explanation, ExplanationRoute, ExplanationTerms } from './explanation-terms.ts'
import { type FaultCode, faults } from './fault.ts'
import { explainMissingPermission, permissionSentence } from './permission-words.ts'

type Words = Omit<Explanation, 'code'>
type Explainer = (call: ExplainedCall, terms: ExplanationTerms, route: ExplanationRoute) => Words

const nothingCharged = 'Nothing was charged.'

/** Creates the explanation of a fault that its general text explains completely. */
const general =
  (code: FaultCode, remedy: string, link: Words['link']): Explainer =>
  () => ({ sentence: `${faults[code].text} ${nothingCharged}`, remedy, ...(link && { link }) })

const joinNames = (words: readonly string[]): string => words.join(', ')

/**
 * Creates the explanation of a key that cannot be used, with the time and the author of the change if they are known.
 */
const keyRefused =
  (code: FaultCode, remedy: string): Explainer =>
  (_, { changed }) => ({
    sentence: changed
      ? `${faults[code].text} ${changed.by === 'the partner' ? 'The partner' : 'The operator'} changed it on ${formatUtc(changed.atMs)}.`
      : faults[code].text,
    remedy,
    link: 'keys',
  })

const retired: Explainer = ({ version }, _, { sunsetMs, successor }) => ({
  sentence: `${version === '' ? 'The endpoint' : `Version ${version} of the endpoint`} ${sunsetMs === undefined ? 'has been retired' : `was retired on ${toUtcDay(sunsetMs)}`}.`,
  remedy: successor === undefined ? 'Use another endpoint.' : `Use version ${successor}.`,
  link: 'versions',
})

const gone =
  (sentence: string, remedy: string): Explainer =>
  () => ({
    sentence: `${sentence} ${nothingCharged}`,
    remedy,
    link: 'feeds',
  })

const later =
  (code: FaultCode): Explainer =>
  ({ retryAfterS }) => ({
    sentence: `${faults[code].text} ${nothingCharged}`,
    remedy: retryAfterS === undefined ? 'Repeat the call.' : `Repeat the call after ${retryAfterS} s.`,
    link: 'status',
  })

/** The explanation of each fault of the partner API. */
export const faultExplanations: Readonly<Record<FaultCode, Explainer>> = {
  bad_request: general('bad_request', 'Send a valid HTTP request.', 'guide'),
  parameters_invalid: ({ fields, operation }) => ({
    sentence: `${fields.length === 0 ? faults.parameters_invalid.text : `The call of ${operation} had invalid parameters: ${joinNames(fields)}.`} ${nothingCharged}`,
    remedy: 'Compare them with the reference of the operation.',
    link: 'reference',
  }),
  body_invalid: general('body_invalid', 'Compare the records with the reference of the operation.', 'reference'),
  media_type_unsupported: general('media_type_unsupported', 'Send the body as application/json.', 'reference'),
  version_unknown: (_, __, { versions }) => ({
    sentence: 'The call named a version that does not exist, or more than one.',
    remedy: `Send one of the versions ${joinNames(versions)}.`,
    link: 'versions',
  }),
  key_missing: general('key_missing', 'Send the API key in the X-API-Key header.', 'guide'),
  key_malformed: general('key_malformed', 'Check that the entire key was copied.', 'keys'),
  key_unknown: general('key_unknown', 'Check that the key belongs to this service and has no typing error.', 'keys'),
  key_disabled: keyRefused('key_disabled', 'Enable the key, or ask the operator to enable it.'),
  key_revoked: keyRefused('key_revoked', 'Use another key. A revoked key is never valid again.'),
  key_expired: keyRefused('key_expired', 'Use the secret that the rotation created.'),
  key_ended: (_, { key }) => ({
    sentence: `${faults.key_ended.text}${key.expiresMs === undefined ? '' : ` It ended on ${formatUtc(key.expiresMs)}.`}`,
    remedy: 'Use another key, or ask the operator for a later end.',
    link: 'keys',
  }),
  address_refused: (_, { key: { networks = [] } }) => ({
    sentence: `${faults.address_refused.text}${networks.length === 0 ? '' : ` The key can be used from ${joinNames(networks)}.`}`,
    remedy: 'Call from one of these networks, or add the network of the caller to the key.',
    link: 'keys',
  }),
  forbidden: (_, { key, packageTable }, { permission }) => ({
    sentence: `${permissionSentence(permission)} ${explainMissingPermission(key, permission, packageTable)} ${nothingCharged}`,
    remedy: 'Compare the packages and add-ons.',
    link: 'plan',
  }),
  path_unknown: general('path_unknown', 'See the list of endpoints in the reference.', 'reference'),
  // One sentence for both causes, so that it reveals no place outside the scope of the key.
  location_unknown: () => ({
    sentence: `The location is not stored, or it is outside the scope of the key. ${nothingCharged}`,
    remedy: 'Search the catalog for the current id, or follow the feeds.',
    link: 'catalog',
  }),
  feed_unknown: general('feed_unknown', 'The list of feeds is at /feeds.', 'feeds'),
  request_unknown: general('request_unknown', 'List the requests of the key.', 'keys'),
  snapshot_unknown: general('snapshot_unknown', 'List the snapshots of the feed.', 'feeds'),
  feed_file_unknown: general('feed_file_unknown', 'The manifest of the snapshot names its files.', 'feeds'),
  method_not_allowed: general('method_not_allowed', 'Use GET or HEAD.', 'reference'),
  timeout: general('timeout', 'Send the whole request at once.', 'guide'),
  version_retired: retired,
  endpoint_retired: retired,
  feed_version_ended: gone(
    'The feed is no longer built in the version that the key is pinned to.',
    'Move the pin to a version that is built.',
  ),
  snapshot_gone: gone('The snapshot has been deleted.', 'Download the latest snapshot.'),
  changes_gone: gone(
    'Some of the changes since then are no longer kept.',
    'Read all locations again, and continue with the changes since the start of that.',
  ),
  deltas_gone: gone('Some of the following deltas have been deleted.', 'Download the latest full snapshot.'),
  body_too_large: general(
    'body_too_large',
    'Send fewer records, or no body where all parameters belong in the query.',
    'guide',
  ),
  url_too_long: general('url_too_long', 'Split the call: a URL may have 16 KB.', 'guide'),
  range_unsatisfiable: general('range_unsatisfiable', 'Compare the range with the size in the manifest.', 'feeds'),
  rate_limited: explainLimit,
  address_limited: general('address_limited', 'Wait for the time in Retry-After, and send a valid key.', 'keys'),
  headers_too_large: general('headers_too_large', 'Send fewer header fields: 16 KB are allowed.', 'guide'),
  internal: () => ({
    sentence: `An internal error occurred. ${nothingCharged}`,
    remedy: 'Repeat the call. If it fails again, send its id to the operator.',
    link: 'status',
  }),
  metering_unavailable: later('metering_unavailable'),
  limits_unavailable: later('limits_unavailable'),
  limits_busy: later('limits_busy'),
  store_unavailable: later('store_unavailable'),
  index_building: later('index_building'),
  search_unavailable: later('search_unavailable'),
  account_unavailable: later('account_unavailable'),
  management_unavailable: later('management_unavailable'),
  draining: later('draining'),
}
