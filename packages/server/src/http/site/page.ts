import type { HttpResponse, WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'

/** A page that requires no key. `get` takes the part of the path that matched `*` and returns undefined for 404. */
export interface Page {
  readonly path: string
  get(rest: string): WebDocument | HttpResponse | undefined
}

/** Content security policy of pages that load nothing from other hosts. */
const defaultPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Returns an HTML page with its security headers. */
export function toHtmlDocument(text: string, contentPolicy = defaultPolicy): WebDocument {
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentPolicy,
    },
    rendered: new RenderedBody(Buffer.from(text)),
  }
}
