import type { Authenticator } from '../../access/authenticate.ts'
import { type Fault, fault, isFault } from '../../domain/fault.ts'
import type { Clock } from '../../kit/clock.ts'
import { indentBody } from '../../kit/indent-json.ts'
import type { Logger } from '../../kit/log.ts'
import { ThreadUnavailable } from '../../kit/thread-unavailable.ts'
import type { AccountLimits } from '../../limits/account-limits.ts'
import type { BadKeyLimits } from '../../limits/bad-keys.ts'
import { isPretty, isStrict } from '../../versions/primitives/read-params.ts'
import { formatIgnoredParameters } from '../../versions/primitives/unknown-names.ts'
import { toProblemResponse } from '../partner/call-steps.ts'
import { omitSecrets, readSecret } from '../partner/credentials.ts'
import type { PartnerSettings, RoutedRequest } from '../partner/partner-api.ts'
import { type HandledRequest, variesBy } from '../wire/http-response.ts'
import { toInternalFault } from '../wire/internal-fault.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { represent } from '../wire/represent.ts'
import { type AccountParts, accountOperations } from './operations.ts'
import { type AccountRoute, accountParams } from './routes.ts'

/** The parts that answer requests of keys about themselves. */
export interface AccountApi extends AccountParts {
  readonly authenticator: Authenticator
  readonly badKeys: BadKeyLimits
  readonly limits: AccountLimits
  readonly clock: Clock
  readonly log: Logger
  readonly settings: Pick<PartnerSettings, 'publicUrl' | 'basePath' | 'maxAgeSeconds' | 'keysInQuery'>
}

/**
 * Processes a request of a key about itself: key (401, 403), limit of its own (429), parameters (400), response. It has
 * no version, costs no units and writes no usage record, so it is answered when every other limit is used up.
 */
export async function handleAccount(
  request: RoutedRequest,
  { operation }: AccountRoute,
  api: AccountApi,
): Promise<HandledRequest> {
  const secret = readSecret(request.headers, request.query, api.settings.keysInQuery)
  const known = await api.authenticator.authenticate(secret, request.address, api.clock.nowMs())
  if (isFault(known)) return refuse(api.badKeys.count(request.address) ?? known, request, api)
  const { key } = known
  const limited = api.limits.admit(key.id)
  if (limited) return { ...refuse(limited, request, api), key }
  const query = api.settings.keysInQuery ? omitSecrets(request.query) : request.query
  const ignored = isStrict(query) ? undefined : formatIgnoredParameters(accountParams[operation], query)
  const headers = { 'X-Billed-Units': '0', ...(ignored !== undefined && { 'Ignored-Parameters': ignored }) }
  const outcome = await serve(
    () => accountOperations[operation](api, { key, params: request.params, query }),
    request,
    api,
  )
  if (isFault(outcome)) return { ...refuse(outcome, request, api, headers), key }
  const json = Buffer.from(JSON.stringify(outcome))
  const body = new RenderedBody(isPretty(query) ? indentBody(json) : json)
  const represented = await represent(body, request.headers)
  return {
    response: {
      ...represented,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'private, no-cache',
        Vary: variesBy,
        ...headers,
        ...represented.headers,
      },
    },
    key,
  }
}

/** Runs an operation; returns 503 while its thread is not available, and 500 after an exception. */
async function serve(work: () => Promise<object | Fault>, { id }: RoutedRequest, { log }: AccountApi) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ThreadUnavailable)) return toInternalFault(error, id, log)
    return fault('account_unavailable', {
      detail: 'Other endpoints still work. Repeat the request after the time in Retry-After.',
      headers: { 'Retry-After': error.retryAfter },
    })
  }
}

const refuse = (
  cause: Fault,
  request: RoutedRequest,
  api: AccountApi,
  ignored: Readonly<Record<string, string>> = {},
): HandledRequest => ({ response: toProblemResponse(cause, request, api, ignored), fault: cause.fault })
