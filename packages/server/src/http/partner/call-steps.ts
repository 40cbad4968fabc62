/** The steps of a call that the pipeline and the short way share. */

import { computeGrant, type Grant } from '../../access/grant.ts'
import { type Fault, fault, faults, isFault } from '../../domain/fault.ts'
import type { Key, KeyBySecret } from '../../domain/key.ts'
import type { Operation } from '../../domain/operation.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import { indentBody } from '../../kit/indent-json.ts'
import { ThreadUnavailable } from '../../kit/thread-unavailable.ts'
import type { CallFacts, CallOutcome, Settlement, Ticket } from '../../limits/call-limits.ts'
import { buildDeprecationHeaders, withoutSuccessor } from '../../versions/deprecation-headers.ts'
import { isPretty, isStrict } from '../../versions/primitives/read-params.ts'
import { formatIgnoredParameters } from '../../versions/primitives/unknown-names.ts'
import type { Selection } from '../../versions/select.ts'
import { createFieldBlock, type FieldBlock } from '../wire/field-block.ts'
import { everyField, type HandledRequest, type HttpResponse, toProblem, variesBy } from '../wire/http-response.ts'
import { toInternalFault } from '../wire/internal-fault.ts'
import type { Representation } from '../wire/represent.ts'
import type { Call, OperationResult } from './call.ts'
import { omitSecrets } from './credentials.ts'
import { listDocumentedFields } from './documented-fields.ts'
import { toForbidden } from './forbidden.ts'
import { decideVersion, type VersionDecision } from './lifecycle.ts'
import { getParams } from './params.ts'
import type { PartnerApi, RoutedRequest } from './partner-api.ts'
import type { Route } from './routes.ts'

/** The version of a request, with the deprecation headers of its responses. */
export interface Decision extends VersionDecision {
  readonly nowMs: number
  readonly lifecycleHeaders: Readonly<Record<string, string>> | undefined
}

/** A request with its version and key. */
export interface IdentifiedRequest {
  readonly request: RoutedRequest
  readonly route: Route
  readonly decision: Decision
  readonly selected: Selection
  readonly known: KeyBySecret
}

/** A call whose version, key and grant are known. */
export interface IdentifiedCall extends IdentifiedRequest {
  readonly grant: Grant
  readonly call: Call
}

/** Result of an operation before the call is settled. */
export interface Served {
  readonly result: OperationResult
  readonly representation: Representation
}

/** Decides the version of a request at a time. */
export function decideRequestVersion(
  request: Omit<RoutedRequest, 'id'>,
  { operation }: Route,
  { lifecycle, settings }: PartnerApi,
  nowMs: number,
): Decision {
  const decided = decideVersion(lifecycle, {
    operation,
    query: request.query,
    headers: request.headers,
    target: request.path,
    basePath: settings.basePath,
    publicUrl: settings.publicUrl,
    nowMs,
  })
  return { ...decided, nowMs, lifecycleHeaders: buildDeprecationHeaders(decided.notices, nowMs) }
}

/** Computes the grant of an identified request. */
export function identifyCall(identified: IdentifiedRequest, api: PartnerApi): IdentifiedCall {
  const { request, selected, known } = identified
  const { key } = known
  const { params, headers, isGone, readBody } = request
  const grant = getGrant(key, api)
  const query = api.settings.keysInQuery ? omitSecrets(request.query) : request.query
  const call = { version: selected.version, scope: grant.scope, key, params, query, headers, isGone, readBody }
  return { ...identified, grant, call }
}

/** The operations that know sessions of search-as-you-type. */
const sessionOperations: readonly Operation[] = ['autocompleteLocations', 'getLocation']

/** Opens a call: permission (403), unread responses and limits (429). */
function openCall({ request, route, selected, known, grant, call }: IdentifiedCall, api: PartnerApi): Eventual<Ticket> {
  const { key, secretId } = known
  const facts: CallFacts = {
    requestId: request.id,
    operation: route.operation,
    key,
    secretId,
    limits: grant.limits,
    version: selected.version.name,
    versionExplicit: selected.explicit,
    isInSession: sessionOperations.includes(route.operation) && call.query.session !== undefined,
  }
  return api.limits[route.bucket].open(facts, checkKey(key, grant, route, api))
}

/**
 * Opens a call, runs its work unless it is refused, settles it and returns its response. Nothing is awaited that is
 * known, except the record of the call. An exception of the work becomes a 500 fault, so that the call is recorded
 * without a charge and the response has the limit headers.
 */
export const runCall = (
  call: IdentifiedCall,
  work: () => Eventual<Served | Fault>,
  api: PartnerApi,
): Eventual<HandledRequest> =>
  chain(openCall(call, api), ticket =>
    chain(ticket.refusal ?? runWork(work, call.request, api), outcome =>
      chain(ticket.settle(toChargeable(outcome, call.call, call.route)), settlement => {
        const { record } = settlement
        if (record === undefined) return respondToCall(call, outcome, settlement, api)
        return record.written.then(result => respondToCall(call, outcome, record.conclude(result), api))
      }),
    ),
  )

function runWork(
  work: () => Eventual<Served | Fault>,
  { id }: RoutedRequest,
  { log }: PartnerApi,
): Eventual<Served | Fault> {
  const fail = (error: unknown): Fault =>
    error instanceof ThreadUnavailable ? searchUnavailable(error) : toInternalFault(error, id, log)
  try {
    const served = work()
    return served instanceof Promise ? served.catch(fail) : served
  } catch (error) {
    return fail(error)
  }
}

/** Returns 503 for a search whose thread waits for a restart, which has been logged, or has too much to do. */
const searchUnavailable = ({ retryAfter }: ThreadUnavailable): Fault =>
  fault('search_unavailable', {
    detail: 'Reads by id still work. Repeat the request after the time in Retry-After.',
    headers: { 'Retry-After': retryAfter },
  })

/** Returns the response to a settled call. */
function respondToCall(
  { request, route, decision, call }: IdentifiedCall,
  outcome: Served | Fault,
  { refusal, headers, release }: Settlement,
  api: PartnerApi,
): HandledRequest {
  const final = refusal ?? outcome
  const { notices, nowMs, lifecycleHeaders } = decision
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
    version: call.version.name,
    limits: headers,
    key: call.key,
    ...(release && { onClosed: release }),
  }
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

/** Returns the header that lists the parameters that the operation ignored, if any. */
function listIgnored({ version, query }: Call, { operation }: Route): Readonly<Record<string, string>> | undefined {
  const ignored = formatIgnoredParameters(getParams(version, operation), query)
  return ignored === undefined || isStrict(query) ? undefined : { 'Ignored-Parameters': ignored }
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
    session: result.session,
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
  ignored: Readonly<Record<string, string>> | undefined,
): HttpResponse {
  const { maxAgeSeconds } = settings
  const own = result.next === undefined ? headers : { ...headers, Link: `<${result.next}>; rel="next"` }
  if (ignored === undefined && result.headers === undefined)
    return { status, common: getSuccessFields(maxAgeSeconds), headers: own, body }
  return { status, headers: { ...toSuccessHeaders(maxAgeSeconds), ...ignored, ...result.headers, ...own }, body }
}

const toSuccessHeaders = (maxAgeSeconds: number) => ({
  'Content-Type': 'application/json',
  'Cache-Control': `private, max-age=${maxAgeSeconds}`,
  Vary: variesBy,
})

/** By the time for which clients may cache a response. */
const successFields = new Map<number, FieldBlock>()

/** Returns the fields of all successful responses. */
function getSuccessFields(maxAgeSeconds: number): FieldBlock {
  const known = successFields.get(maxAgeSeconds)
  if (known) return known
  const created = createFieldBlock({ ...everyField.headers, ...toSuccessHeaders(maxAgeSeconds) })
  successFields.set(maxAgeSeconds, created)
  return created
}

/** Formats a fault as the response to a request. */
export function toProblemResponse(
  cause: Fault,
  { id, path, query }: Pick<RoutedRequest, 'id' | 'path' | 'query'>,
  { settings }: Pick<PartnerApi, 'settings'>,
  ignored?: Readonly<Record<string, string>>,
): HttpResponse {
  const problem = toProblem(cause, { id, path, publicUrl: settings.publicUrl })
  const body = isPretty(query) ? indentBody(problem.body) : problem.body
  return { ...problem, headers: { ...problem.headers, ...ignored }, body }
}
