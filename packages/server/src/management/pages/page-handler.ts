import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Partner } from '../../domain/partner.ts'
import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import { everything } from '../../domain/visibility.ts'
import { needsSecondFactor } from '../../identity/second-factor-policy.ts'
import { isProved } from '../../identity/sessions.ts'
import { userActor } from '../../usecases/admin/identity.ts'
import type { PartnerViews } from '../../usecases/admin/record-view.ts'
import { type Html, html } from '../../web/html.ts'
import { buttonLink, buttonRow } from '../../web/parts/link.ts'
import { notice } from '../../web/parts/notice.ts'
import { linkTo, pathBelowBase, type Site } from '../../web/site.ts'
import { consoleNav } from '../console/nav.ts'
import type { ManagementContext } from '../context.ts'
import { toFaultProblem } from '../fault-problems.ts'
import { partnerNav } from '../partner/nav.ts'
import { browserOf, sessionOf } from '../session.ts'
import { faultText } from './form-faults.ts'
import { readForm } from './form-values.ts'
import { type OncePages, withOnce } from './once-pages.ts'
import { createMay, pageAccess } from './page-access.ts'
import { PageRates, type PageWait } from './page-rates.ts'
import type { PageAnswer, PageRequest, PageRoute, PartnerRequest } from './page-route.ts'
import type { PageView } from './page-view.ts'
import { sendBody, sendLayout, sendRedirect } from './send-page.ts'
import { readUpload } from './upload.ts'

/** The parts that the pages of portal and console need. */
export interface PageParts {
  readonly context: ManagementContext
  readonly site: Site
  readonly views: PartnerViews
  readonly once: OncePages
  /** Returns the network address of the client. */
  addressOf(request: FastifyRequest): string
}

/** Adds the rows of the table of pages. */
export function addPages(scope: FastifyInstance, routes: readonly PageRoute[], parts: PageParts): void {
  const rates = new PageRates()
  for (const row of routes)
    scope.route({
      method: row.method,
      url: linkTo(parts.site, row.path),
      handler: (request, reply) => handlePage(request, reply, row, { ...parts, rates }),
    })
}

async function handlePage(
  request: FastifyRequest,
  reply: FastifyReply,
  row: PageRoute,
  parts: PageParts & { readonly rates: PageRates },
): Promise<FastifyReply> {
  const { context, site, rates } = parts
  const { identity, secondFactor } = context
  const found = await sessionOf(request, identity, context)
  const path = pathBelowBase(site, request.url)
  const target = row.method === 'GET' ? request.url.slice(site.basePath.length) : refererPath(request, site)
  if (!found) return sendRedirect(reply, linkTo(site, `/portal/sign-in?to=${encodeURIComponent(target)}`))
  const { id: sessionId } = found.session
  const wait = rates.spend(sessionId, false, context.clock.monotonicUs())
  if (wait) return sendWait(request, reply, site, { path, wait })
  const short = row.method === 'GET' ? withoutEmptyParameters(request.url) : request.url
  if (short !== request.url) return sendRedirect(reply, short)
  if (needsSecondFactor(found.user, secondFactor)) return sendRedirect(reply, linkTo(site, '/portal/profile'))
  const params = request.params as Readonly<Record<string, string>>
  const partner = params.partner === undefined ? undefined : await identity.keys.partner(params.partner, everything)
  const access = params.partner !== undefined && !partner ? 'hidden' : pageAccess(found.user, row, params.partner)
  if (access === 'hidden') return sendMissing(request, reply, site, path)
  if (access === 'refused') return sendRefused(request, reply, site, path)
  const pageRequest = toPageRequest(request, { ...found, path, partner: partner as Partner, parts })
  const costs = isCostly(row, pageRequest) ? rates.spend(sessionId, true, context.clock.monotonicUs()) : undefined
  if (costs) return sendWait(request, reply, site, { path, wait: costs })
  if (row.proof && !isProved(found.session, pageRequest.nowMs))
    return sendRedirect(reply, linkTo(site, `/portal/prove?to=${encodeURIComponent(target)}`))
  if (partner && found.user.staffRole !== undefined)
    await parts.views.record(pageRequest.actor, found.session.id, partner.id)
  const { once: token } = pageRequest.query
  const isOnce = row.method === 'GET' && token !== undefined
  const once = isOnce ? await parts.once.take(sessionId, token, pageRequest.nowMs) : undefined
  const answer = once ?? (await row.handler(context, pageRequest))
  return sendAnswer(request, reply, await keepOnce(answer, pageRequest, parts.once), pageRequest)
}

/** Returns a URL without the parameters that have no value, as forms send them for empty fields. */
function withoutEmptyParameters(url: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const kept = query.split('&').filter(parameter => /=./.test(parameter))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** Keeps the page that a redirect leads to once, and returns the redirect to it. */
async function keepOnce(answer: PageAnswer, { session, nowMs }: PageRequest, pages: OncePages): Promise<PageAnswer> {
  if (!('redirect' in answer) || answer.once === undefined) return answer
  return { redirect: withOnce(answer.redirect, await pages.keep(session.id, answer.once, nowMs)) }
}

const isCostly = ({ isCostly: costs }: PageRoute, { query, nowMs }: PageRequest): boolean =>
  query.format !== undefined || costs?.(query, nowMs) === true

/** Returns the path of the page whose form was sent. */
function refererPath({ headers }: FastifyRequest, { basePath }: Site): string {
  const referer =
    headers.referer !== undefined && URL.canParse(headers.referer) ? new URL(headers.referer).pathname : ''
  return referer.startsWith(`${basePath}/`) ? referer.slice(basePath.length) : '/portal'
}

interface Found {
  readonly user: User
  readonly session: Session
  readonly path: string
  readonly partner: Partner
  readonly parts: PageParts
}

function toPageRequest(request: FastifyRequest, { user, session, path, partner, parts }: Found): PartnerRequest {
  const { context, site, addressOf } = parts
  const actor = userActor(user, browserOf(request, addressOf(request)))
  const partnerId = partner?.id
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  return {
    params: request.params as Readonly<Record<string, string>>,
    query: Object.fromEntries([...query].filter(([, value]) => value !== '')),
    form: readForm(request.body),
    user,
    session,
    partner,
    path,
    site,
    actor: partnerId === undefined ? actor : { ...actor, partnerId },
    visibility: partnerId === undefined ? everything : { partnerId },
    may: createMay(user, partnerId),
    zone: user.zone ?? partner?.zone ?? site.zone,
    nowMs: context.clock.nowMs(),
    raw: request.raw,
    upload: () => readUpload(request),
  }
}

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PageAnswer,
  pageRequest: PartnerRequest,
): FastifyReply {
  const { site } = pageRequest
  if (isAdminFault(answer)) return sendFault(request, reply, answer, pageRequest)
  if ('redirect' in answer) return sendRedirect(reply, linkTo(site, answer.redirect), answer.message)
  if ('fileName' in answer) {
    reply.headers({
      'Content-Type': answer.type,
      'Content-Disposition': `attachment; filename="${answer.fileName.replaceAll(/[^\w.-]/g, '-')}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(answer.isCut && { 'X-Truncated': 'true' }),
    })
    return sendBody(request, reply, answer.body)
  }
  return sendView(request, reply, answer, pageRequest)
}

function sendView(
  request: FastifyRequest,
  reply: FastifyReply,
  view: PageView,
  pageRequest: PartnerRequest,
): FastifyReply {
  const { path, site, partner } = pageRequest
  const nav = partner ? partnerNav(pageRequest) : consoleNav(pageRequest)
  return sendLayout(request, reply, site, { ...view, path, nav, content: withZone(view, pageRequest) })
}

/** Returns the content of a page, with the name of the zone if it shows times. */
function withZone({ content, lead }: PageView, { zone, site }: PageRequest): Html {
  const shown = html`${content}`
  if (!`${shown.text}${html`${lead}`.text}`.includes('<time')) return shown
  return html`${shown}<p class="zone quiet small">Times are in ${zone}.
<a href="${linkTo(site, '/portal/profile')}">Choose your time zone</a></p>`
}

/** Sends the page for a fault that the handler did not show in a form. */
function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  fault: AdminFault,
  pageRequest: PartnerRequest,
): FastifyReply {
  const { status } = toFaultProblem(fault)
  if (status === 404) return sendView(request, reply, missingView, pageRequest)
  const title = status === 409 ? 'This cannot be done now' : 'The form could not be accepted'
  const { site } = pageRequest
  const back = request.method === 'POST' && buttonRow(buttonLink(linkTo(site, refererPath(request, site)), 'Back'))
  const content = [notice('bad', html`<p>${faultText(fault)}</p>`, 'alert'), back]
  return sendView(request, reply, { status, title, content }, pageRequest)
}

/** Sends the page for a session that sent too many requests. */
const sendWait = (
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  { path, wait: { seconds, limitText } }: { readonly path: string; readonly wait: PageWait },
): FastifyReply =>
  sendLayout(request, reply.header('Retry-After', seconds), site, {
    status: 429,
    title: 'Too many requests',
    path,
    content: html`<p>Your session may send ${limitText} of this kind. Nothing was changed. Wait ${seconds} s, then
reload the page or send the form again. Programs use the admin API.</p>`,
  })

const missingView: PageView = {
  status: 404,
  title: 'Page not found',
  content: html`<p>There is nothing at this address. It may have been removed, or you may not have access to it.</p>`,
}

/** Sends the same answer for what does not exist and for what the user must not know of. */
export const sendMissing = (request: FastifyRequest, reply: FastifyReply, site: Site, path: string): FastifyReply =>
  sendLayout(request, reply, site, { ...missingView, path })

const sendRefused = (request: FastifyRequest, reply: FastifyReply, site: Site, path: string): FastifyReply =>
  sendLayout(request, reply, site, {
    status: 403,
    title: 'Not permitted',
    path,
    content: html`<p>Your role does not include this. Ask an administrator to do it, or to change your role.</p>`,
  })
