import type { IncomingHttpHeaders } from 'node:http'
import { type Coding, chooseCoding, type Effort, findCachedCoding, parseAcceptEncoding, toCodedEtag } from './coding.ts'
import type { HttpResponse } from './http-response.ts'
import { compress, type RenderedBody } from './rendered.ts'

/** A body as it is sent: coded, with its validator; without body (304) to a client that has cached it. */
export type Representation = Pick<HttpResponse, 'status' | 'body'> & {
  /** ETag, and Content-Encoding if the body is coded. */
  readonly headers: Readonly<Record<string, string>>
}

/** Chooses the representation by `Accept-Encoding` and `If-None-Match`. A promise only while a large body is coded. */
export function represent(
  rendered: RenderedBody,
  request: IncomingHttpHeaders,
  effort: Effort = 'swift',
): Representation | Promise<Representation> {
  const accepted = parseAcceptEncoding(request['accept-encoding'] as string | undefined)
  const coding = chooseCoding(accepted, rendered.body.length)
  const held = findCachedCoding(request['if-none-match'], rendered.etag, accepted, coding)
  if (held !== undefined) return { status: 304, headers: { ETag: toCodedEtag(rendered.etag, held) }, body: undefined }
  const body = rendered.as(coding, effort)
  return body instanceof Promise ? body.then(bytes => whole(rendered, coding, bytes)) : whole(rendered, coding, body)
}

function whole({ etag }: RenderedBody, coding: Coding, body: Buffer): Representation {
  const ETag = toCodedEtag(etag, coding)
  return { status: 200, headers: coding === 'identity' ? { ETag } : { ETag, 'Content-Encoding': coding }, body }
}

/** Codes the body of a refusal as the client accepts; a refusal has no validator. */
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
