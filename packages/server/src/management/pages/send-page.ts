import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../web/html.ts'
import { type LayoutPage, renderLayout } from '../../web/layout.ts'
import { pageHeaders } from '../../web/page-headers.ts'
import { notice } from '../../web/parts/notice.ts'
import { imageOriginsOf, type Site } from '../../web/site.ts'

/** Pages below this size are sent as they are, in bytes. */
const minCompressedBytes = 1024
/** Cookie with the message that the next page shows once. */
const messageCookie = 'periplus-message'
const messageSeconds = 60
/** Longest message, so that its cookie stays below the 4 KB that browsers and proxies accept. */
const maxMessageChars = 300

/** Sends a page to the user that it was made for; it shows the message of the form before, if there is one. */
export function sendLayout(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  { status = 200, ...page }: LayoutPage & { readonly status?: number },
): FastifyReply {
  const message = request.cookies[messageCookie]
  if (message !== undefined) reply.clearCookie(messageCookie, { path: '/' })
  const said = message !== undefined && notice('good', html`<p>${message}</p>`, 'status')
  const banner = site.banner !== undefined && html`<p class="banner">${site.banner}</p>`
  const top = html`${banner}${said}`
  const headers = pageHeaders({ isPrivate: true, imageOrigins: imageOriginsOf(site), apiOrigin: site.apiOrigin })
  return sendBody(request, reply.code(status).headers(headers), renderLayout({ ...page, top }, site).text)
}

/** Sends a text, compressed if that is worthwhile and the client accepts it. */
export function sendBody(request: FastifyRequest, reply: FastifyReply, text: string | Buffer): FastifyReply {
  const body = Buffer.from(text as string)
  const isCoded = body.length >= minCompressedBytes && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  reply.headers({ 'X-Request-Id': request.id, Vary: 'Accept-Encoding' })
  return isCoded ? reply.header('Content-Encoding', 'gzip').send(gzipSync(body, { level: 5 })) : reply.send(body)
}

/** Sends the reader to another page after a form, so that reloading does not repeat it. */
export function sendRedirect(reply: FastifyReply, url: string, message?: string): FastifyReply {
  // Text that is cut within a character cannot be encoded.
  if (message !== undefined)
    reply.setCookie(messageCookie, message.slice(0, maxMessageChars).toWellFormed(), {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      maxAge: messageSeconds,
    })
  return reply
    .code(303)
    .headers({ 'X-Request-Id': reply.request.id, 'Cache-Control': 'no-store', Location: toAscii(url) })
    .send()
}

/** Encodes what a header must not have: a path that was decoded may hold any character. */
const toAscii = (url: string): string => url.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent)
