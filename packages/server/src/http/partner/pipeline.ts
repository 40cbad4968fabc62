import { type Fault, isFault } from '../../domain/fault.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import { indentBody } from '../../kit/indent-json.ts'
import { type FieldMask, readFieldMask } from '../../versions/primitives/field-mask.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import { isPretty } from '../../versions/primitives/read-params.ts'
import type { HandledRequest } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { represent } from '../wire/represent.ts'
import { discardBody } from '../wire/slabs.ts'
import type { Call, OperationResult } from './call.ts'
import {
  decideRequestVersion,
  type IdentifiedCall,
  identifyCall,
  runCall,
  type Served,
  toProblemResponse,
} from './call-steps.ts'
import { readSecret } from './credentials.ts'
import { maskBody } from './masked-bodies.ts'
import type { PartnerApi, RoutedRequest } from './partner-api.ts'
import type { Route } from './routes.ts'

/**
 * Processes a request in the order of R-14: version (410, 400), key (401), grant (403), limits (429), parameters (400),
 * the operation, charge and usage record (429, 503), response. The router has already returned 404 and 405.
 */
export function handle(request: RoutedRequest, route: Route, api: PartnerApi): Eventual<HandledRequest> {
  const decision = decideRequestVersion(request, route, api, api.clock.nowMs())
  const { selected, version: named = '', lifecycleHeaders, nowMs } = decision
  const secret = readSecret(request.headers, request.query, api.settings.keysInQuery)
  if (isFault(selected)) {
    countRefusal(selected, secret, named, api)
    return refuse(selected, request, api, { lifecycleHeaders })
  }
  return chain(api.authenticator.authenticate(secret, request.address, nowMs), known => {
    if (isFault(known)) {
      countRefusal(known, secret, named, api)
      const version = selected.version.name
      return refuse(api.badKeys.count(request.address) ?? known, request, api, { version, lifecycleHeaders })
    }
    const call = identifyCall({ request, route, decision, selected, known }, api)
    return runCall(call, () => serve(call, api), api)
  })
}

/** Counts a refusal that is in no usage record, if the key of the secret is in memory: a refusal costs no lookup. */
function countRefusal(cause: Fault, secret: string | undefined, version: string, api: PartnerApi): void {
  const known = api.authenticator.recall(secret)
  if (known) api.refusals.count(known, cause.fault, version, api.clock.nowMs())
}

/** Runs the operation and chooses the representation of its result, including 304. */
function serve({ call, route }: IdentifiedCall, api: PartnerApi): Eventual<Served | Fault> {
  const mask = readFieldMask(call.query, call.version, route.operation)
  if (mask && isFault(mask)) return mask
  return chain(api.operations[route.operation](call), result => toServed(result, call, mask))
}

/** Chooses the representation of the result of an operation, or of the members of it that the client wants. */
function toServed(
  result: OperationResult | Fault,
  { headers, query }: Call,
  mask: FieldMask | undefined,
): Eventual<Served | Fault> {
  if (isFault(result)) return result
  const represented =
    'rendered' in result ? represent(finish(result.rendered, query, mask), headers) : result.representation
  return chain(represented, representation => ({ result, representation }))
}

/** Returns the members of a body that the client wants, indented if it asks for that. */
function finish(whole: RenderedBody, query: RawQuery, mask: FieldMask | undefined): RenderedBody {
  const body = mask ? maskBody(whole, mask) : whole
  if (!isPretty(query)) return body
  const indented = indentBody(body.body)
  discardBody(body.body)
  return new RenderedBody(indented, { isSentOnce: true })
}

/** Returns the response to a request without a valid version or key; such requests are not metered. */
const refuse = (
  cause: Fault,
  request: RoutedRequest,
  api: PartnerApi,
  known: Pick<HandledRequest, 'version' | 'lifecycleHeaders'>,
): HandledRequest => ({ response: toProblemResponse(cause, request, api), fault: cause.fault, ...known })
