import type { Operation } from '../../domain/operation.ts'
import { longJson } from '../../kit/long-json.ts'
import type { VersionSchemas } from '../../versions/primitives/schema.ts'
import type { Version } from '../../versions/version.ts'
import { routes } from '../partner/routes.ts'
import { introduction, operationTexts, parameterExamples, tags } from './descriptions.ts'
import { errorRefs, errorResponses, partnerCodes, problemSchema } from './errors.ts'
import { examplesOf } from './examples.ts'
import { headerRefs, headers, headersOf } from './headers.ts'
import { pathParameter, queryParameters } from './parameters.ts'

/** A version that is documented. */
export type Documented = Version & { readonly schemas: VersionSchemas }

export interface DocumentOptions {
  /** Where the service is reached. */
  readonly publicUrl: string
  /** Whether an endpoint, in this version, is deprecated at present. */
  readonly deprecated?: (operation: Operation) => boolean
}

/** What the committed documents say of where the service is. */
export const examplePublicUrl = 'https://places.example'

/**
 * The OpenAPI 3.1 document of a version, made from what requests are checked against (`params`) and what answers are
 * tested against (`schemas`): nothing is written twice.
 */
export function openApiDocument(version: Documented, options: DocumentOptions): Readonly<Record<string, unknown>> {
  const { components, answers } = version.schemas
  const examples = examplesOf(version, options.publicUrl)
  const documented = routes.filter(({ operation }) => operation in answers)
  const paths = documented.map(({ operation, path }) => [
    path.replace(/:(\w+)/g, '{$1}'),
    {
      get: {
        operationId: operation,
        tags: [operationTexts[operation]!.tag],
        summary: operationTexts[operation]!.summary,
        description: operationTexts[operation]!.description,
        ...(options.deprecated?.(operation) && { deprecated: true }),
        parameters: [
          ...(path.includes(':id') ? [pathParameter('id', version.pathId, parameterExamples[operation])] : []),
          ...queryParameters(version.params[operation] ?? {}, parameterExamples[operation]),
          { $ref: '#/components/parameters/version' },
        ],
        responses: {
          200: {
            description: operationTexts[operation]!.summary,
            headers: headerRefs(headersOf(200)),
            content: { 'application/json': { schema: answers[operation], example: examples[operation] } },
          },
          304: { $ref: '#/components/responses/NotModified' },
          ...errorRefs(
            partnerCodes,
            path.includes(':id') || operation === 'nearbyLocations' || operation === 'nearbyCatalog',
          ),
        },
      },
    },
  ])
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Periplus partner interface',
      version: version.name,
      description: introduction(version.name),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: tags.filter(({ name }) => documented.some(({ operation }) => operationTexts[operation]!.tag === name)),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes,
      parameters: { version: versionParameter(version.name) },
      headers,
      responses: {
        NotModified: {
          description: 'Not modified since the answer with this ETag; costs no units (R-09).',
          headers: headerRefs(headersOf(304)),
        },
        ...errorResponses(options.publicUrl, partnerCodes),
      },
      schemas: { ...components, Problem: problemSchema },
    },
  }
  return JSON.parse(JSON.stringify(document, digits)) as Readonly<Record<string, unknown>>
}

const digits = (_name: string, value: unknown) => (typeof value === 'bigint' ? longJson(value) : value)

/** SPEC §9.1, R-15. */
const versionParameter = (name: string) => ({
  name: 'version',
  in: 'query',
  required: false,
  description: 'The version to answer in. Send it with every request. Also called api-version.',
  'x-aliases': ['api-version'],
  schema: { type: 'string', enum: name === 'beta' ? [name] : [name, `v${name}`] },
  example: name,
})

/** How a key is presented. */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key; wins over Bearer (R-01).',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
}
