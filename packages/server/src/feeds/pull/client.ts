import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { PullFailed, Refused, Transient } from './outcome.ts'
import { Patience, type Wait } from './patience.ts'

export interface ClientOptions {
  /** Where the service is; may have a path. */
  readonly url: URL
  readonly key: string
  readonly say: (sentence: string) => void
  readonly wait: Wait
}

const idleMs = 30_000
const mostRedirects = 5
const mostBytes = 64 * 1024 * 1024
const redirects = new Set([301, 302, 303, 307, 308])
/** What may be otherwise in a moment, whether or not the answer says when. */
const passing = new Set([408, 429, 500, 502, 503, 504])

/** Calls a service that delivers feeds. The key is sent in its header alone, and to no other host. */
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

  get url(): string {
    return this.#base.href
  }

  /** How long to go on with one thing that fails. */
  patience(signal?: AbortSignal): Patience {
    return new Patience(this.#options.wait, this.#options.say, signal)
  }

  /** A small answer, whole. Throws Refused, and PullFailed when patience is over. */
  async read(path: string): Promise<Buffer> {
    const patience = this.patience()
    for (;;) {
      try {
        return await whole(await this.open(path))
      } catch (error) {
        if (!(error instanceof Transient)) throw error
        await patience.after(error)
      }
    }
  }

  /** The member `data` of a small answer. */
  async data<T>(path: string): Promise<readonly T[]> {
    const text = (await this.read(path)).toString()
    try {
      const { data } = JSON.parse(text) as { data?: unknown }
      if (Array.isArray(data)) return data
    } catch {}
    throw new PullFailed(`${this.#base.href}${path} did not answer with a list; is --url the address of Periplus?`)
  }

  /** One try of one call, redirects followed: the answer (200 or 206), its body still to come. */
  async open(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    let url = new URL(path, this.#base)
    for (let i = 0; i <= mostRedirects; i++) {
      const reply = await this.#send(url, headers, signal)
      const status = reply.statusCode!
      if (status === 200 || status === 206) return reply
      const { location } = reply.headers
      if (!redirects.has(status) || location === undefined) throw await refusal(reply, url)
      reply.resume()
      url = new URL(location, url)
    }
    throw new PullFailed(`${url.href} redirects again and again.`)
  }

  #send(url: URL, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new PullFailed(`The service redirects to ${url.href}, which is not http.`)
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const key = url.origin === this.#base.origin ? { 'X-API-Key': this.#options.key } : {}
    return new Promise((resolve, reject) => {
      const options = { headers: { 'Accept-Encoding': 'identity', ...headers, ...key }, ...(signal && { signal }) }
      const call = send(url, options, resolve)
      call.setTimeout(idleMs, () => call.destroy(new Error(`nothing was heard for ${idleMs / 1000} s`)))
      call.on('error', error => reject(new Transient(`${url.origin} cannot be reached: ${causeOf(error)}.`)))
      call.end()
    })
  }
}

/** In words, where it is one of the usual ones. */
function causeOf(error: NodeJS.ErrnoException): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there',
    ECONNRESET: 'the connection was cut',
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'its name could not be looked up',
  }
  return known[error.code ?? ''] ?? (error.message || error.code || 'no reason given')
}

async function whole(reply: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of reply as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes > mostBytes) throw new PullFailed('An answer of the service is far longer than it may be.')
    }
  } catch (error) {
    if (error instanceof PullFailed) throw error
    throw new Transient(`The connection was cut (${(error as Error).message}).`, { cut: true })
  }
  return Buffer.concat(parts)
}

/** What an answer other than 2xx means: to be tried again, or not. */
async function refusal(reply: IncomingMessage, url: URL): Promise<Error> {
  const status = reply.statusCode!
  const said = messageIn((await whole(reply).catch(() => Buffer.alloc(0))).toString())
  const sentence = `${url.href} answered ${status}: ${said ?? reply.statusMessage ?? 'no reason given'}`
  if (!passing.has(status)) return new Refused(status, sentence)
  const retryAfterMs = retryAfter(reply.headers['retry-after'])
  return new Transient(sentence, retryAfterMs === undefined ? {} : { retryAfterMs })
}

/** The sentence of application/problem+json. */
function messageIn(body: string): string | undefined {
  try {
    const { message, detail, title } = JSON.parse(body) as Record<string, unknown>
    return [message, detail, title].find(text => typeof text === 'string')
  } catch {
    return undefined
  }
}

/** In milliseconds. A date (RFC 9110 §10.2.3) is not looked at: the service's clock may be another. */
function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined
}
