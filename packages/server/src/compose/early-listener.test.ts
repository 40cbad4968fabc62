import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { EarlyListener } from './early-listener.ts'

const host = '127.0.0.1'

/** Returns a server that listens on a free port. */
async function listening() {
  const server = createServer(socket => socket.destroy()).listen(0, host)
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** Opens a connection and sends a request; `reply` resolves with everything received until it closes. */
async function request(port: number) {
  const socket = connect(port, host)
  const connected = once(socket, 'connect')
  // Input that the other end has not read makes its close a reset.
  socket.on('error', () => {})
  await connected
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  let received = ''
  socket.on('data', part => {
    received += part
  })
  return { reply: new Promise<string>(resolve => socket.on('close', () => resolve(received))) }
}

it('listens when the other process stops, and hands waiting connections to the service (R-55)', async () => {
  const { server: other, port } = await listening()
  const early = new EarlyListener({ host, port })
  await early.attempt
  expect(early.isListening).toBe(false)
  other.close()
  await expect.poll(() => early.isListening).toBe(true)
  const waiting = [await request(port), await request(port)]
  const service = createHttpServer((_request, response) => response.end('served'))
  expect(await early.handTo(service)).toBe(true)
  expect((service.address() as AddressInfo).port).toBe(port)
  for (const { reply } of [...waiting, await request(port)]) expect(await reply).toMatch(/^HTTP\/1\.1 200 .*served$/s)
  service.close()
  await once(service, 'close')
  const again = createServer().listen(port, host)
  await once(again, 'listening')
  again.close()
})

it('gives nothing while another process listens, and stops trying', async () => {
  const { server: other, port } = await listening()
  const early = new EarlyListener({ host, port })
  expect(await early.handTo(createHttpServer())).toBe(false)
  other.close()
  await once(other, 'close')
  await early.attempt
  expect(early.isListening).toBe(false)
})

it('closes the waiting connections if the service does not start', async () => {
  const { server: other, port } = await listening()
  other.close()
  await once(other, 'close')
  const early = new EarlyListener({ host, port })
  await early.attempt
  const { reply } = await request(port)
  await early.close()
  expect(await reply).toBe('')
  await expect(request(port)).rejects.toThrow('ECONNREFUSED')
})
