import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { countAcceptedBytes, readSendQueues } from './send-queues.ts'
import { WriteWatch } from './write-watch.ts'

/** State of a connection at each check, one second apart. */
interface Moment {
  readonly accepted: number
  readonly queued?: number
  readonly unsent?: number
}

/** Checks a connection once a second with a time-out of 20 s; returns the second at which it ended. */
async function endOf(moments: (second: number) => Moment, seconds: number): Promise<number | undefined> {
  const socket = { writableLength: 0 }
  let moment = moments(0)
  let end: number | undefined
  let second = 0
  const watch = new WriteWatch(20_000, () => (end = second), {
    countAccepted: () => moment.accepted,
    readQueues: async ([one]) => new Map(moment.queued === undefined ? [] : [[one!, moment.queued]]),
  })
  watch.add(socket as Socket, 0)
  for (second = 0; second <= seconds && end === undefined; second++) {
    moment = moments(second)
    socket.writableLength = moment.unsent ?? 1
    await watch.check(second * 1000)
  }
  watch.remove(socket as Socket)
  return end
}

describe('a connection with unsent bytes (R-54)', () => {
  it.each([
    ['makes no progress', () => ({ accepted: 5 }), 20],
    ['makes no progress, and the kernel says so', () => ({ accepted: 5, queued: 1000 }), 20],
    ['stops after a while', (s: number) => ({ accepted: Math.min(s, 7) }), 27],
    ['stops to acknowledge', (s: number) => ({ accepted: 5, queued: 1000 - Math.min(s, 15) }), 35],
  ])('ends if it %s', async (_name, moments, end) => {
    const ended = await endOf(moments, 100)
    expect(ended).toBeGreaterThanOrEqual(end - 5)
    expect(ended).toBeLessThanOrEqual(end)
  })

  it.each([
    ['the kernel accepts a byte every 19 s', (s: number) => ({ accepted: Math.floor(s / 19) })],
    ['the client acknowledges a byte every 9 s', (s: number) => ({ accepted: 5, queued: 1000 - Math.floor(s / 9) })],
    ['the service has nothing to send yet', () => ({ accepted: 5, unsent: 0 })],
  ])('stays open while %s', async (_name, moments) => expect(await endOf(moments, 200)).toBeUndefined())
})

it.runIf(process.platform === 'linux')('the kernel reports what a client has not acknowledged', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [socket] = (await once(server, 'connection')) as [Socket]
  const bytes = Buffer.alloc(32 * 1024 * 1024)
  socket.write(bytes)
  const accepted = countAcceptedBytes(socket)
  expect(accepted).toBeGreaterThan(0)
  expect(accepted).toBeLessThan(bytes.length)
  expect((await readSendQueues([socket])).get(socket)).toBeGreaterThan(0)
  client.resume()
  await once(socket, 'drain')
  expect(countAcceptedBytes(socket)).toBe(bytes.length)
  client.destroy()
  await once(socket.destroy(), 'close')
  expect([...(await readSendQueues([socket]))]).toEqual([])
  server.close()
})
