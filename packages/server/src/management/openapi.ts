import { STATUS_CODES } from '../kit/http.ts'
import { type TObject, type TSchema, Type } from '../kit/json-schema.ts'
import { closedObject } from '../resources/schema.ts'
import { problemStatuses } from './problem.ts'
import type { ApiRoute } from './route.ts'
import { apiPath, apiRoutes } from './routes.ts'

/** Settings of the document. */
export interface AdminDocumentSettings {
  readonly publicUrl: string
}

/** Settings of the committed document. */
export const exampleAdminSettings: AdminDocumentSettings = { publicUrl: 'https://manage.example' }

const description = `Administration of a Periplus installation: the same tasks as the commands.

Send an admin token as \`Authorization: Bearer peri_admin_…\`; \`periplus tokens create\` makes one. A token may send 20 requests a
second. Ids of 64 bits are strings, times are RFC 3339 in UTC. Lists have pages: \`next\` is the value of \`after\` for the next
one. \`ETag\` is the revision of a resource, and a change names it in \`If-Match\`. A POST with \`Idempotency-Key\` has the same
answer for 24 hours when it is repeated.`

const problemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri-reference' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    message: Type.String(),
    request_id: Type.String(),
    code: Type.String({ description: 'Stable name of the error.' }),
    field_errors: Type.Optional(
      Type.Array(
        closedObject({ field: Type.String(), message: Type.String(), rejected_value: Type.Optional(Type.String()) }),
      ),
    ),
    current: Type.Optional(Type.Unknown({ description: 'The current resource, in 412.' })),
  },
  { additionalProperties: false },
)

/** Returns the OpenAPI 3.1 document of the admin API, generated from its route table. */
export function createAdminDocument({ publicUrl }: AdminDocumentSettings): Readonly<Record<string, unknown>> {
  const paths = [...Map.groupBy(apiRoutes, ({ path }) => path)].map(([path, rows]) => [
    apiPath + path.replace(/:(\w+)/g, '{$1}'),
    Object.fromEntries(rows.map(row => [row.method.toLowerCase(), toOperation(row)])),
  ])
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Periplus admin interface',
      version: 'v1',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ AdminToken: [] }],
    tags: [...new Set(apiRoutes.map(tagOf))].map(name => ({ name, description: `Operations on ${name}.` })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { AdminToken: { type: 'http', scheme: 'bearer', description: 'An admin token.' } },
      schemas: { Problem: problemSchema },
      responses: Object.fromEntries(
        [...new Set(apiRoutes.flatMap(errorStatuses))].sort().map(status => [`Error${status}`, errorResponse(status)]),
      ),
    },
  }
  // Schemas have members that are not JSON.
  return JSON.parse(JSON.stringify(document)) as Readonly<Record<string, unknown>>
}

/** Returns the first part of a path: the resource. */
const tagOf = ({ path }: ApiRoute): string => path.split('/')[1]!

function toOperation(row: ApiRoute): object {
  return {
    operationId: row.operation,
    summary: row.summary,
    description: describeAccess(row),
    tags: [tagOf(row)],
    parameters: parametersOf(row),
    ...(row.body !== undefined && { requestBody: toRequestBody(row.body) }),
    responses: {
      [row.status]: toSuccess(row),
      ...Object.fromEntries(
        errorStatuses(row).map(status => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  }
}

const describeAccess = ({ permission, alternatives, forPartners }: ApiRoute): string =>
  `Requires the permission \`${permission}\`${alternatives.length > 0 ? ', or the one that starts such a job' : ''}. ${
    forPartners
      ? 'A token of one partner sees what belongs to this partner.'
      : 'Not for tokens that are restricted to one partner.'
  }`

function parametersOf({ path, query, method, ifMatch }: ApiRoute): object[] {
  const required = (query?.required ?? []) as readonly string[]
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries((query?.properties ?? {}) as Record<string, TSchema & { default?: unknown; type?: string }>).map(
      ([name, schema]) => ({
        name,
        in: 'query',
        schema,
        ...(required.includes(name) && schema.default === undefined && { required: true }),
        ...(schema.type === 'array' && { style: 'form', explode: false }),
      }),
    ),
    ...(ifMatch
      ? [{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' }, example: '"3"' }]
      : []),
    ...(method === 'POST'
      ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } }]
      : []),
  ]
}

const toRequestBody = (body: TObject | 'raw'): object =>
  body === 'raw'
    ? { required: true, content: { 'application/octet-stream': { schema: {} } } }
    : { required: true, content: { 'application/json': { schema: body } } }

function toSuccess({ status, response, csv, hasPage }: ApiRoute): object {
  if (response === undefined) return { description: STATUS_CODES[status] }
  return {
    description: STATUS_CODES[status],
    headers: { ETag: { description: 'Revision of the resource, where it has one.', schema: { type: 'string' } } },
    content: {
      'application/json': { schema: response },
      ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
      ...(hasPage && { 'text/html': { schema: { type: 'string' } } }),
    },
  }
}

const common = [
  'parameters_invalid',
  'token_missing',
  'permission_missing',
  'rate_limited',
  'internal',
  'store_unavailable',
] as const

/** Returns the statuses of errors that a row can have. */
function errorStatuses({ path, method, ifMatch, body }: ApiRoute): number[] {
  const statuses = common.map(code => problemStatuses[code] as number)
  if (path.includes(':') || method !== 'GET') statuses.push(404)
  if (method !== 'GET') statuses.push(409)
  if (method === 'POST') statuses.push(422)
  if (ifMatch || method === 'POST') statuses.push(412)
  if (ifMatch) statuses.push(428)
  if (body !== undefined) statuses.push(413, 415)
  return statuses.sort()
}

const errorResponse = (status: number): object => ({
  description: STATUS_CODES[status],
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})
