import type { IncomingHttpHeaders } from 'node:http'
import { type Grant, grantOf } from '../access/grant.ts'
import type { Admission } from '../access/limiter.ts'
import { type Fault, fault, isFault } from '../domain/fault.ts'
import type { Key } from '../domain/key.ts'
import type { RawQuery } from '../versions/primitives/param.ts'
import { selectVersion } from '../versions/select.ts'
import { type Answer, problem } from './answer.ts'
import { isNotModified } from './conditional.ts'
import { presentedSecret } from './credentials.ts'
import { operations, type Worked } from './operations.ts'
import type { Operation, Route } from './routes.ts'
import type { Service } from './service.ts'

/** A request whose route is known. */
export interface Incoming {
  readonly id: string
  /** Path and query, secrets taken out. */
  readonly path: string
  readonly pathId: string
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
}

/** What became of a request: the answer, and what the log and the journal say of it. */
export interface Handled {
  readonly answer: Answer
  readonly version?: string
  readonly key?: Key
  readonly fault?: string
}

/** The order of a request, on one screen. The router has answered 404 and 405 before. */
export async function handle(
  request: Incoming,
  route: Route & { operation: Operation },
  service: Service,
): Promise<Handled> {
  const { settings, clock } = service

  const selected = selectVersion(request.query)
  if (isFault(selected)) return refuse(selected, request, service)
  const { version } = selected
  const seen = { version: version.name }

  const secret = presentedSecret(request.headers, request.query, settings.keysInQuery)
  const authenticated = service.authenticator.authenticate(secret, clock.nowMs())
  const key = authenticated instanceof Promise ? await authenticated : authenticated
  if (isFault(key)) return refuse(key, request, service, seen)

  const grant = grantFor(key, service)
  if (!grant.permissions.has(route.permission)) return refuse(fault('forbidden'), request, service, { ...seen, key })

  const admission = service.limiter.admit(key, grant, route.bucket)
  if (isFault(admission)) return refuse(admission, request, service, { ...seen, key })

  const call = { service, version, scope: grant.scope, pathId: request.pathId, query: request.query }
  const worked = await operations[route.operation](call)
  if (isFault(worked)) return refuse(worked, request, service, { ...seen, key, admission })

  const notModified = isNotModified(request.headers['if-none-match'], worked.etag)
  const refused = admission.charge(request.id, notModified ? 0 : unitsOf(route, worked))
  if (refused) return refuse(refused, request, service, { ...seen, key, admission })

  return { answer: success(worked, notModified, seen.version, admission, settings.maxAgeSeconds), key, ...seen }
}

const grants = new WeakMap<Key, Grant>()

/** Keys are immutable and remembered: so is what follows from them. */
function grantFor(key: Key, service: Service): Grant {
  const known = grants.get(key)
  if (known) return known
  const grant = grantOf(key, service.offer)
  grants.set(key, grant)
  return grant
}

/** */
const unitsOf = (route: Route, worked: Worked): number =>
  route.meter === 'entity' ? worked.entities : route.meter === 'call' ? 1 : 0

function success(worked: Worked, notModified: boolean, version: string, admission: Admission, maxAge: number): Answer {
  return {
    status: notModified ? 304 : 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': `private, max-age=${maxAge}`,
      Vary: 'Accept-Encoding, X-API-Key, Authorization',
      ETag: worked.etag,
      'API-Version': version,
      ...admission.headers(),
    },
    body: notModified ? undefined : worked.body,
  }
}

function refuse(
  what: Fault,
  request: Incoming,
  service: Service,
  seen: { readonly version?: string; readonly key?: Key; readonly admission?: Admission } = {},
): Handled {
  const { version, key, admission } = seen
  const answer = problem(what, { id: request.id, path: request.path, publicUrl: service.settings.publicUrl })
  const headers = {
    ...answer.headers,
    ...(version !== undefined && { 'API-Version': version }),
    ...admission?.headers(),
  }
  return {
    answer: { ...answer, headers },
    fault: what.fault,
    ...(version !== undefined && { version }),
    ...(key && { key }),
  }
}
