import type { IncomingHttpHeaders } from 'node:http'
import { type Grant, grantOf } from '../../access/grant.ts'
import { type Fault, fault, isFault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { Selection } from '../../versions/select.ts'
import { type Answer, problem, variesBy } from '../wire/answer.ts'
import { type Representation, represent } from '../wire/represent.ts'
import { unexpected } from '../wire/unexpected.ts'
import { presentedSecret } from './credentials.ts'
import { decideVersion } from './lifecycle.ts'
import type { CallMeter } from './metering.ts'
import { type Call, operations, type Worked } from './operations.ts'
import type { Route } from './routes.ts'
import type { Service } from './service.ts'

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

/** What became of a request: the answer, and what the log says of it. */
export interface Handled {
  readonly answer: Answer
  /** The version that answers: a header of its own. */
  readonly version?: string
  /** Headers that tell an ending. */
  readonly lifecycleHeaders?: Readonly<Record<string, string>> | undefined
  /** Headers that tell the key's limits. */
  readonly limits?: Readonly<Record<string, string>>
  readonly key?: Key
  readonly fault?: string
  /** To be called when the answer has left, or its client. */
  readonly ended?: () => void
}

/** The order of a request, on one screen. The router has answered 404 and 405 before. */
export async function handle(request: Incoming, route: Route, service: Service): Promise<Handled> {
  const nowMs = service.clock.nowMs()
  const { selected, lifecycleHeaders } = decideVersion(service.lifecycle, {
    operation: route.operation,
    query: request.query,
    path: request.path.split('?', 1)[0]!.slice(service.settings.basePath.length),
    publicUrl: service.settings.publicUrl,
    nowMs,
  })
  if (isFault(selected)) return refuse(selected, request, service, { lifecycleHeaders })
  const version = selected.version.name

  const secret = presentedSecret(request.headers, request.query, service.settings.keysInQuery)
  const authenticated = service.authenticator.authenticate(secret, nowMs)
  const key = authenticated instanceof Promise ? await authenticated : authenticated
  if (isFault(key)) {
    return refuse(service.metering.withoutKey(request.address) ?? key, request, service, { version, lifecycleHeaders })
  }

  const grant = grantFor(key, service)
  const metered = service.metering.begin({
    requestId: request.id,
    route,
    key,
    grant,
    version,
    versionExplicit: selected.explicit,
  })
  const outcome = await serve(request, route, service, selected, key, grant, metered)
  const answer = isFault(outcome) ? problemFor(outcome, request, service) : success(outcome, service)
  // The state after this call, and not after all that are answered with it.
  const limits = metered.headers()
  // Units and record are one step: nothing may be awaited between the charge and this.
  const lost = await metered.record(answer.status)
  const left = lost ? problemFor(lost, request, service) : answer
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
  service: Service,
  { version }: Selection,
  key: Key,
  grant: Grant,
  metered: CallMeter,
): Promise<Served | Fault> {
  if (!grant.permissions.has(route.permission)) return fault('forbidden')
  const refused = metered.admit()
  if (refused) return refused
  const { params, query, headers } = request
  const call = { service, version, scope: grant.scope, key, params, query, headers }
  const worked = await outcomeOf(route, call, request)
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
  readonly worked: Worked
  readonly representation: Representation
}

/** A bug is an answer like any other: it is counted, charges nothing, and tells the key's limits. */
async function outcomeOf(route: Route, call: Call, request: Incoming): Promise<Worked | Fault> {
  try {
    return await operations[route.operation](call)
  } catch (error) {
    return unexpected(error, request.id, call.service)
  }
}

const grants = new WeakMap<Key, Grant>()

/** Keys are immutable and remembered: so is what follows from them. */
function grantFor(key: Key, service: Service): Grant {
  const known = grants.get(key)
  if (known) return known
  const grant = grantOf(key, service.packageTable)
  grants.set(key, grant)
  return grant
}

function success({ worked, representation: { status, headers, body } }: Served, { settings }: Service): Answer {
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

const problemFor = (what: Fault, request: Incoming, service: Service): Answer =>
  problem(what, { id: request.id, path: request.path, publicUrl: service.settings.publicUrl })

/** An answer to a request without a known key: nothing is metered. */
const refuse = (
  what: Fault,
  request: Incoming,
  service: Service,
  seen: Pick<Handled, 'version' | 'lifecycleHeaders'>,
): Handled => ({ answer: problemFor(what, request, service), fault: what.fault, ...seen })
