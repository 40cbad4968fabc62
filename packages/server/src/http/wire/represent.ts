import type { IncomingHttpHeaders } from 'node:http'
import { type Coding, chooseCoding, type Effort, findCachedCoding, parseAcceptEncoding, toCodedEtag } from './coding.ts'
import type { HttpResponse } from './http-response.ts'
import { compress, type RenderedBody } from './rendered.ts'
import { discardBody } from './slabs.ts'

/** Status, body and headers chosen for a client: the body in an accepted coding, or 304 without a body. */
export type Representation = Pick<HttpResponse, 'status' | 'body'> & {
  /** ETag, and Content-Encoding if the body is coded. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Chooses the representation by `Accept-Encoding` and `If-None-Match`. Returns a promise only if it has to
 * compress a large body. A composed body (slabs.ts) must not be used any more, unless it is the one that is chosen.
 */
export function represent(
  rendered: RenderedBody,
  request: IncomingHttpHeaders,
  effort: Effort = 'fast',
): Representation | Promise<Representation> {
  const accepted = parseAcceptEncoding(request['accept-encoding'] as string | undefined)
  const coding = chooseCoding(accepted, rendered.body.length)
  const cached = findCachedCoding(request['if-none-match'], rendered.etag, accepted, coding)
  if (cached !== undefined) {
    discardBody(rendered.body)
    return { status: 304, headers: { ETag: toCodedEtag(rendered.etag, cached) }, body: undefined }
  }
  const body = rendered.as(coding, effort)
  return body instanceof Promise
    ? body.then(bytes => toFullRepresentation(rendered, coding, bytes))
    : toFullRepresentation(rendered, coding, body)
}

function toFullRepresentation({ etag, body: plain }: RenderedBody, coding: Coding, body: Buffer): Representation {
  if (body !== plain) discardBody(plain)
  const ETag = toCodedEtag(etag, coding)
  return { status: 200, headers: coding === 'identity' ? { ETag } : { ETag, 'Content-Encoding': coding }, body }
}

/** Compresses the body of a problem if the client accepts it. Problems have no validator. */
export function encodeProblem(response: HttpResponse, request: IncomingHttpHeaders): HttpResponse {
  const header = request['accept-encoding']
  if (header === undefined || !Buffer.isBuffer(response.body)) return response
  const coding = chooseCoding(parseAcceptEncoding(String(header)), response.body.length)
  if (coding === 'identity') return response
  return {
    ...response,
    headers: { ...response.headers, 'Content-Encoding': coding },
    body: compress(response.body, coding),
  }
}
