import type { FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/cookie'
import type { Session } from '../domain/session.ts'
import type { User } from '../domain/user.ts'
import type { Browser, Identity } from '../usecases/admin/identity.ts'
import { readSession } from '../usecases/admin/read-session.ts'

/** The facts about the address at which browsers reach the management server. */
export interface BrowserAccess {
  /** Public URL of the management server, with its base path. */
  readonly publicUrl: string
  /** Allows sign-in over plain http from other machines. */
  readonly insecureHttp: boolean
}

const isHttps = ({ publicUrl }: BrowserAccess): boolean => publicUrl.startsWith('https:')

/** Name of the session's cookie. Browsers accept the prefix `__Host-` over https only (RFC 6265bis §4.1.3). */
export const cookieName = (access: BrowserAccess): string => (isHttps(access) ? '__Host-periplus' : 'periplus')

const cookieOptions = (access: BrowserAccess) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(access) }) as const

/** Sets the cookie of a new session. */
export const setSessionCookie = (reply: FastifyReply, access: BrowserAccess, token: string): FastifyReply =>
  reply.setCookie(cookieName(access), token, cookieOptions(access))

/** Removes the cookie of the session. */
export const clearSessionCookie = (reply: FastifyReply, access: BrowserAccess): FastifyReply =>
  reply.clearCookie(cookieName(access), cookieOptions(access))

/** Returns the session of a request and its user. */
export const sessionOf = (
  request: FastifyRequest,
  identity: Identity,
  access: BrowserAccess,
): Promise<{ readonly session: Session; readonly user: User } | undefined> =>
  readSession(identity, request.cookies[cookieName(access)])

const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address)

/** Returns true if passwords and cookies of a request are not exposed: https, or the same machine. */
export const isProtected = (access: BrowserAccess, address: string): boolean =>
  isHttps(access) || access.insecureHttp || isLoopback(address)

/**
 * Returns true if a request that changes something comes from a page of this server. Browsers send Sec-Fetch-Site to
 * https and loopback, and Origin elsewhere; other clients send neither. Host is never compared: proxies rewrite it
 * (R-34).
 */
export function isSameSite({ headers }: Pick<FastifyRequest, 'headers'>, access: BrowserAccess): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || originsOf(access).includes(origin)
}

/** Returns the origins of the pages. A loopback address has several names. */
export function originsOf({ publicUrl }: BrowserAccess): string[] {
  const { origin, protocol, port, hostname } = new URL(publicUrl)
  const loopback = /^(localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(hostname)
  if (!loopback) return [origin]
  return ['localhost', '127.0.0.1', '[::1]'].map(name => `${protocol}//${name}${port && `:${port}`}`)
}

/** Returns the browser that sent a request. */
export const browserOf = (request: FastifyRequest, address: string): Browser => ({
  requestId: request.id,
  address,
  ...(request.headers['user-agent'] !== undefined && { agent: request.headers['user-agent'] }),
})
