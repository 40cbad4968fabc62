import { once } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { fault } from '../../domain/fault.ts'
import { Connections } from './connections.ts'
import { respondToParserError } from './parser-faults.ts'
import { Traffic } from './traffic.ts'

const transport = {
  settings: { publicUrl: 'http://a', corsOrigins: [], corsMaxAgeSeconds: 0 },
  accessLog: () => {},
  traffic: new Traffic([]),
  connections: new Connections({ maxPerAddress: 1, countAs: address => address }),
}

const unrouted = () => fault('method_not_allowed')

it.each([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_INVALID_METHOD', 400],
  ['HPE_INVALID_URL', 400],
  [undefined, 400],
])('%s is answered with %i on the socket, which is then closed (R-13)', async (code, status) => {
  const socket = new PassThrough()
  respondToParserError(Object.assign(new Error(), code && { code }), socket as unknown as Socket, transport, unrouted)
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part))
  await once(socket, 'end')
  const [head, body] = Buffer.concat(parts).toString().split('\r\n\r\n') as [string, string]
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`))
  expect(head).toContain('\r\nContent-Type: application/problem+json\r\n')
  expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`)
  expect(head).toContain('\r\nX-Content-Type-Options: nosniff\r\n')
  expect(head).toContain('\r\nConnection: close')
  expect(JSON.parse(body)).toMatchObject({ status, message: expect.any(String) })
})

it('sends nothing on a connection that was reset', () => {
  const socket = new PassThrough()
  respondToParserError(
    Object.assign(new Error(), { code: 'ECONNRESET' }),
    socket as unknown as Socket,
    transport,
    unrouted,
  )
  expect([socket.destroyed, socket.readableLength]).toEqual([true, 0])
})
