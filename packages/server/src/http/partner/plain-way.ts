import { parse } from 'fast-querystring'
import type { RawQuery } from '../../versions/primitives/param.ts'
import { findClientAddress } from '../wire/client-address.ts'
import { sendEventual } from '../wire/exchange.ts'
import { redact } from '../wire/redact.ts'
import { createRequestId } from '../wire/request-id.ts'
import { handle } from './pipeline.ts'
import { type Route, routes } from './routes.ts'
import { createShortWay, type ReceivedGet, type ShortWay, type ShortWayParts } from './short-way.ts'

/** Paths below the base path in their plain form, and the id in them. */
const plainPath = /^(?:\/[a-z]+)+(?:\/(\d{1,19})(?:\/[a-z]+)?)?$/

const routesByPath = new Map(
  routes.filter(({ bucket, method }) => bucket !== 'feeds' && method === undefined).map(route => [route.path, route]),
)

/**
 * The ways of requests without the router. Each returns false, without an effect, for a request that it does not know.
 */
export interface PlainWays {
  readonly short: ShortWay
  /** The short way, or else the pipeline for paths in their plain form. */
  readonly all: ShortWay
}

export function createPlainWays(parts: ShortWayParts): PlainWays {
  const short = createShortWay(parts)
  return { short, all: received => short(received) || startPipeline(received, parts) }
}

function startPipeline(received: ReceivedGet, { api, transport, isProxy }: ShortWayParts): boolean {
  const startMs = performance.now()
  const { target, headers, socket, writer } = received
  const { basePath } = api.settings
  const [path = '', query = ''] = splitOnce(target, '?')
  const found = path.startsWith(basePath) ? findRoute(path.slice(basePath.length)) : undefined
  if (found === undefined) return false
  const { route, params } = found
  const request = {
    id: createRequestId(),
    path: redact(target),
    params,
    headers,
    query: parse(query) as RawQuery,
    address: findClientAddress(received, isProxy),
    isGone: () => socket.destroyed,
  }
  const pending = { exchange: request, method: 'GET', headers, writer, startMs, operation: route.operation }
  sendEventual(pending, () => handle(request, route, api), transport)
  return true
}

function findRoute(path: string): { readonly route: Route; readonly params: Record<string, string> } | undefined {
  const match = plainPath.exec(path)
  if (match === null) return undefined
  const [, id] = match
  const route = routesByPath.get(id === undefined ? path : path.replace(`/${id}`, '/:id'))
  return route && { route, params: id === undefined ? {} : { id } }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}
