import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AddressGuard } from '../../access/address-guard.ts'
import { StoreError } from '../../domain/store-errors.ts'
import { parseBoundedJson } from '../../kit/bounded-json.ts'
import { html } from '../../web/html.ts'
import { linkTo, pathBelowBase, type Site } from '../../web/site.ts'
import { addPages, type PageParts, sendMissing } from '../pages/page-handler.ts'
import type { PageRoute } from '../pages/page-route.ts'
import { sendBody } from '../pages/send-page.ts'
import { isProtected, isSameSite } from '../session.ts'
import { addForgottenPages } from './forgotten.ts'
import { addLinkPages } from './link.ts'
import { addOidcPages } from './oidc.ts'
import { sendPage } from './page.ts'
import type { PortalParts } from './parts.ts'
import { addPasskeySteps } from './passkeys.ts'
import { addProfilePages } from './profile.ts'
import { addProvePages } from './prove.ts'
import { addSignInPages } from './sign-in.ts'
import { addStart } from './start.ts'
import { addSuggest } from './suggest.ts'

const maxFormBytes = 65_536
/**
 * Rate a second and burst of the sign-in steps and profile changes of one address: each costs the hash of a password or
 * a write to the disk.
 */
const signInSteps = { rate: 5, burst: 100, maxAddresses: 50_000 }
const signInPaths = /^\/portal\/(sign-in|forgotten|link|prove|profile\/[\w-]+)(\/|$)/

/** Adds the pages of the portal. They take cookies and forms, unlike the admin API. */
export function addPortal(
  app: FastifyInstance,
  parts: PortalParts,
  pages: PageParts,
  routes: readonly PageRoute[],
): void {
  const { log, site } = parts
  const guard = new AddressGuard(signInSteps)
  app.register(async scope => {
    await scope.register(cookie)
    await scope.register(formbody, { bodyLimit: maxFormBytes })
    await scope.register(multipart)
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: maxFormBytes }, parseJson)
    scope.addHook('onRequest', async (request, reply) => refuseUnsafe(request, reply, parts))
    scope.addHook('onRequest', async (request, reply) => refuseFlood(request, reply, parts, guard))
    scope.setErrorHandler((error, request, reply) => {
      const isOfStore = error instanceof StoreError
      const status = isOfStore ? 503 : ((error as { readonly statusCode?: number }).statusCode ?? 500)
      if (status >= 500) log.error({ err: error, id: request.id }, 'A page of the portal failed.')
      const text = isOfStore ? 'The stores cannot be used at the moment. Try again later.' : 'The request failed.'
      return sendPage(reply, site, { status, title: 'Error', content: html`<p>${text} Request ${request.id}.</p>` })
    })
    await scope.register(async portal => addIdentityPages(portal, parts), { prefix: linkTo(site, '/portal') })
    await scope.register(async console => addNotFound(console, site), { prefix: linkTo(site, '/console') })
    addAssets(scope, site)
    addPages(scope, routes, pages)
  })
}

/** Adds the pages of the user: start, sign-in, proof, links, profile. */
function addIdentityPages(scope: FastifyInstance, parts: PortalParts): void {
  addStart(scope, parts)
  addSuggest(scope, parts)
  addSignInPages(scope, parts)
  addProvePages(scope, parts)
  addForgottenPages(scope, parts)
  addLinkPages(scope, parts)
  addProfilePages(scope, parts)
  addPasskeySteps(scope, parts)
  if (parts.oidc) addOidcPages(scope, parts, parts.oidc)
  addNotFound(scope, parts.site)
}

/** Serves the stylesheets, scripts and images where the management server has a port of its own. */
function addAssets(scope: FastifyInstance, site: Site): void {
  scope.get<{ Params: { name: string } }>(linkTo(site, '/assets/:name'), (request, reply) => {
    const asset = site.assets.find(request.params.name)
    if (!asset) return reply.callNotFound()
    const isFixed = asset.name === request.params.name
    reply.headers({
      'Content-Type': asset.type,
      'Cache-Control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    })
    return sendBody(request, reply, asset.content)
  })
}

const addNotFound = (scope: FastifyInstance, site: Site): void => {
  scope.setNotFoundHandler((request, reply) => sendMissing(request, reply, site, pathBelowBase(site, request.url)))
}

/** Parses JSON; text that is not JSON is an empty body. */
function parseJson(_request: FastifyRequest, text: string | Buffer, done: (error: null, body: unknown) => void): void {
  try {
    done(null, parseBoundedJson(String(text)))
  } catch {
    done(null, {})
  }
}

/** Refuses requests over an exposed connection, and writes that other sites cause. */
function refuseUnsafe(
  request: FastifyRequest,
  reply: FastifyReply,
  { access, addressOf, site }: PortalParts,
): FastifyReply | undefined {
  if (!isProtected(access, addressOf(request)))
    return sendPage(reply, site, {
      status: 403,
      title: 'https is required',
      content: html`<p>Passwords would travel unencrypted. Set management.publicUrl to an https address behind a proxy,
or open http://localhost on the machine itself. management.insecureHttp allows it without https.</p>`,
    })
  if (request.method === 'GET' || request.method === 'HEAD' || isSameSite(request, access)) return undefined
  return sendPage(reply, site, {
    status: 403,
    title: 'Request refused',
    content: html`<p>The form was sent by another site. Open the page again and repeat it there.</p>`,
  })
}

/** Answers 429 to an address that takes too many steps of signing in. */
function refuseFlood(
  request: FastifyRequest,
  reply: FastifyReply,
  { addressOf, identity, site }: PortalParts,
  guard: AddressGuard,
): FastifyReply | undefined {
  const path = pathBelowBase(site, request.url)
  // The sign-in by OpenID Connect begins by GET.
  const isStep = signInPaths.test(path) && (request.method === 'POST' || path.startsWith('/portal/sign-in/openid'))
  const waitSeconds = isStep ? guard.spend(addressOf(request), identity.clock.monotonicUs()) : undefined
  if (waitSeconds === undefined) return undefined
  return sendPage(reply.header('Retry-After', String(waitSeconds)), site, {
    status: 429,
    title: 'Too many attempts',
    content: html`<p>Too many attempts to sign in came from your network. Try again in ${waitSeconds} s.</p>`,
  })
}
