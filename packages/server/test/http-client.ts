import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { parseLongJson } from '../src/kit/long-json.ts'

/** An answer as it came over the wire. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as it came, coded or not. */
  readonly bytes: Buffer
  /** The body; integers beyond 2^53 are bigint. */
  json(): unknown
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends a request whose target goes over the wire exactly as it is written. */
export function send(origin: string, target: string, sent: Sent = {}, fresh = false): Promise<Reply> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = sent
    const out = request({ hostname, port, path: target, method, headers, agent: fresh ? false : agent }, answer => {
      const parts: Buffer[] = []
      answer.on('data', part => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(parts)
        const text = bytes.toString()
        resolve({ status: answer.statusCode!, headers: answer.headers, text, bytes, json: () => parseLongJson(text) })
      })
    })
    // A connection that was kept may have ended with a server that was restarted: once more on a new one.
    out.on('error', error => (out.reusedSocket && !fresh ? resolve(send(origin, target, sent, true)) : reject(error)))
    out.end(body)
  })
}

/** Writes bytes to a socket of their own, and gives all that came back until the other side closed it. */
export function exchange(origin: string, bytes: string | Buffer | readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    let got = ''
    const end = () => resolve(got)
    socket.on('data', part => {
      got += part.toString('latin1')
    })
    // A reset after the answer is what the answer is judged by, not an error of the test.
    socket.on('error', () => {})
    socket.on('close', end)
    for (const part of [bytes].flat() as (string | Buffer)[]) socket.write(part)
  })
}

/** The first answer of a raw exchange, taken apart. */
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
