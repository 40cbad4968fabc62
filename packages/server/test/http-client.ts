import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { parseLongJson } from '../src/kit/long-json.ts'

/** A response as received. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as received, still encoded if the response has a content coding. */
  readonly bytes: Buffer
  /** Parses the body; integers beyond 2^53 become bigint. */
  json(): unknown
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends a request without normalizing its target. */
export function send(origin: string, target: string, sent: Sent = {}, fresh = false): Promise<Reply> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = sent
    const out = request({ hostname, port, path: target, method, headers, agent: fresh ? false : agent }, response => {
      const parts: Buffer[] = []
      response.on('data', part => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(parts)
        const text = bytes.toString()
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          bytes,
          json: () => parseLongJson(text),
        })
      })
    })
    // A restarted server has closed the kept-alive connections: retry once on a new one.
    out.on('error', error => (out.reusedSocket && !fresh ? resolve(send(origin, target, sent, true)) : reject(error)))
    out.end(body)
  })
}

/**
 * Writes bytes to a new socket and returns everything received until the server closes it; with `last`, the client then
 * sends no more, so that the server need not wait for the rest of a request.
 */
export function exchange(
  origin: string,
  bytes: string | Buffer | readonly (string | Buffer)[],
  last = false,
): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    let received = ''
    const end = () => resolve(received)
    socket.on('data', part => {
      received += part.toString('latin1')
    })
    // A reset is not an error of the test: the assertions judge what was received before it.
    socket.on('error', () => {})
    socket.on('close', end)
    for (const part of [bytes].flat() as (string | Buffer)[]) socket.write(part)
    if (last) socket.end()
  })
}

/**
 * Writes all bytes to a new socket before it reads, as blocking clients do. Returns everything received until the end;
 * rejects after a reset.
 */
export function sendThenRead(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.write(bytes, () =>
    socket.on('data', part => {
      received += part.toString('latin1')
    }),
  )
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('end', () => resolve(received))
  })
}

/** Parses the first final response of a raw exchange. */
export function parsed(raw: string): { status: number; headers: Readonly<Record<string, string>>; body: string } {
  const final = raw.replace(/^HTTP\/1\.1 100 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/, '')
  const at = final.indexOf('\r\n\r\n')
  const [first = '', ...lines] = final.slice(0, at).split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: ?/, '')]),
  )
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  const body = Buffer.from(final.slice(at + 4), 'latin1').toString()
  return { status, headers, body: body.slice(0, Number(headers['content-length'] ?? body.length)) }
}
