import type { Document } from '../wire/answer.ts'
import { Rendered } from '../wire/rendered.ts'
import type { Page } from './page.ts'

/** What proves and explains the feeds, for everybody. */
export interface FeedDocuments {
  /** Ed25519, SPKI in PEM; undefined until something was signed. */
  publicKeyPem(): string | undefined
  /** `locations-1.schema.json` and the like. */
  schema(name: string): string | undefined
}

/** The pages of the feeds that need no key. */
export const feedPages = (documents: FeedDocuments): Page[] => [
  { path: '/feeds/public-key.pem', answer: () => file(documents.publicKeyPem(), 'application/x-pem-file') },
  { path: '/feeds/schemas/*', answer: name => file(documents.schema(name), 'application/schema+json') },
]

const file = (text: string | undefined, type: string): Document | undefined =>
  text === undefined
    ? undefined
    : {
        headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' },
        rendered: new Rendered(Buffer.from(text)),
      }
