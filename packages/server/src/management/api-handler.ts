import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type AdminFault, isAdminFault } from '../domain/admin-fault.ts'
import type { AdminPermission } from '../domain/admin-permission.ts'
import { StoreError } from '../domain/store-errors.ts'
import { visibilityOf } from '../domain/visibility.ts'
import { csvText } from '../resources/csv.ts'
import type { ApiResponse } from './api-response.ts'
import type { BearerTokens, TokenGrant } from './bearer.ts'
import type { ManagementContext } from './context.ts'
import { toFaultProblem } from './fault-problems.ts'
import { readExpectedRevision } from './if-match.ts'
import { type Problem, problem } from './problem.ts'
import { checkBody, type ReadResult, readJsonBody, readQuery } from './read-request.ts'
import type { ApiAnswer, ApiRequest, ApiRoute } from './route.ts'
import { apiPath } from './routes.ts'
import { UploadedBody } from './uploaded-body.ts'

/** Maximum size of a JSON body, in bytes. */
const maxBodyBytes = 1_048_576

/** A request of the admin API. */
export interface ApiCall {
  readonly id: string
  /** Path and query below the base path. */
  readonly target: string
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly address: string
  readonly raw: IncomingMessage
}

export interface ApiParts {
  readonly context: ManagementContext
  readonly tokens: BearerTokens
  /** Finds the row that returns the resource of a path; undefined if no row does. */
  readonly findReader: (path: string) => ApiRoute | undefined
}

/**
 * Handles a request: token (401, 429), permission (403), parameters (400), If-Match (428), body (400, 413, 415), work.
 */
export async function handleApiCall(call: ApiCall, route: ApiRoute, parts: ApiParts): Promise<ApiResponse | Problem> {
  const { context, tokens } = parts
  const { authorization } = call.headers
  const admitted = await tokens.admit(
    { authorization, requestId: call.id, address: call.address },
    context.clock.monotonicUs(),
  )
  if ('status' in admitted) return admitted
  const forbidden = checkPermission(route, admitted)
  if (forbidden) return forbidden
  const query = readQuery(route.query, new URL(call.target, 'http://management').searchParams)
  if ('problem' in query) return query.problem
  const { actor } = admitted
  const visibility = visibilityOf(actor)
  const raw = new UploadedBody(call.raw)
  const may = (permission: AdminPermission) => admitted.token.permissions.includes(permission)
  const reading = { params: call.params, query: {}, body: {}, actor, may, visibility, expectedRevision: 0, raw }
  const expected = await expectedRevisionOf(call, route, reading, parts)
  if (typeof expected === 'object') return expected
  const body = await bodyOf(call, route)
  if ('problem' in body) return body.problem
  const request = { ...reading, query: query.value, body: body.value.json, expectedRevision: expected }
  const answer = async () => {
    const outcome = await work(context, route, request)
    if (!isProblem(outcome)) return toResponse(outcome, route, request, call)
    const current = outcome.code === 'changed_meanwhile' ? await readCurrent(route, reading, parts) : undefined
    return current ? { ...outcome, current: current.body } : outcome
  }
  const key = call.headers['idempotency-key']
  if (route.method !== 'POST' || key === undefined) return answer()
  const content = [route.method, call.target, body.value.bytes]
  const keyed = { tokenId: admitted.token.id, key: String(key), content }
  const upload = () => raw.digest(context.work.maxUploadBytes)
  return context.idempotency.run(route.body === 'raw' ? { ...keyed, upload } : keyed, answer)
}

/** Runs the handler of a row; an expected error becomes a problem. */
async function work(
  context: ManagementContext,
  route: ApiRoute,
  request: ApiRequest<unknown, unknown>,
): Promise<ApiAnswer<unknown> | Problem> {
  try {
    const outcome: ApiAnswer<unknown> | AdminFault | Problem = await route.handler(context, request)
    return isAdminFault(outcome) ? toFaultProblem(outcome) : outcome
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    context.log.error({ err: error, id: request.actor.requestId }, 'The management server could not use a store.')
    return problem('store_unavailable')
  }
}

const isProblem = (answer: ApiAnswer<unknown> | Problem): answer is Problem => 'code' in answer

function checkPermission(route: ApiRoute, { token }: TokenGrant): Problem | undefined {
  const accepted = [route.permission, ...route.alternatives]
  if (!accepted.some(name => token.permissions.includes(name)))
    return problem('permission_missing', {
      detail: `This requires a token with the permission ${accepted.join(' or ')}.`,
    })
  if (token.partnerId !== undefined && !route.forPartners)
    return problem('permission_missing', { detail: 'This requires a token that is not restricted to one partner.' })
  return undefined
}

/** Returns the revision that a change is based on; 0 if the row requires none and none was sent. */
async function expectedRevisionOf(
  { headers }: ApiCall,
  route: ApiRoute,
  request: ApiRequest<unknown, unknown>,
  parts: ApiParts,
): Promise<number | Problem> {
  const header = headers['if-match']
  if (header === undefined)
    return route.ifMatch
      ? problem('if_match_missing', {
          detail: 'Send the ETag of the resource that you have read, as in If-Match: "3".',
        })
      : 0
  return readExpectedRevision(header, async () => (await readCurrent(route, request, parts))?.revision)
}

/** Returns the current state of the resource that a row changes. */
async function readCurrent(
  { path }: ApiRoute,
  request: ApiRequest<unknown, unknown>,
  { context, findReader }: ApiParts,
): Promise<ApiAnswer<unknown> | undefined> {
  const reader = findReader(path)
  const answer = reader && (await work(context, reader, request))
  return answer === undefined || isProblem(answer) ? undefined : answer
}

/** Reads and checks a JSON body; a row that reads its own body gets an empty one. */
async function bodyOf(
  { raw }: ApiCall,
  { body }: ApiRoute,
): Promise<ReadResult<{ readonly bytes: Buffer; readonly json: unknown }>> {
  if (body === undefined || body === 'raw') return { value: { bytes: Buffer.alloc(0), json: {} } }
  const read = await readJsonBody(raw, maxBodyBytes)
  if ('problem' in read) return read
  const checked = checkBody(body, read.value.json)
  return 'problem' in checked ? checked : { value: { bytes: read.value.bytes, json: checked.value } }
}

function toResponse(
  answer: ApiAnswer<unknown>,
  route: ApiRoute,
  { query }: ApiRequest<unknown, unknown>,
  { headers }: ApiCall,
): ApiResponse | Problem {
  const { status = route.status, revision, location } = answer
  const etag = revision === undefined ? undefined : `"${revision}"`
  const shared = {
    ...(etag !== undefined && { ETag: etag }),
    ...(location !== undefined && { Location: apiPath + location }),
  }
  if (route.method === 'GET' && etag !== undefined && headers['if-none-match'] === etag)
    return { status: 304, headers: shared, body: undefined }
  if (route.response === undefined && status === 204) return { status, headers: shared, body: undefined }
  const { body, ...type } = represent(answer, route, query, headers.accept)
  return { status, headers: { ...shared, ...type }, body }
}

/**
 * Returns the body and its header fields in the media type that the client accepts: CSV or a page where there is one,
 * else JSON.
 */
function represent(
  { body, page }: ApiAnswer<unknown>,
  { csv }: ApiRoute,
  query: unknown,
  accept: string | undefined,
): { readonly body: string; readonly [header: string]: string } {
  if (csv && prefers('text/csv', accept))
    return { 'Content-Type': 'text/csv; charset=utf-8', body: csvText(csv(body as never, query as never)) }
  if (page && prefers('text/html', accept))
    return { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': page.policy, body: page.text }
  return { 'Content-Type': 'application/json', body: JSON.stringify(body) }
}

/** Returns true if a client names this media type; `*` alone gets JSON. */
const prefers = (type: string, accept = ''): boolean =>
  accept.split(',').some(part => part.split(';', 1)[0]!.trim().toLowerCase() === type)
