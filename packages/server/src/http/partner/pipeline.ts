import type { IncomingHttpHeaders } from 'node:http'
import type { Authenticator } from '../../access/authenticate.ts'
import { computeGrant, type Grant } from '../../access/grant.ts'
import { type Fault, fault, faults, isFault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Logger } from '../../kit/log.ts'
import { ThreadUnavailable } from '../../kit/thread.ts'
import type { BadKeyLimits } from '../../limits/bad-keys.ts'
import type { CallLimits, CallOutcome } from '../../limits/call-limits.ts'
import type { RefusalCounts } from '../../limits/refusal-counts.ts'
import { buildDeprecationHeaders, withoutSuccessor } from '../../versions/deprecation-headers.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import { isStrict } from '../../versions/primitives/read-params.ts'
import { formatIgnoredParameters } from '../../versions/primitives/unknown-names.ts'
import { type HandledRequest, type HttpResponse, toProblem, variesBy } from '../wire/http-response.ts'
import { toInternalFault } from '../wire/internal-fault.ts'
import { type Representation, represent } from '../wire/represent.ts'
import type { UnsentResponses } from '../wire/unsent-responses.ts'
import type { Call, OperationResult, Operations } from './call.ts'
import { omitSecrets, readSecret } from './credentials.ts'
import { listDocumentedFields } from './documented-fields.ts'
import { toForbidden } from './forbidden.ts'
import { decideVersion } from './lifecycle.ts'
import { getParams } from './params.ts'
import type { Bucket, Route } from './routes.ts'

/** A request whose route is known. */
export interface RoutedRequest {
  readonly id: string
  /** Path and query, without secrets. */
  readonly path: string
  /** Values of the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
  /** The address of the client, as the nearest trusted proxy reports it. */
  readonly address: string
  /** Returns true if the client has closed its connection. */
  readonly isGone: () => boolean
}

/** The parts that process calls of partners. */
export interface PartnerApi {
  /** The versions and endpoints, with their deprecation and sunset dates. */
  readonly lifecycle: Lifecycle
  readonly authenticator: Authenticator
  readonly packageTable: PackageTable
  readonly limits: Readonly<Record<Bucket, CallLimits>>
  readonly badKeys: BadKeyLimits
  /** Counts calls of known keys that are in no usage record. */
  readonly refusals: Pick<RefusalCounts, 'count'>
  readonly unsent: Pick<UnsentResponses, 'check'>
  readonly operations: Operations
  readonly clock: Clock
  readonly log: Logger
  readonly settings: PartnerSettings
}

export interface PartnerSettings {
  /** Absolute, without a trailing slash. Known once the server listens. */
  readonly publicUrl: string
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** Accepts keys in the query. */
  readonly keysInQuery: boolean
  /** Time for which clients may cache a response. */
  readonly maxAgeSeconds: number
}

/** Result of an operation before the call is settled. */
interface Served {
  readonly result: OperationResult
  readonly representation: Representation
}

/**
 * Processes a request in the order of R-14: version (410, 400), key (401), grant (403), limits (429), parameters (400),
 * the operation, charge and usage record (429, 503), response. The router has already returned 404 and 405.
 */
export async function handle(request: RoutedRequest, route: Route, api: PartnerApi): Promise<HandledRequest> {
  const nowMs = api.clock.nowMs()
  const { selected, version: named = '', notices } = decide(request, route, api, nowMs)
  const lifecycleHeaders = buildDeprecationHeaders(notices, nowMs)
  const secret = readSecret(request.headers, request.query, api.settings.keysInQuery)
  if (isFault(selected)) {
    countRefusal(selected, secret, named, api)
    return refuse(selected, request, api, { lifecycleHeaders })
  }
  const version = selected.version.name

  const authenticated = api.authenticator.authenticate(secret, request.address, nowMs)
  const known = authenticated instanceof Promise ? await authenticated : authenticated
  if (isFault(known)) {
    countRefusal(known, secret, named, api)
    return refuse(api.badKeys.count(request.address) ?? known, request, api, { version, lifecycleHeaders })
  }

  const { key, secretId } = known
  const grant = getGrant(key, api)
  const callStart = {
    ...{ requestId: request.id, operation: route.operation, key, secretId },
    limits: grant.limits,
    version,
    versionExplicit: selected.explicit,
  }
  const opened = api.limits[route.bucket].open(callStart, checkKey(key, grant, route, api))
  const ticket = opened instanceof Promise ? await opened : opened
  const { params, headers, isGone } = request
  const query = api.settings.keysInQuery ? omitSecrets(request.query) : request.query
  const call = { version: selected.version, scope: grant.scope, key, params, query, headers, isGone }
  const outcome = ticket.refusal ?? (await serve(call, route, request, api))

  const settled = ticket.settle(toChargeable(outcome, call, route))
  const settlement = settled instanceof Promise ? await settled : settled
  const final = settlement.refusal ?? outcome
  const { release } = settlement
  const ignored = listIgnored(call, route)
  return {
    ...(isFault(final)
      ? {
          response: toProblemResponse(final, request, api, ignored),
          fault: final.fault,
          lifecycleHeaders: is410(final)
            ? buildDeprecationHeaders(notices.map(withoutSuccessor), nowMs)
            : lifecycleHeaders,
        }
      : {
          response: toSuccess(final, api, ignored),
          lifecycleHeaders: final.result.lifecycleHeaders ?? lifecycleHeaders,
        }),
    version,
    limits: settlement.headers,
    key,
    ...(release && { onClosed: release }),
  }
}

/** Decides the version of a request. */
const decide = (request: RoutedRequest, { operation }: Route, { lifecycle, settings }: PartnerApi, nowMs: number) =>
  decideVersion(lifecycle, {
    operation,
    query: request.query,
    headers: request.headers,
    path: request.path.split('?', 1)[0]!.slice(settings.basePath.length),
    publicUrl: settings.publicUrl,
    nowMs,
  })

/** Counts a refusal that is in no usage record, if the key of the secret is in memory: a refusal costs no lookup. */
function countRefusal(cause: Fault, secret: string | undefined, version: string, api: PartnerApi): void {
  const known = api.authenticator.recall(secret)
  if (known) api.refusals.count(known, cause.fault, version, api.clock.nowMs())
}

/** Returns 403 without the permission, and 429 while the clients of the key do not read their responses. */
const checkKey = (
  key: Key,
  { permissions }: Grant,
  { permission }: Route,
  { packageTable, unsent }: PartnerApi,
): Fault | undefined =>
  permissions.has(permission) ? unsent.check(key.id) : toForbidden(key, permission, packageTable)

/** Returns true for a 410 of the operation: the same path in another version would be gone as well. */
const is410 = ({ fault: code }: Fault): boolean => faults[code].status === 410

/** Returns the header that lists the parameters that the operation ignored; empty if it ignored no parameter. */
function listIgnored({ version, query }: Call, { operation }: Route): Readonly<Record<string, string>> {
  const ignored = formatIgnoredParameters(getParams(version, operation), query)
  return ignored === undefined || isStrict(query) ? {} : { 'Ignored-Parameters': ignored }
}

/**
 * Runs the operation and chooses the representation of its result, including 304. An exception becomes a 500 fault, so
 * that the call is recorded without a charge and the response has the limit headers.
 */
async function serve(call: Call, route: Route, request: RoutedRequest, api: PartnerApi): Promise<Served | Fault> {
  try {
    const result = await api.operations[route.operation](call)
    if (isFault(result)) return result
    const represented = 'rendered' in result ? represent(result.rendered, call.headers) : result.representation
    return { result, representation: represented instanceof Promise ? await represented : represented }
  } catch (error) {
    return error instanceof ThreadUnavailable ? searchUnavailable(error) : toInternalFault(error, request.id, api.log)
  }
}

/** Returns 503 for a search whose thread waits for a restart, which has been logged, or has too much to do. */
function searchUnavailable({ retryMs = 1000 }: ThreadUnavailable): Fault {
  const retryS = Math.max(1, Math.ceil(retryMs / 1000))
  return fault('search_unavailable', {
    detail: 'Reads by id still work. Repeat the request after the time in Retry-After.',
    headers: { 'Retry-After': String(retryS) },
  })
}

/** Returns the part of an outcome that limits and metering use. */
function toChargeable(outcome: Served | Fault, call: Call, { operation }: Route): CallOutcome {
  if (isFault(outcome))
    return {
      status: faults[outcome.fault].status,
      entities: 0,
      fault: outcome,
      fields: listDocumentedFields(outcome, call, operation),
    }
  const { result, representation } = outcome
  return {
    status: representation.status,
    entities: result.entities,
    snapshot: 'snapshot' in result ? result.snapshot : undefined,
  }
}

const grants = new WeakMap<Key, Grant>()

/** Returns the grant of a key; cached per key object, because both are immutable. */
function getGrant(key: Key, { packageTable }: PartnerApi): Grant {
  const known = grants.get(key)
  if (known) return known
  const grant = computeGrant(key, packageTable)
  grants.set(key, grant)
  return grant
}

function toSuccess(
  { result, representation: { status, headers, body } }: Served,
  { settings }: PartnerApi,
  ignored: Readonly<Record<string, string>>,
): HttpResponse {
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': `private, max-age=${settings.maxAgeSeconds}`,
      Vary: variesBy,
      ...ignored,
      ...result.headers,
      ...headers,
    },
    body,
  }
}

/** Formats a fault as the response to a request. */
export function toProblemResponse(
  cause: Fault,
  { id, path }: Pick<RoutedRequest, 'id' | 'path'>,
  { settings }: Pick<PartnerApi, 'settings'>,
  ignored: Readonly<Record<string, string>> = {},
): HttpResponse {
  const problem = toProblem(cause, { id, path, publicUrl: settings.publicUrl })
  return { ...problem, headers: { ...problem.headers, ...ignored } }
}

/** Returns the response to a request without a valid version or key; such requests are not metered. */
const refuse = (
  cause: Fault,
  request: RoutedRequest,
  api: PartnerApi,
  known: Pick<HandledRequest, 'version' | 'lifecycleHeaders'>,
): HandledRequest => ({ response: toProblemResponse(cause, request, api), fault: cause.fault, ...known })
