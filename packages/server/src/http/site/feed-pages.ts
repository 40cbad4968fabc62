import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import type { SitePage } from './page.ts'

/** Public documents about the feeds. */
export interface FeedDocuments {
  /** Returns the Ed25519 public key as SPKI in PEM; undefined until a snapshot has been signed. */
  publicKeyPem(): string | undefined
  /** Returns the JSON Schema with a file name such as `locations-1.schema.json`; undefined if it does not exist. */
  schema(name: string): string | undefined
}

/** Creates the public pages of the feeds: the key that verifies signatures, and the schemas. */
export const createFeedPages = (documents: FeedDocuments): SitePage[] => [
  { path: '/feeds/public-key.pem', get: () => toDocument(documents.publicKeyPem(), 'application/x-pem-file') },
  {
    path: '/feeds/schemas/*',
    get: ({ params }) => toDocument(documents.schema(params['*']!), 'application/schema+json'),
  },
]

const toDocument = (text: string | undefined, type: string): WebDocument | undefined =>
  text === undefined
    ? undefined
    : {
        headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' },
        rendered: new RenderedBody(Buffer.from(text)),
      }
