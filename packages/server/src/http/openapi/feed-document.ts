import { type FeedOperation, feedParams, isFeedOperation } from '../partner/operations/feed-params.ts'
import { routes } from '../partner/routes.ts'
import { createErrorRefs, createErrorResponses, feedCodes, problemComponents } from './errors.ts'
import { createFeedExamples, feedPathExamples } from './feed-examples.ts'
import { feedComponents, feedResponses } from './feed-schemas.ts'
import { feedIntroduction, feedSummaries } from './feed-texts.ts'
import { fileHeaders, headers, listHeaders, toHeaderRefs } from './headers.ts'
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
  toQueryParameters,
} from './parts.ts'

const pathParameters = {
  feed: { schema: { $ref: '#/components/schemas/FeedName' }, description: 'Name of the feed.' },
  snapshot: { schema: { type: 'string' }, description: 'Id of the snapshot.' },
  name: { schema: { type: 'string' }, description: 'Name of the file in the manifest.' },
} as const

/** Returns the parameter `version`, which is validated but does not select a version of the feed. */
const toVersionParameter = (values: readonly string[]) => ({
  name: 'version',
  in: 'query',
  required: false,
  description:
    'Validated as in every request (410 for a retired version), but ignored: the key is pinned to the version of the feed. Also called api-version; the header API-Version is an alternative.',
  'x-aliases': ['api-version'],
  schema: { type: 'string', enum: values },
  example: values[0],
})

const fileHeaderRefs = Object.fromEntries(
  Object.keys(fileHeaders).map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

/**
 * Returns the OpenAPI 3.1 document of the feeds, which all versions of the partner interface share. `accepted`
 * are the values of the parameter `version`.
 */
export function createFeedDocument(
  settings: DocumentSettings,
  accepted: readonly string[],
): Readonly<Record<string, unknown>> {
  const { publicUrl } = settings
  const examples = createFeedExamples(publicUrl)
  const schemas = nameEnumerations(Object.values(feedParams), { ...feedComponents, ...problemComponents })
  const paths = routes.flatMap(({ operation, path }) =>
    isFeedOperation(operation)
      ? [[toOpenApiPath(path), { get: createOperationObject(operation, path, { examples, schemas }) }] as const]
      : [],
  )
  return toJsonDocument({
    openapi: '3.1.0',
    info: createInfo({ title: 'Periplus feeds', version: '1', description: feedIntroduction }, settings),
    servers: [{ url: publicUrl }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: [{ name: 'Feeds', description: 'Bulk delivery: the complete data set, and its changes.' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes,
      parameters: { version: toVersionParameter(accepted), strict: strictParameter, pretty: prettyParameter },
      headers: { ...headers, ...fileHeaders },
      responses: {
        NotModified: { description: 'Not modified.', headers: toHeaderRefs(listHeaders(304)) },
        ...createErrorResponses(publicUrl, feedCodes),
      },
      schemas,
    },
  })
}

interface FeedDocumentParts {
  readonly examples: ReturnType<typeof createFeedExamples>
  readonly schemas: ReturnType<typeof nameEnumerations>
}

function createOperationObject(
  operation: FeedOperation,
  path: string,
  { examples, schemas }: FeedDocumentParts,
): object {
  const [summary, description] = feedSummaries[operation]
  const names = [...path.matchAll(/:(\w+)/g)].map(match => match[1] as keyof typeof pathParameters)
  const isFile = operation === 'downloadFeedFile'
  const content = isFile
    ? { 'application/zstd': {}, 'application/gzip': {} }
    : { 'application/json': { schema: feedResponses[operation], example: examples[operation] } }
  return {
    operationId: operation,
    tags: ['Feeds'],
    summary,
    description,
    parameters: [
      ...names.map(name => ({
        name,
        in: 'path',
        required: true,
        ...pathParameters[name],
        example: feedPathExamples[name],
      })),
      ...toQueryParameters(feedParams[operation], schemas, { after: 1, kind: 'full' }),
      ...toParameterRefs('version', 'strict', 'pretty'),
    ],
    responses: {
      200: {
        description: summary,
        headers: { ...toHeaderRefs(listHeaders(200)), ...(isFile && fileHeaderRefs) },
        content,
      },
      ...(isFile && {
        206: {
          description: 'The requested range.',
          headers: { ...toHeaderRefs(listHeaders(206)), ...fileHeaderRefs },
          content,
        },
      }),
      304: { $ref: '#/components/responses/NotModified' },
      ...createErrorRefs(feedCodes, [...(names.length > 0 ? [] : [404]), ...(isFile ? [] : [416])]),
    },
  }
}
