import type { FastifyReply } from 'fastify'
import { html } from '../../web/html.ts'
import type { LayoutPage } from '../../web/layout.ts'
import { notice } from '../../web/parts/notice.ts'
import { pathBelowBase, type Site } from '../../web/site.ts'
import { sendLayout } from '../pages/send-page.ts'

/** A page about the user: sign-in, links, profile. */
export interface PortalPage extends Omit<LayoutPage, 'path'> {
  readonly status?: number
  /** Message above the content: an error. */
  readonly message?: string | undefined
}

/** Sends a page. */
export const sendPage = (reply: FastifyReply, site: Site, { message, content, ...page }: PortalPage): FastifyReply =>
  sendLayout(reply.request, reply, site, {
    width: 'narrow',
    ...page,
    path: pathBelowBase(site, reply.request.url),
    content: [message !== undefined && notice('bad', html`<p>${message}</p>`, 'alert'), content],
  })
