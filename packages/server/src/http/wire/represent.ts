import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'
import { acceptedCodings, type Coding, cachedCoding, codingFor, type Effort, etagFor } from './coding.ts'
import { compress, type RenderedBody } from './rendered.ts'

/** A body as it is sent: coded, with its validator; without body (304) to a client that has cached it. */
export type Representation = Pick<Answer, 'status' | 'body'> & {
  /** ETag, and Content-Encoding if the body is coded. */
  readonly headers: Readonly<Record<string, string>>
}

/** Chooses the representation by `Accept-Encoding` and `If-None-Match`. A promise only while a large body is coded. */
export function represent(
  rendered: RenderedBody,
  request: IncomingHttpHeaders,
  effort: Effort = 'swift',
): Representation | Promise<Representation> {
  const accepted = acceptedCodings(request['accept-encoding'] as string | undefined)
  const coding = codingFor(accepted, rendered.body.length)
  const held = cachedCoding(request['if-none-match'], rendered.etag, accepted, coding)
  if (held !== undefined) return { status: 304, headers: { ETag: etagFor(rendered.etag, held) }, body: undefined }
  const body = rendered.as(coding, effort)
  return body instanceof Promise ? body.then(bytes => whole(rendered, coding, bytes)) : whole(rendered, coding, body)
}

function whole({ etag }: RenderedBody, coding: Coding, body: Buffer): Representation {
  const ETag = etagFor(etag, coding)
  return { status: 200, headers: coding === 'identity' ? { ETag } : { ETag, 'Content-Encoding': coding }, body }
}

/** Codes the body of a refusal as the client accepts; a refusal has no validator. */
export function encodeRefusal(answer: Answer, request: IncomingHttpHeaders): Answer {
  const header = request['accept-encoding']
  if (header === undefined || !Buffer.isBuffer(answer.body)) return answer
  const coding = codingFor(acceptedCodings(String(header)), answer.body.length)
  if (coding === 'identity') return answer
  return {
    ...answer,
    headers: { ...answer.headers, 'Content-Encoding': coding },
    body: compress(answer.body, coding),
  }
}
