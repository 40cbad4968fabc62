import type { Operation } from '../../domain/operation.ts'
import { ownRecords } from '../../versions/primitives/match.ts'
import type { VersionSchemas } from '../../versions/primitives/schema.ts'
import type { Version } from '../../versions/version.ts'
import { accountParams } from '../account/routes.ts'
import { type Route, routes } from '../partner/routes.ts'
import { accountComponents, accountTag, createAccountPaths } from './account-paths.ts'
import { introduction, operationTexts, parameterExamples, tags } from './descriptions.ts'
import { createErrorRefs, createErrorResponses, partnerCodes, problemComponents } from './errors.ts'
import { createExamples } from './examples.ts'
import { headers, listHeaders, toHeaderRefs } from './headers.ts'
import {
  createInfo,
  type DocumentSettings,
  nameEnumerations,
  prettyParameter,
  securitySchemes,
  strictParameter,
  toJsonDocument,
  toOpenApiPath,
  toParameterRefs,
  toPathParameter,
  toQueryParameters,
} from './parts.ts'

/** A version with schemas, from which an OpenAPI document can be generated. */
export type DocumentedVersion = Version & { readonly schemas: VersionSchemas }

/** Options of `createOpenApiDocument`. */
export interface DocumentOptions extends DocumentSettings {
  /** Returns true if the operation is deprecated in this version. */
  readonly deprecated?: (operation: Operation) => boolean
}

/** Settings of the committed documents. */
export const exampleSettings: DocumentSettings = { publicUrl: 'https://places.example', docs: { contact: {} } }

/**
 * Returns the OpenAPI 3.1 document of a version. It is generated from the parameters that validate requests and from
 * the schemas that tests validate responses against, so it cannot differ from either.
 */
export function createOpenApiDocument(
  version: DocumentedVersion,
  options: DocumentOptions,
): Readonly<Record<string, unknown>> {
  const { components, responses } = version.schemas
  const documented = routes.filter(({ operation }) => operation in responses)
  const sets = [...documented.map(({ operation }) => version.params[operation] ?? {}), ...Object.values(accountParams)]
  const schemas = nameEnumerations(sets, { ...components, ...problemComponents, ...accountComponents })
  const examples = createExamples(version, options.publicUrl)
  const paths: Record<string, object> = {}
  for (const route of documented) {
    const described = createOperationObject(route, version, { ...options, schemas, example: examples[route.operation] })
    const path = toOpenApiPath(route.path)
    paths[path] = { ...paths[path], [route.method === undefined ? 'get' : 'post']: described }
  }
  return toJsonDocument({
    openapi: '3.1.0',
    info: createInfo(
      { title: 'Periplus partner interface', version: version.name, description: introduction(version.name) },
      options,
    ),
    servers: [{ url: options.publicUrl }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: [
      ...tags.filter(({ name }) => documented.some(({ operation }) => operationTexts[operation]!.tag === name)),
      accountTag,
    ],
    paths: { ...paths, ...Object.fromEntries(createAccountPaths(schemas, partnerCodes)) },
    components: {
      securitySchemes,
      parameters: {
        version: toVersionParameter(version.name),
        versionHeader,
        strict: strictParameter,
        pretty: prettyParameter,
      },
      headers,
      responses: {
        NotModified: {
          description: 'Not modified since the response with this ETag. No units are charged.',
          headers: toHeaderRefs(listHeaders(304)),
        },
        ...createErrorResponses(options.publicUrl, partnerCodes),
      },
      schemas: { ...schemas, VersionName: createVersionName(version.name) },
    },
  })
}

const exampleRecords = [
  { name: 'Museo del Alba', lat: 40.4138, lon: -3.6925 },
  { name: 'Hotel Sol', city: 'Madrid', country_code: 'ES', phone: '+34 915 550 123' },
]

type OperationOptions = DocumentOptions & {
  readonly schemas: ReturnType<typeof nameEnumerations>
  readonly example: object | undefined
}

function createOperationObject(
  { operation, path, method }: Route,
  version: DocumentedVersion,
  options: OperationOptions,
): object {
  const { tag, summary, description } = operationTexts[operation]!
  const hasId = path.includes(':id')
  return {
    operationId: operation,
    tags: [tag],
    summary,
    description,
    ...(options.deprecated?.(operation) && { deprecated: true }),
    parameters: [
      ...(hasId ? [toPathParameter('id', version.pathId, parameterExamples[operation])] : []),
      ...toQueryParameters(version.params[operation] ?? {}, options.schemas, parameterExamples[operation]),
      ...toParameterRefs('version', 'versionHeader', 'strict', 'pretty'),
    ],
    ...(method !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: ownRecords, example: exampleRecords } } },
    }),
    responses: {
      200: {
        description: summary,
        headers: toHeaderRefs(listHeaders(200)),
        content: { 'application/json': { schema: version.schemas.responses[operation], example: options.example } },
      },
      ...(method === undefined && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...createErrorRefs(partnerCodes, [...(hasId ? [] : [404]), ...(method === undefined ? [415] : [])]),
    },
  }
}

/** Returns the component `VersionName`: the values that select a version. */
const createVersionName = (name: string) => ({
  type: 'string',
  enum: name === 'beta' ? [name] : [name, `v${name}`],
  description: 'Version of the response.',
})

const versionName = { $ref: '#/components/schemas/VersionName' }

/**
 * Returns the parameter that selects the version (SPEC §9.1, R-15). Required here, although a request may omit it
 * (R-57).
 */
const toVersionParameter = (name: string) => ({
  name: 'version',
  in: 'query',
  required: true,
  description: 'Version of the response. Also called api-version. A request without it gets the latest stable version.',
  'x-aliases': ['api-version'],
  schema: versionName,
  example: name,
})

/** The request header that selects the version in place of the parameter. */
const versionHeader = {
  name: 'API-Version',
  in: 'header',
  required: false,
  description: 'The version as a header. It must not contradict the parameter `version`.',
  schema: versionName,
}
