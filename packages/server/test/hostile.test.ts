import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostileRequest, hostileRequest, picker } from './hostile-requests.ts'
import { searchable } from './searchable.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ 'keys.inQuery': true })
  await searchable(world)
})
afterAll(() => world.close())

// raw-requests.test.ts sends as many, mutated.
const total = Number(process.env.HOSTILE ?? 4000)

interface RawResponse {
  readonly status: number
  readonly type: string | undefined
  readonly body: string
}

/** Sends requests in sequence over one connection, and reconnects when the server has closed it. */
async function sendInSequence(
  requests: readonly HostileRequest[],
  checkResponse: (request: HostileRequest, response: RawResponse | undefined) => void,
): Promise<void> {
  const { hostname, port } = new URL(world.url)
  let connection: ReturnType<typeof open> | undefined
  const open = () => {
    const socket = connect(Number(port), hostname)
    let buffer: Buffer = Buffer.alloc(0)
    let wake = () => {}
    const state = { ended: false }
    socket.on('data', (part: Buffer) => {
      buffer = buffer.length === 0 ? part : Buffer.concat([buffer, part])
      wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      state.ended = true
      wake()
    })
    const nextResponse = async (head: boolean): Promise<RawResponse | undefined> => {
      for (;;) {
        const response = parseResponse(head)
        if (response || state.ended) return response
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    }
    const parseResponse = (head: boolean): RawResponse | undefined => {
      for (;;) {
        const end = buffer.indexOf('\r\n\r\n')
        if (end === -1) return undefined
        const top = buffer.toString('latin1', 0, end)
        const status = Number(top.slice(9, 12))
        if (status === 100) {
          buffer = buffer.subarray(end + 4)
          continue
        }
        const length =
          head || status === 304 || status === 204 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(top)?.[1] ?? 0)
        if (buffer.length < end + 4 + length) return undefined
        const body = buffer.toString('utf8', end + 4, end + 4 + length)
        buffer = buffer.subarray(end + 4 + length)
        if (/\r\nconnection: close/i.test(top)) state.ended = true
        return { status, type: /\r\ncontent-type: ([^\r]+)/i.exec(top)?.[1], body }
      }
    }
    return { socket, nextResponse, state, left: () => buffer.length }
  }
  for (const request of requests) {
    if (!connection || connection.state.ended) connection = open()
    connection.socket.write(request.bytes)
    checkResponse(request, await connection.nextResponse(request.head))
    // Extra bytes mean that this request contained a second one (CR LF in a header): reconnect for the next.
    if (connection.left() > 0) connection.state.ended = true
    if (connection.state.ended) connection.socket.destroy()
  }
  connection?.socket.destroy()
}

test(`answers each of ${total} hostile requests without a 5xx, and every error as problem details`, async () => {
  const pick = picker(20_260_131)
  const requests = Array.from({ length: total }, () => hostileRequest(pick, world.key))
  const seen = new Map<number, number>()
  const wrong: object[] = []
  const checkResponse = ({ bytes }: HostileRequest, response: RawResponse | undefined) => {
    const status = response?.status ?? 0
    seen.set(status, (seen.get(status) ?? 0) + 1)
    const report = (why: string) => wrong.push({ why, request: bytes.toString('latin1').slice(0, 600), got: response })
    if (!response || status === 0) return report('no response')
    if (status >= 500) return report('5xx')
    if (status >= 400 && response.type !== 'application/problem+json') return report('not problem details')
    if (status >= 400 && response.body !== '') {
      const problem = JSON.parse(response.body) as { status: number; message: string; request_id: string }
      if (problem.status !== status || !problem.message || !problem.request_id) report('incomplete problem details')
    }
  }
  const lanes = 8
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      sendInSequence(
        requests.filter((_request, i) => i % lanes === lane),
        checkResponse,
      ),
    ),
  )
  expect(wrong.slice(0, 5)).toEqual([])
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(total)
  // The requests are diverse enough to reach every check of the server.
  if (total >= 4000)
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 410, 413, 414, 431]))
  expect((await world.get('/locations/1')).status).toBe(200)
})
