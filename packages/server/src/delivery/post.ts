import { request as requestHttps } from 'node:https'
import ipaddr from 'ipaddr.js'
import type { DeliveryAttempt, DeliveryError, UrlProblem } from '../domain/webhook.ts'
import { createGuardedAgents, type GuardedAgents, isRefusedAddress, type Lookup } from '../kit/guarded-agents.ts'
import { request as requestHttp } from '../kit/http.ts'

/**
 * The addresses to which webhooks are sent: `public` over https only; `any` also private ones and http; `loopback` only
 * this machine, for demos.
 */
export type AddressPolicy = 'public' | 'any' | 'loopback'

/** A request to a receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Maximum time of an attempt, in milliseconds. */
const timeoutMs = 15_000
/** Maximum part of an answer that is read, in bytes. */
const maxAnswerBytes = 64 * 1024
/** Part of an answer that is kept, in characters. */
const keptAnswerChars = 1000

/** Sends events to receivers. */
export interface WebhookSender {
  /** Sends a request and returns the result; never throws. */
  post(request: WebhookRequest): Promise<DeliveryAttempt>
}

/** Creates the sender. Redirects are not followed. */
export function createWebhookSender(policy: AddressPolicy, nowMs: () => number, lookup?: Lookup): WebhookSender {
  let agents: Promise<GuardedAgents> | undefined
  return {
    post: async request => {
      const [atMs, startMs] = [nowMs(), performance.now()]
      const signal = AbortSignal.timeout(timeoutMs)
      agents ??= createAgents(policy, lookup)
      const result = await sendRequest(request, policy, await agents, signal).catch(error => ({
        error: classifyError(error, signal.aborted),
      }))
      return { atMs, durationMs: Math.round(performance.now() - startMs), ...result }
    },
  }
}

/** The addresses of this machine to which demos send. */
const loopback = ['127.0.0.1', '::1']

const createAgents = (policy: AddressPolicy, lookup: Lookup): Promise<GuardedAgents> =>
  createGuardedAgents({
    allowPrivate: policy === 'any',
    allowed: policy === 'loopback' ? loopback : undefined,
    lookup,
  })

/** The error of an address that the policy excludes. */
class AddressRefused extends Error {}

function sendRequest(
  { url, headers, body }: WebhookRequest,
  policy: AddressPolicy,
  agents: GuardedAgents,
  signal: AbortSignal,
): Promise<Pick<DeliveryAttempt, 'status' | 'body'>> {
  const target = new URL(url)
  const isHttps = target.protocol === 'https:'
  // The settings may have changed since the endpoint was added.
  if (findUrlProblem(url, policy)) return Promise.reject(new AddressRefused())
  return new Promise((resolve, reject) => {
    const open = isHttps ? requestHttps : requestHttp
    const request = open(target, {
      method: 'POST',
      agent: isHttps ? agents.https : agents.http,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'Periplus',
        accept: '*/*',
        'content-length': String(Buffer.byteLength(body)),
      },
    })
    request.on('error', reject)
    request.on('response', response => {
      const parts: Buffer[] = []
      let bytes = 0
      const finish = () => {
        const text = Buffer.concat(parts).toString().slice(0, keptAnswerChars)
        resolve({ status: response.statusCode ?? 0, ...(text !== '' && { body: text }) })
        response.destroy()
      }
      response.on('data', (part: Buffer) => {
        parts.push(part.subarray(0, maxAnswerBytes - bytes))
        bytes += part.length
        if (bytes >= maxAnswerBytes) finish()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    request.end(body)
  })
}

const nameErrors = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'])

function classifyError(error: unknown, timedOut: boolean): DeliveryError {
  const { code = '' } = error as { code?: string }
  if (timedOut) return 'timeout'
  if (error instanceof AddressRefused || isRefusedAddress(error as Error)) return 'address_refused'
  if (nameErrors.has(code)) return 'name_unknown'
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)
    ? 'tls_failed'
    : 'connection_failed'
}

/**
 * Returns the reason why webhooks are not sent to a URL, as far as the text shows it; names are resolved with each
 * attempt.
 */
export function findUrlProblem(url: string, policy: AddressPolicy): UrlProblem | undefined {
  const target = URL.parse(url)
  if (!target || !/^https?:$/.test(target.protocol)) return 'not_a_url'
  if (target.username !== '' || target.password !== '') return 'has_credentials'
  if (policy === 'any') return undefined
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const isLocalName = /(^|\.)localhost$/.test(host)
  const range = ipaddr.isValid(host) ? ipaddr.process(host).range() : isLocalName ? 'loopback' : 'unicast'
  if (policy === 'loopback') return range === 'loopback' ? undefined : 'private_address'
  if (target.protocol !== 'https:') return 'not_https'
  return range === 'unicast' ? undefined : 'private_address'
}
