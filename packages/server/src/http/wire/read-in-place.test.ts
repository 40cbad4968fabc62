import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readInPlace } from './read-in-place.ts'

test('bytes are used where they were read, and pass to the stream of the socket once they are refused', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  const buffers = new Set<Buffer>()
  let used = Promise.withResolvers<string>()
  readInPlace(socket, (buffer, length) => {
    buffers.add(buffer)
    const text = buffer.toString('latin1', 0, length)
    if (text.startsWith('last')) return false
    used.resolve(text)
    return true
  })
  socket.resume()
  for (const text of ['one', 'another']) {
    client.write(text)
    expect(await used.promise).toBe(text)
    used = Promise.withResolvers()
  }
  const passed = once(socket, 'data')
  client.end('last')
  expect(String((await passed)[0])).toBe('last')
  await once(socket, 'end')
  // One buffer for all reads: this Node supports it.
  expect(buffers.size).toBe(1)
  socket.destroy()
  server.close()
})
