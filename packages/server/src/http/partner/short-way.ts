import type { Socket } from 'node:net'
import { isFault } from '../../domain/fault.ts'
import { isFullScope } from '../../domain/scope.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { Version } from '../../versions/version.ts'
import { findClientAddress } from '../wire/client-address.ts'
import { sendEventual } from '../wire/exchange.ts'
import { redact } from '../wire/redact.ts'
import type { RenderedBody } from '../wire/rendered.ts'
import { represent } from '../wire/represent.ts'
import { createRequestId } from '../wire/request-id.ts'
import type { ResponseWriter } from '../wire/response-writer.ts'
import type { SimpleGet } from '../wire/simple-get.ts'
import type { Transport } from '../wire/transport.ts'
import { decideRequestVersion, type IdentifiedCall, identifyCall, runCall, type Served } from './call-steps.ts'
import { readSecret } from './credentials.ts'
import type { PartnerApi, RoutedRequest } from './partner-api.ts'
import type { ReadyBodies } from './ready-bodies.ts'
import { renderMany } from './render.ts'
import { type Route, routes } from './routes.ts'

/** Answers a request if it can; returns false for every other request, which the router then handles. */
export type ShortWay = (request: ReceivedGet) => boolean

/** A GET request without a body, whose size and Host header are valid. */
export interface ReceivedGet extends SimpleGet {
  readonly socket: Socket
  readonly writer: ResponseWriter
}

/** Parts of the short way in addition to those of the pipeline. */
export interface ShortWayParts {
  readonly api: PartnerApi
  readonly transport: Transport
  readonly ready: ReadyBodies
  /** Returns true for the address of a trusted proxy. */
  readonly isProxy: (address: string) => boolean
}

const one = routes.find(({ operation }) => operation === 'getLocation')!
const many = routes.find(({ operation }) => operation === 'getLocations')!

/** The targets of the short way below the base path: an id, or a list of ids, and the version. */
const target =
  /^\/locations(?:\/(\d{1,19})(?:\?version=(\w{1,9}))?|\?ids=((?:\d|,|%2C){1,2000})(?:&version=(\w{1,9}))?)$/

/** A target that the short way knows. */
interface ReadTarget extends Pick<RoutedRequest, 'params' | 'query'> {
  readonly route: Route
}

/**
 * Creates the short way of reads by id, in front of the router. It takes the steps of the pipeline in their order, and
 * answers only if all of this is certain before the call is opened: the version is served, the key is in memory and
 * valid, its scope is full, and all bodies are ready. Until then it has no effect. Every other request takes the
 * ordinary way.
 */
export function createShortWay(parts: ShortWayParts): ShortWay {
  const { api, transport } = parts
  return received => {
    const startMs = performance.now()
    const found = findAnswer(received, parts)
    if (found === undefined) return false
    const { call, result } = found
    const { request, route } = call
    const { headers, writer } = received
    transport.traffic.countShortWay()
    const pending = { exchange: request, method: 'GET', headers, writer, startMs, operation: route.operation }
    sendEventual(pending, () => runCall(call, () => serve(result, headers), api), transport)
    return true
  }
}

/** The ready bodies of a call in their envelope, and their number. */
interface ReadyResult {
  readonly rendered: RenderedBody
  readonly entities: number
}

/** Returns the call of a request and its result; undefined if the short way does not know them. */
function findAnswer(
  received: ReceivedGet,
  parts: ShortWayParts,
): { readonly call: IdentifiedCall; readonly result: ReadyResult } | undefined {
  try {
    const call = identify(received, parts)
    const result = call && findResult(call, parts.ready)
    return result && { call, result }
  } catch {
    // The ordinary way fails in the same way, and reports it.
    return undefined
  }
}

/** Returns the call of a request; undefined if the short way does not know it. */
function identify(received: ReceivedGet, { api, isProxy }: ShortWayParts): IdentifiedCall | undefined {
  const { target: url, headers, socket } = received
  const { basePath, keysInQuery } = api.settings
  if (!url.startsWith(basePath)) return undefined
  const read = readTarget(url.slice(basePath.length))
  if (read === undefined) return undefined
  const { route, params, query } = read
  const address = findClientAddress(received, isProxy)
  const isGone = () => socket.destroyed
  const request = { id: createRequestId(), path: redact(url), params, query, headers, address, isGone }
  const decision = decideRequestVersion(request, route, api, api.clock.nowMs())
  if (isFault(decision.selected)) return undefined
  const secret = readSecret(headers, query, keysInQuery)
  if (api.authenticator.recall(secret) === undefined) return undefined
  const known = api.authenticator.authenticate(secret, address, decision.nowMs)
  if (known instanceof Promise || isFault(known)) return undefined
  const call = identifyCall({ request, route, decision, selected: decision.selected, known }, api)
  return isFullScope(call.grant.scope) && call.grant.permissions.has(route.permission) ? call : undefined
}

function readTarget(path: string): ReadTarget | undefined {
  const found = target.exec(path)
  if (found === null) return undefined
  const [, id, versionOfOne, ids, versionOfMany] = found
  const version = versionOfOne ?? versionOfMany
  const query: RawQuery = version === undefined ? {} : { version }
  if (id !== undefined) return { route: one, params: { id }, query }
  return { route: many, params: {}, query: { ids: ids!.replaceAll('%2C', ','), ...query } }
}

/** Returns the result of a call from ready bodies; undefined if one is missing. */
function findResult({ route, call }: IdentifiedCall, ready: ReadyBodies): ReadyResult | undefined {
  const bodies = route === one ? findOne(call, ready) : findMany(call, ready)
  if (bodies === undefined) return undefined
  return { rendered: route === one ? bodies[0]! : renderMany(bodies, {}), entities: bodies.length }
}

const serve = (result: ReadyResult, headers: SimpleGet['headers']): Eventual<Served> =>
  chain(represent(result.rendered, headers), representation => ({ result, representation }))

/** Results of `acceptsTarget` by version. */
const readsWithoutParams = new WeakMap<Version, boolean>()

/** Returns true if a version accepts a target of `readTarget`, which has no parameters except the version. */
function acceptsTarget(version: Version): boolean {
  const known = readsWithoutParams.get(version)
  if (known !== undefined) return known
  const accepts = !isFault(version.read.getLocation({}))
  readsWithoutParams.set(version, accepts)
  return accepts
}

function findOne({ version, params }: IdentifiedCall['call'], ready: ReadyBodies): RenderedBody[] | undefined {
  const id = version.read.pathId(params.id!)
  if (isFault(id) || !acceptsTarget(version)) return undefined
  const body = ready.find(id, version)
  return body && [body]
}

function findMany({ version, query }: IdentifiedCall['call'], ready: ReadyBodies): RenderedBody[] | undefined {
  const args = version.read.getLocations(query)
  if (isFault(args)) return undefined
  const bodies: RenderedBody[] = []
  for (const id of args.ids) {
    const body = ready.find(id, version)
    if (body === undefined) return undefined
    bodies.push(body)
  }
  return bodies
}
