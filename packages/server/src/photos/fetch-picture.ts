import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { PictureFailure } from '../domain/picture.ts'
import { type GuardedAgents, isRefusedAddress } from '../kit/guarded-agents.ts'
import { request as requestHttp } from '../kit/http.ts'

/** Bounds of fetching a picture. */
export interface FetchBounds {
  /** Maximum time with all redirects, in milliseconds. */
  readonly timeoutMs: number
  readonly maxBytes: number
}

const maxRedirects = 3

/** Fetches a picture; returns the reason if this is not possible. Never throws. */
export async function fetchPicture(
  url: string,
  agents: GuardedAgents,
  { timeoutMs, maxBytes }: FetchBounds,
): Promise<Buffer | PictureFailure> {
  const signal = AbortSignal.timeout(timeoutMs)
  let target = URL.parse(url)
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (!target || !isFetched(target)) return 'address_refused'
      const response = await open(target, agents, signal)
      const { statusCode = 0, headers } = response
      if (statusCode === 200) return await readPicture(response, maxBytes)
      response.destroy()
      if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return 'refused'
      target = URL.parse(headers.location, target.href)
    }
    return 'refused'
  } catch (error) {
    return isRefusedAddress(error as Error) ? 'address_refused' : 'unreachable'
  }
}

/** A redirect must not lead to other protocols, nor to credentials of another server. */
const isFetched = ({ protocol, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && username === '' && password === ''

const open = (target: URL, agents: GuardedAgents, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const isHttps = target.protocol === 'https:'
    const request = (isHttps ? requestHttps : requestHttp)(target, {
      agent: isHttps ? agents.https : agents.http,
      signal,
      headers: {
        'user-agent': 'Periplus',
        accept: 'image/jpeg, image/png, image/webp, image/gif',
        'accept-encoding': 'identity',
      },
    })
    request.on('error', reject)
    request.on('response', resolve)
    request.end()
  })

/** Reads the body of a response, and ends the connection early if it is too large or no picture. */
async function readPicture(response: IncomingMessage, maxBytes: number): Promise<Buffer | PictureFailure> {
  const parts: Buffer[] = []
  let [bytes, isChecked] = [0, false]
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes > maxBytes) return 'too_large'
    // Once: joining the parts again for each of thousands would keep the serving thread busy for seconds.
    if (isChecked || bytes < signatureBytes) continue
    if (!isPicture(Buffer.concat(parts))) return 'not_a_picture'
    isChecked = true
  }
  const body = Buffer.concat(parts)
  return isPicture(body) ? body : 'not_a_picture'
}

const signatureBytes = 12

/** Returns true for the first bytes of JPEG, PNG, GIF and WebP, whatever the server says that it sends. */
function isPicture(bytes: Buffer): boolean {
  const hex = bytes.subarray(0, signatureBytes).toString('hex')
  return /^(ffd8ff|89504e470d0a1a0a|474946383[79]61|52494646.{8}57454250)/.test(hex)
}
