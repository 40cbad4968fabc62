import type { TSchema } from '../../kit/json-schema.ts'
import { type AccountOperation, accountParams, accountRoutes } from '../account/routes.ts'
import { accountComponents, accountResponses } from '../account/schemas.ts'
import { createErrorRefs } from './errors.ts'
import { listHeaders, toHeaderRefs } from './headers.ts'
import { toOpenApiPath, toParameterRefs, toQueryParameters } from './parts.ts'

export { accountComponents }

const texts: Readonly<Record<AccountOperation, readonly [summary: string, description: string]>> = {
  getAccount: [
    'The key itself',
    'Returns the package, permissions and limits of the key that sends the request, what is left of the limits, and when they are back. Costs no units; 1 request per second, 10 at once, independent of all other limits.',
  ],
  getAccountUsage: [
    'Usage of the key',
    'Sums the calls and units of the key that sends the request, up to the latest call. Costs no units; shares the limit of `getAccount`.',
  ],
  listAccountRequests: [
    'Requests of the key',
    'Lists the metered calls of recent days of the key that sends the request, newest first, a few seconds after they end. Costs no units; shares the limit of `getAccount`.',
  ],
  getAccountRequest: [
    'One request, explained',
    'Returns a call by the X-Request-Id of its response, with the reason of the response, what to do about it, and the limits at that time. Costs no units; shares the limit of `getAccount`.',
  ],
}

const call = {
  id: '01938f4a-7c1e-7d3a-9b1f-2a6f0c4d8e11',
  at: '2026-11-20T12:00:00.000Z',
  operation: 'searchLocations',
  version: '1',
  version_explicit: true,
  status: 429,
  units: 0,
  fault: 'rate_limited',
  policies: ['"search";q=5;w=5'],
  retry_after: 1,
  duration_ms: 0.21,
}

export const accountTag = {
  name: 'Account',
  description: 'The key itself: terms, limits and usage. The same in all versions.',
}

const parameterExamples: Readonly<Partial<Record<AccountOperation, Readonly<Record<string, unknown>>>>> = {
  getAccountUsage: { by: ['operation'], tz: 'Europe/Madrid' },
  listAccountRequests: { status: '4xx' },
}

const examples: Readonly<Record<AccountOperation, object>> = {
  getAccount: {
    data: {
      id: 'key_01938f4a-7c1e-7d3a-9b1f-2a6f0c4d8e11',
      name: 'Website',
      partner_id: 'partner_01938f49-2b7a-7c55-8a90-6f2d1e3c4b5a',
      test: false,
      package: 'discover',
      permissions: ['locations', 'reviews'],
      limits: {
        rate: { value: 10, source: 'package' },
        burst: { value: 10, source: 'package', left: 9, resets_at: '2026-11-20T12:00:00.100Z' },
        quota: {
          value: 10_000,
          source: 'package',
          left: 9423,
          window_opened_at: '2026-11-20T02:14:06.000Z',
          resets_at: '2026-11-21T02:14:06.000Z',
        },
        search_rate: { value: 1, source: 'package' },
        search_burst: { value: 5, source: 'package', left: 5 },
        search_quota: { value: 86_400, source: 'package', left: 86_400 },
        autocomplete_rate: { value: 10, source: 'package' },
        autocomplete_burst: { value: 20, source: 'package', left: 20 },
      },
      limits_apply_to: 'key',
      versions: [{ version: '1', calls: 17_345 }],
      created_at: '2026-11-01T09:30:00.000Z',
    },
  },
  getAccountUsage: {
    data: {
      from: '1970-01-01T00:00:00.000Z',
      to: '2026-11-20T12:00:00.000Z',
      calls: 17_345,
      units: 17_290,
      billable_units: 17_290,
      rows: [{ operation: 'getLocation', calls: 17_345, units: 17_290, billable_units: 17_290 }],
    },
  },
  listAccountRequests: { data: [call], counted_to: '2026-11-20T12:00:03.000Z' },
  getAccountRequest: {
    data: {
      ...call,
      explanation: {
        code: 'rate_limited',
        sentence: 'The key sent more than 1 search per second, and 5 at once after a pause.',
        remedy: 'Debounce the input by 300 to 500 ms.',
      },
      package: 'discover',
      limits: {
        rate: 10,
        burst: 10,
        quota: 10_000,
        search_rate: 1,
        search_burst: 5,
        search_quota: 86_400,
        autocomplete_rate: 10,
        autocomplete_burst: 20,
      },
    },
  },
}

const requestIdParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the request: the header X-Request-Id of its response.',
  schema: { type: 'string' },
  example: call.id,
}

/** Returns the `paths` of requests of a key about itself. `schemas` are the components of the document. */
export const createAccountPaths = (
  schemas: Readonly<Record<string, TSchema>>,
  codes: Parameters<typeof createErrorRefs>[0],
): readonly (readonly [string, object])[] =>
  accountRoutes.map(({ operation, path }) => [
    toOpenApiPath(path),
    {
      get: {
        operationId: operation,
        tags: [accountTag.name],
        summary: texts[operation][0],
        description: texts[operation][1],
        parameters: [
          ...(path.includes(':id') ? [requestIdParameter] : []),
          ...toQueryParameters(accountParams[operation], schemas, parameterExamples[operation]),
          ...toParameterRefs('strict', 'pretty'),
        ],
        responses: {
          200: {
            description: texts[operation][0],
            headers: toHeaderRefs(listHeaders(200)),
            content: { 'application/json': { schema: accountResponses[operation], example: examples[operation] } },
          },
          304: { $ref: '#/components/responses/NotModified' },
          ...createErrorRefs(codes, path.includes(':id') ? [410, 415] : [404, 410, 415]),
        },
      },
    },
  ])
