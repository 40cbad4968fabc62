import type { Answer, Document } from '../wire/answer.ts'
import { Rendered } from '../wire/rendered.ts'

/** A path that needs no key. `answer` gets what the path's `*` stood for; undefined is 404. */
export interface Page {
  readonly path: string
  answer(rest: string): Document | Answer | undefined
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A page; what it may load is its own. */
export function html(text: string, contentPolicy = policy): Document {
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentPolicy,
      'X-Content-Type-Options': 'nosniff',
    },
    rendered: new Rendered(Buffer.from(text)),
  }
}
