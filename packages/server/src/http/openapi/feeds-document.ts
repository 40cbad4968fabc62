import { feedNames } from '../../domain/feed.ts'
import type { Operation } from '../../domain/operation.ts'
import type { ParamSet } from '../../versions/primitives/param.ts'
import { feedParams } from '../partner/operations/feed-params.ts'
import { routes } from '../partner/routes.ts'
import { securitySchemes } from './document.ts'
import { errorRefs, errorResponses, feedCodes, problemSchema } from './errors.ts'
import { feedExamples, feedPathExamples } from './feeds-examples.ts'
import { feedAnswers, feedComponents } from './feeds-schemas.ts'
import { fileHeaders, headerRefs, headers, headersOf } from './headers.ts'
import { queryParameters } from './parameters.ts'

type FeedOperation = Extract<Operation, `${string}Feed${string}`>

const summaries: Readonly<Record<FeedOperation, readonly [summary: string, description: string]>> = {
  listFeeds: ['The feeds', 'What this key may take, in the version that it is pinned to.'],
  getLatestFeedManifest: [
    'The newest manifest',
    'The manifest of the newest snapshot of a kind, byte for byte as stored.',
  ],
  listFeedDeltas: [
    'What came after a snapshot',
    'The deltas to apply, in order, without a gap. 410 when some are no longer kept: take the latest full snapshot.',
  ],
  listFeedSnapshots: ['All snapshots', 'Every snapshot that is kept, in the order in which they were made.'],
  getFeedManifest: ['A manifest', 'The manifest of a snapshot, byte for byte as stored; it never changes.'],
  downloadFeedFile: [
    'A file of a snapshot',
    'As stored, without Content-Encoding; ranges are answered. Four downloads at once, and 50 distinct snapshots in a rolling 24 hours.',
  ],
}

const pathParameters = {
  feed: { schema: { type: 'string', enum: feedNames }, description: 'The feed.' },
  snapshot: { schema: { type: 'string' }, description: 'The id of a snapshot.' },
  name: { schema: { type: 'string' }, description: 'The name of a file in the manifest.' },
} as const

const versionParameter = {
  name: 'version',
  in: 'query',
  required: false,
  description: 'Checked as in every call (410 for 0), and chooses nothing: the pin of the key does.',
  schema: { type: 'string' },
  example: '1',
}

const fileHeaderRefs = Object.fromEntries(
  Object.keys(fileHeaders).map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

/** The OpenAPI 3.1 document of the feeds, which are the same in every version of the partner interface. */
export function feedsDocument(publicUrl: string): Readonly<Record<string, unknown>> {
  const examples = feedExamples(publicUrl)
  const isFeedOperation = (operation: Operation): operation is FeedOperation => operation in summaries
  const paths = routes.flatMap(({ operation, path }) => {
    if (!isFeedOperation(operation)) return []
    const [summary, description] = summaries[operation]
    const names = [...path.matchAll(/:(\w+)/g)].map(match => match[1] as keyof typeof pathParameters)
    const set: ParamSet = (feedParams as Readonly<Partial<Record<Operation, ParamSet>>>)[operation] ?? {}
    const isFile = operation === 'downloadFeedFile'
    const content = isFile
      ? { 'application/zstd': {}, 'application/gzip': {} }
      : { 'application/json': { schema: feedAnswers[operation], example: examples[operation] } }
    const get = {
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
        ...queryParameters(set, { after: 1, kind: 'full' }),
        versionParameter,
      ],
      responses: {
        200: {
          description: summary,
          headers: { ...headerRefs(headersOf(200)), ...(isFile && fileHeaderRefs) },
          content,
        },
        ...(isFile && {
          206: {
            description: 'The range that was asked for.',
            headers: { ...headerRefs(headersOf(206)), ...fileHeaderRefs },
            content,
          },
        }),
        304: { $ref: '#/components/responses/NotModified' },
        ...errorRefs(feedCodes, names.length > 0),
      },
    }
    return [[path.replace(/:(\w+)/g, '{$1}'), { get }] as const]
  })
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: {
        title: 'Periplus feeds',
        version: '1',
        description: introduction,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      security: [{ ApiKey: [] }, { Bearer: [] }],
      tags: [{ name: 'Feeds', description: 'The whole data set once, then what has changed.' }],
      paths: Object.fromEntries(paths),
      components: {
        securitySchemes,
        headers: { ...headers, ...fileHeaders },
        responses: {
          NotModified: { description: 'Not modified.', headers: headerRefs(headersOf(304)) },
          ...errorResponses(publicUrl, feedCodes),
        },
        schemas: { ...feedComponents, Problem: problemSchema },
      },
    }),
  ) as Readonly<Record<string, unknown>>
}

const introduction = `Bulk delivery: a full snapshot once, then deltas; every file and every result can be proved by the
manifests, which are signed. The version of a feed is pinned per key and moves only when the operator moves it;
\`version\` in a call is checked and chooses nothing. Lines are described by the JSON Schemas under \`/feeds/schemas/\`,
signatures are checked with \`/feeds/public-key.pem\`; neither needs a key.`
