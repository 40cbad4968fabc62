import type { Eventual } from '../../kit/chain.ts'
import { chain } from '../../kit/chain.ts'
import { toTerraLifecycle } from '../../versions/terra/lifecycle.ts'
import type { Operations } from '../partner/call.ts'
import type { PartnerApi, RoutedRequest } from '../partner/partner-api.ts'
import { handle } from '../partner/pipeline.ts'
import type { Route } from '../partner/routes.ts'
import type { HandledRequest } from '../wire/http-response.ts'
import { createTerraOperations } from './operations.ts'
import { terraRoutes } from './routes.ts'

/** Routes next to those of the service, for clients of another one. */
export interface Profile {
  readonly routes: readonly Route[]
  handle(request: RoutedRequest, route: Route): Eventual<HandledRequest>
}

/**
 * Creates the Terra profile over the API of the service: the same keys, limits, metering and use cases. The
 * operations must not use bodies that were made for version 1.
 */
export function createTerraProfile(api: PartnerApi, operations: Operations): Profile {
  const own = { ...api, lifecycle: toTerraLifecycle(api.lifecycle), operations: createTerraOperations(operations) }
  return {
    routes: terraRoutes,
    handle: (request, route) => chain(handle(request, route, own), handled => addTraceId(handled, request.id)),
  }
}

/** Adds the id of the request to an error under the name that Terra has for it. */
function addTraceId(handled: HandledRequest, id: string): HandledRequest {
  const { response, fault } = handled
  if (fault === undefined || !Buffer.isBuffer(response.body)) return handled
  const text = response.body.toString()
  const body = Buffer.from(`${text.slice(0, text.lastIndexOf('}')).trimEnd()},"trace_id":${JSON.stringify(id)}}`)
  return { ...handled, response: { ...response, body } }
}
