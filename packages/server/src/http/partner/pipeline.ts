import type { IncomingHttpHeaders } from 'node:http'
import type { Authenticator } from '../../access/authenticate.ts'
import { type Grant, grantOf } from '../../access/grant.ts'
import { type Fault, fault, isFault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Logger } from '../../kit/log.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { Selection } from '../../versions/select.ts'
import { type Answer, type Handled, problem, variesBy } from '../wire/answer.ts'
import { type Representation, represent } from '../wire/represent.ts'
import { unexpected } from '../wire/unexpected.ts'
import type { Call, OperationResult, Operations } from './call.ts'
import { presentedSecret } from './credentials.ts'
import { decideVersion } from './lifecycle.ts'
import type { CallMeter, RequestMeter } from './metering.ts'
import type { Route } from './routes.ts'

/** A request whose route is known. */
export interface Incoming {
  readonly id: string
  /** Path and query, secrets taken out. */
  readonly path: string
  /** What stood for the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
  /** Of the client, as the nearest trusted proxy names it. */
  readonly address: string
}

/** The parts that answer calls of partners. */
export interface PartnerApi {
  /** The versions and endpoints, and when they end. */
  readonly lifecycle: Lifecycle
  readonly authenticator: Authenticator
  readonly packageTable: PackageTable
  readonly metering: RequestMeter
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
  /** How long clients may cache an answer. */
  readonly maxAgeSeconds: number
}

/** The order of a request, on one screen. The router has answered 404 and 405 before. */
export async function handle(request: Incoming, route: Route, api: PartnerApi): Promise<Handled> {
  const nowMs = api.clock.nowMs()
  const { selected, lifecycleHeaders } = decideVersion(api.lifecycle, {
    operation: route.operation,
    query: request.query,
    path: request.path.split('?', 1)[0]!.slice(api.settings.basePath.length),
    publicUrl: api.settings.publicUrl,
    nowMs,
  })
  if (isFault(selected)) return refuse(selected, request, api, { lifecycleHeaders })
  const version = selected.version.name

  const secret = presentedSecret(request.headers, request.query, api.settings.keysInQuery)
  const authenticated = api.authenticator.authenticate(secret, nowMs)
  const key = authenticated instanceof Promise ? await authenticated : authenticated
  if (isFault(key)) {
    return refuse(api.metering.withoutKey(request.address) ?? key, request, api, { version, lifecycleHeaders })
  }

  const grant = grantFor(key, api)
  const metered = api.metering.begin({
    requestId: request.id,
    route,
    key,
    grant,
    version,
    versionExplicit: selected.explicit,
  })
  const outcome = await serve(request, route, api, selected, key, grant, metered)
  const answer = isFault(outcome) ? problemFor(outcome, request, api) : success(outcome, api)
  // The state after this call, and not after all that are answered with it.
  const limits = metered.headers()
  // Units and record are one step: nothing may be awaited between the charge and this.
  const lost = await metered.record(answer.status)
  const left = lost ? problemFor(lost, request, api) : answer
  const told = lost?.fault ?? (isFault(outcome) ? outcome.fault : undefined)
  const { ended } = metered
  const handled = {
    answer: left,
    version,
    lifecycleHeaders: isFault(outcome) ? lifecycleHeaders : (outcome.worked.lifecycleHeaders ?? lifecycleHeaders),
    limits: lost ? metered.headers() : limits,
    key,
    ...(ended && { ended }),
  }
  return told === undefined ? handled : { ...handled, fault: told }
}

/** Grant (403), admission (429), parameters (400) and work, what of it is sent (304), units (429). */
async function serve(
  request: Incoming,
  route: Route,
  api: PartnerApi,
  { version }: Selection,
  key: Key,
  grant: Grant,
  metered: CallMeter,
): Promise<Served | Fault> {
  if (!grant.permissions.has(route.permission)) return fault('forbidden')
  const refused = metered.admit()
  if (refused) return refused
  const { params, query, headers } = request
  const call: Call = { version, scope: grant.scope, key, params, query, headers }
  const worked = await outcomeOf(route, call, request, api)
  if (isFault(worked)) return worked
  const represented = 'rendered' in worked ? represent(worked.rendered, headers) : worked.representation
  const representation = represented instanceof Promise ? await represented : represented
  // what is not modified costs nothing.
  const refusedUnits =
    representation.status === 304
      ? undefined
      : metered.charge(worked.entities, 'snapshot' in worked ? worked.snapshot : undefined)
  return refusedUnits ?? { worked, representation }
}

interface Served {
  readonly worked: OperationResult
  readonly representation: Representation
}

/** A bug is an answer like any other: it is counted, charges nothing, and tells the key's limits. */
async function outcomeOf(
  route: Route,
  call: Call,
  { id }: Incoming,
  { operations, log }: PartnerApi,
): Promise<OperationResult | Fault> {
  try {
    return await operations[route.operation](call)
  } catch (error) {
    return unexpected(error, id, log)
  }
}

const grants = new WeakMap<Key, Grant>()

/** Keys are immutable and remembered: so is what follows from them. */
function grantFor(key: Key, api: PartnerApi): Grant {
  const known = grants.get(key)
  if (known) return known
  const grant = grantOf(key, api.packageTable)
  grants.set(key, grant)
  return grant
}

function success({ worked, representation: { status, headers, body } }: Served, { settings }: PartnerApi): Answer {
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': `private, max-age=${settings.maxAgeSeconds}`,
      Vary: variesBy,
      ...worked.headers,
      ...headers,
    },
    body,
  }
}

const problemFor = (what: Fault, request: Incoming, api: PartnerApi): Answer =>
  problem(what, { id: request.id, path: request.path, publicUrl: api.settings.publicUrl })

/** An answer to a request without a known key: nothing is metered. */
const refuse = (
  what: Fault,
  request: Incoming,
  api: PartnerApi,
  seen: Pick<Handled, 'version' | 'lifecycleHeaders'>,
): Handled => ({ answer: problemFor(what, request, api), fault: what.fault, ...seen })
