import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseBoundedJson } from '../../kit/bounded-json.ts'
import { request as requestHttp } from '../../kit/http.ts'
import { PullFailed, Refused, TransientFailure } from './outcome.ts'
import { RetryPolicy, type Wait } from './retry-policy.ts'

export interface ClientOptions {
  /** Base address of the service, with or without a path. */
  readonly url: URL
  readonly key: string
  readonly say: (message: string) => void
  readonly wait: Wait
}

const idleTimeoutMs = 30_000
const maxRedirects = 5
/** Maximum size of a response that is read into memory. */
const maxBodyBytes = 64 * 1024 * 1024
const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** Response statuses that are retried, with or without Retry-After. */
const transientStatuses = new Set([408, 429, 500, 502, 503, 504])

/** Client of a service that delivers feeds. The key is sent only in its header and only to this origin. */
export class FeedClient {
  readonly #base: URL
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
    this.#base = new URL(options.url)
    this.#base.search = ''
    this.#base.hash = ''
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/'
  }

  /** Base address of the service for messages, with a trailing slash. */
  get url(): string {
    return addressOf(this.#base)
  }

  /** Creates the retry policy of one operation. */
  retryPolicy(signal?: AbortSignal): RetryPolicy {
    return new RetryPolicy(this.#options.wait, this.#options.say, signal)
  }

  /** Reads a small response into memory, with retries. Throws Refused and PullFailed. */
  async read(path: string): Promise<Buffer> {
    const policy = this.retryPolicy()
    for (;;) {
      try {
        return await readBody(await this.open(path))
      } catch (error) {
        if (!(error instanceof TransientFailure)) throw error
        await policy.waitAfter(error)
      }
    }
  }

  /** Reads the member `data` of a small response, with retries. */
  async data<T>(path: string): Promise<readonly T[]> {
    const text = (await this.read(path)).toString()
    try {
      const { data } = parseBoundedJson(text) as { data?: unknown }
      if (Array.isArray(data)) return data
    } catch {}
    throw new PullFailed(`${this.url}${path} did not return a list. Check that --url is the address of Periplus.`)
  }

  /**
   * Sends one request, follows redirects, and returns a response of status 200 or 206 with its body unread. Throws
   * Refused, PullFailed and TransientFailure.
   */
  async open(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    let url = new URL(path, this.#base)
    for (let i = 0; i <= maxRedirects; i++) {
      const response = await this.#send(url, headers, signal)
      const status = response.statusCode!
      if (status === 200 || status === 206) return response
      const { location } = response.headers
      if (!redirectStatuses.has(status) || location === undefined) throw await readFailure(response, url)
      response.resume()
      url = new URL(location, url)
    }
    throw new PullFailed(`${addressOf(url)} redirects more than ${maxRedirects} times.`)
  }

  #send(url: URL, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new PullFailed(`The service redirects to ${addressOf(url)}, which is not an http address.`)
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const key = url.origin === this.#base.origin ? { 'X-API-Key': this.#options.key } : {}
    return new Promise((resolve, reject) => {
      const options = { headers: { 'Accept-Encoding': 'identity', ...headers, ...key }, ...(signal && { signal }) }
      const call = send(url, options, resolve)
      call.setTimeout(idleTimeoutMs, () => call.destroy(new Error(`no data for ${idleTimeoutMs / 1000} s`)))
      call.on('error', error =>
        reject(new TransientFailure(`${url.origin} cannot be reached: ${describeCause(error)}.`)),
      )
      call.end()
    })
  }
}

/** Returns an address without the user name and password that it may contain. */
function addressOf(url: URL): string {
  const displayed = new URL(url)
  displayed.username = ''
  displayed.password = ''
  return displayed.href
}

/** Describes a network error in plain words. */
function describeCause(error: NodeJS.ErrnoException): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was closed',
    ENOTFOUND: 'the host does not exist',
    EAI_AGAIN: 'the name of the host could not be resolved',
  }
  return known[error.code ?? ''] ?? (error.message || error.code || 'unknown error')
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes > maxBodyBytes)
        throw new PullFailed(`A response of the service is longer than ${maxBodyBytes / (1024 * 1024)} MB.`)
    }
  } catch (error) {
    if (error instanceof PullFailed) throw error
    throw new TransientFailure(`The connection was closed (${(error as Error).message}).`, { cut: true })
  }
  return Buffer.concat(parts)
}

/** Reads a response other than 2xx and returns the error to throw. */
async function readFailure(response: IncomingMessage, url: URL): Promise<Error> {
  const status = response.statusCode!
  const body = (await readBody(response).catch(() => Buffer.alloc(0))).toString()
  const reason = parseMessage(body) ?? response.statusMessage ?? 'no reason given'
  const message = `${addressOf(url)} returned ${status}: ${reason}`
  if (!transientStatuses.has(status)) return new Refused(status, message)
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'])
  return new TransientFailure(message, retryAfterMs === undefined ? {} : { retryAfterMs })
}

/** Returns the message of a response in application/problem+json. */
function parseMessage(body: string): string | undefined {
  try {
    const { message, detail, title } = parseBoundedJson(body) as Record<string, unknown>
    return [message, detail, title].find(text => typeof text === 'string')
  } catch {
    return undefined
  }
}

/**
 * Parses Retry-After in seconds to milliseconds. Dates (RFC 9110 §10.2.3) are ignored because the clocks may differ.
 */
function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined
}
