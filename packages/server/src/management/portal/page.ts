import type { FastifyReply } from 'fastify'
import { type Html, type HtmlValue, html } from '../../web/html.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page. The Origin of a form survives the referrer policy `same-origin`, but not `no-referrer`. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** A page of the portal. */
export interface Page {
  readonly status?: number
  readonly title: string
  /** Message above the content: an error or a result. */
  readonly message?: string | undefined
  readonly content: HtmlValue
}

/** Sends a page. */
export const sendPage = (reply: FastifyReply, page: Page): FastifyReply =>
  reply
    .code(page.status ?? 200)
    .headers({ 'X-Request-Id': reply.request.id, ...headers })
    .send(Buffer.from(render(page).text))

/** Redirects after a form, so that reloading does not send it again. */
export const redirectTo = (reply: FastifyReply, url: string): FastifyReply =>
  reply.code(303).headers({ 'X-Request-Id': reply.request.id, 'Cache-Control': 'no-store', Location: url }).send()

const render = ({ title, message, content }: Page): Html => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – Periplus</title></head>
<body>
<main>
<h1>${title}</h1>
${message === undefined ? undefined : html`<p role="alert">${message}</p>\n`}${content}
</main>
</body>
</html>
`

/** An input of a form. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'hidden'
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly required?: boolean
}

/** Renders a form that is sent by POST. */
export const form = (
  action: string,
  fields: readonly Field[],
  button: string,
): Html => html`<form method="post" action="${action}">
${fields.map(renderField)}<p><button>${button}</button></p>
</form>
`

const renderField = ({ name, label, type = 'text', value, autocomplete = 'off', required = true }: Field): Html =>
  type === 'hidden'
    ? html`<input type="hidden" name="${name}" value="${value}">\n`
    : html`<p><label for="${name}">${label}</label> <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${required ? html` required` : undefined}></p>\n`
