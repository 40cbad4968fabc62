import { feedNames } from '../../domain/feed.ts'
import { packageNames, permissions } from '../../domain/package.ts'
import { count, dateTime, type TSchema, Type } from '../../kit/json-schema.ts'
import { boolean, data, date, listOf, object, oneOf, optional, ref, string } from '../../versions/primitives/schema.ts'
import type { AccountOperation } from './routes.ts'

const times = {
  window: 'Start of the 24-hour window; absent if no window is open.',
  windowEnd: 'End of the window; absent if no window is open.',
  burstFull: 'Time at which the entire burst is available again; absent if it is available now.',
}

const quantity = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('unlimited')], { description })

const limits = {
  LimitSource: oneOf(['package', 'agreement', 'test key'], 'Origin of a limit.'),
  RateLimit: object(
    { value: Type.Number({ exclusiveMinimum: 0, description: 'Requests per second.' }), source: ref('LimitSource') },
    'A sustained rate.',
  ),
  BurstLimit: object(
    {
      value: Type.Number({ exclusiveMinimum: 0, description: 'Number of requests that are accepted at once.' }),
      source: ref('LimitSource'),
      left: count('Number of requests that would be accepted now.'),
      resets_at: optional(dateTime(times.burstFull)),
    },
    'A burst, and what is left of it.',
  ),
  QuotaLimit: object(
    {
      value: quantity('Number of units in 24 hours.'),
      source: ref('LimitSource'),
      left: quantity('Number of units that are left in the window.'),
      window_opened_at: optional(dateTime(times.window)),
      resets_at: optional(dateTime(times.windowEnd)),
    },
    'A daily quota, and what is left of it.',
  ),
  Penalty: object(
    {
      strikes: count('Number of requests that were sent before the time in Retry-After; it decreases over time.'),
      until: optional(dateTime('Time before which every request extends the wait.')),
    },
    'Penalty for retrying too early.',
  ),
  AccountLimits: object(
    {
      rate: ref('RateLimit'),
      burst: ref('BurstLimit'),
      quota: ref('QuotaLimit'),
      penalty: optional(ref('Penalty')),
      search_rate: ref('RateLimit'),
      search_burst: ref('BurstLimit'),
      search_quota: ref('QuotaLimit'),
      search_penalty: optional(ref('Penalty')),
      autocomplete_rate: ref('RateLimit'),
      autocomplete_burst: ref('BurstLimit'),
      autocomplete_penalty: optional(ref('Penalty')),
    },
    'The limits of a key, what is left of them, and when they are back. Search and autocomplete have their own.',
  ),
}

const account = {
  Permission: oneOf(permissions, 'Permission of a key.'),
  AccountScope: object(
    {
      countries: optional(listOf(string('Country code.'))),
      categories: optional(listOf(string('Category.'))),
      sources: optional(listOf(string('Source.'))),
    },
    'Restrictions of the places that a key sees.',
  ),
  VersionUse: object(
    { version: string('Name of the version.'), calls: count('Number of calls.') },
    'Calls with a version.',
  ),
  FeedPins: object(
    Object.fromEntries(feedNames.map(feed => [feed, string('Name of the version.')])),
    'Version of each feed.',
  ),
  Account: object(
    {
      id: string('Id of the key.'),
      name: optional(string('Purpose of the key.')),
      partner_id: string('Id of the partner that holds the key.'),
      test: boolean('True for a test key, which is never billed.'),
      package: oneOf(packageNames, 'Subscription package.'),
      add_ons: optional(listOf(ref('Permission'), 'Permissions in addition to the package.')),
      permissions: listOf(ref('Permission'), 'Permissions of the key.'),
      scope: optional(ref('AccountScope')),
      limits: ref('AccountLimits'),
      limits_apply_to: oneOf(['key', 'partner'], 'Holder of the limits: the key, or all keys of the partner together.'),
      versions: optional(listOf(ref('VersionUse'), 'Versions that the key has called in the last 30 days.')),
      feed_pins: optional(ref('FeedPins')),
      networks: optional(listOf(string('Network in CIDR notation.'), 'Networks from which the key can be used.')),
      created_at: dateTime('Creation of the key.'),
      expires_at: optional(dateTime('End of the key; absent if it has none.')),
    },
    'A key as its holder sees it.',
  ),
  AccountResponse: object({ data: ref('Account') }, 'The key that sent the request.'),
}

const sums = {
  calls: count('Number of calls, including refused and failed ones.'),
  units: count('Units charged.'),
  billable_units: count('Units charged, without those of a test key.'),
}

const usage = {
  UsageRow: object(
    {
      operation: optional(string('Name of the operation.')),
      day: optional(date('Day in the time zone.')),
      version: optional(string('Version.')),
      status: optional(Type.Integer({ description: 'HTTP status.' })),
      ...sums,
    },
    'Sums of one combination of columns.',
  ),
  AccountUsage: object(
    {
      from: dateTime('Start of the period.'),
      to: dateTime('End of the period.'),
      ...sums,
      rows: data(ref('UsageRow')),
    },
    'Calls and units of a key.',
  ),
  AccountUsageResponse: object({ data: ref('AccountUsage') }, 'Usage of the key that sent the request.'),
}

const callMembers = {
  id: string('Id of the request: the header X-Request-Id of its response.'),
  at: dateTime('Time of the call.'),
  operation: string('Name of the operation.'),
  version: string('Version of the response.'),
  version_explicit: boolean('True if the request named the version.'),
  status: Type.Integer({ description: 'HTTP status.' }),
  units: Type.Number({ minimum: 0, description: 'Units charged.' }),
  fault: optional(string('Code of the error.')),
  fields: optional(listOf(string('Name of a parameter.'), 'Parameters that were wrong.')),
  policies: optional(listOf(string('A policy as in RateLimit-Policy.'), 'Limits that the request exceeded.')),
  retry_after: optional(count('Seconds that the response asked to wait.')),
  duration_ms: Type.Number({ minimum: 0, description: 'Duration in milliseconds.' }),
}

const calls = {
  Call: object(callMembers, 'A metered call of a key.'),
  CallList: object(
    {
      data: data(ref('Call')),
      next: optional(string('Cursor of the next page; absent on the last one.')),
      counted_to: optional(dateTime('Time up to which the log has every call; absent before the first.')),
    },
    'Calls, newest first.',
  ),
  Explanation: object(
    {
      code: string('Code of the error; `served` or `not_modified` without one.'),
      sentence: string('Reason of the response, with the limits at that time.'),
      remedy: optional(string('What to do about it.')),
      link: optional(string('Page that helps: reference, keys, plan, catalog, versions, feeds, guide or status.')),
    },
    'The reason of a response.',
  ),
  CallLimits: object(
    {
      rate: Type.Number({ description: 'Requests per second.' }),
      burst: Type.Number({ description: 'Requests that were accepted at once.' }),
      quota: quantity('Units in 24 hours.'),
      search_rate: Type.Number({ description: 'Searches per second.' }),
      search_burst: Type.Number({ description: 'Searches that were accepted at once.' }),
      search_quota: quantity('Searches in 24 hours.'),
      autocomplete_rate: Type.Number({ description: 'Autocomplete requests per second.' }),
      autocomplete_burst: Type.Number({ description: 'Autocomplete requests that were accepted at once.' }),
    },
    'The limits of a key at the time of a call.',
  ),
  ExplainedCall: object(
    {
      ...callMembers,
      explanation: ref('Explanation'),
      package: string('Subscription package of the key at that time.'),
      limits: ref('CallLimits'),
    },
    'A call, and the reason of its response.',
  ),
  ExplainedCallResponse: object({ data: ref('ExplainedCall') }, 'A call of the key that sent the request.'),
}

/** Named schemas of the account, for `components/schemas` of a document. */
export const accountComponents: Readonly<Record<string, TSchema>> = { ...limits, ...account, ...usage, ...calls }

/** Body of a 200 response, by operation. */
export const accountResponses: Readonly<Record<AccountOperation, TSchema>> = {
  getAccount: ref('AccountResponse'),
  getAccountUsage: ref('AccountUsageResponse'),
  listAccountRequests: ref('CallList'),
  getAccountRequest: ref('ExplainedCallResponse'),
}
