import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lookup } from '../kit/guarded-agents.ts'
import { createWebhookSender, findUrlProblem } from './post.ts'

let connections = 0
const server = createServer(socket => {
  connections++
  socket.destroy()
})
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

const post = (url: string, lookup?: Lookup) =>
  createWebhookSender('public', Date.now, lookup).post({ url, headers: {}, body: '{}' })

test('private, local and special addresses are refused before a connection', async () => {
  for (const host of [
    ...['127.0.0.1', 'localhost', '10.0.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['[::1]', '[::]', '[fc00::1]', '[fe80::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '2130706433', '0x7f.1'],
  ])
    expect([host, (await post(`https://${host}:${port}/`)).error]).toEqual([host, 'address_refused'])
  expect((await post(`http://127.0.0.1:${port}/`)).error).toBe('address_refused')
  expect(connections).toBe(0)
})

test('a public name that resolves to a private address is refused, also when it did not with the attempt before', async () => {
  const answers = ['127.0.0.1', '::1', '::ffff:10.0.0.1']
  const lookup: Lookup = (_name, options, callback) => {
    const address = answers.shift()!
    const family = address.includes(':') ? 6 : 4
    const reply = callback as (error: null, address: unknown, family?: number) => void
    if (options.all) reply(null, [{ address, family }])
    else reply(null, address, family)
  }
  for (const _ of [1, 2, 3])
    expect((await post(`https://receiver.example:${port}/`, lookup)).error).toBe('address_refused')
  expect(answers).toEqual([])
  expect(connections).toBe(0)
})

test('a URL is checked as far as its text shows the address', () => {
  const problems = (policy: 'public' | 'any' | 'loopback') =>
    [
      ...['https://partner.example/hook', 'http://partner.example/', 'https://10.0.0.1/', 'http://localhost:1/'],
      ...['https://user:pass@partner.example/', 'ftp://partner.example/', 'nonsense'],
    ].map(url => findUrlProblem(url, policy) ?? 'ok')
  const invalid = ['has_credentials', 'not_a_url', 'not_a_url']
  expect(problems('public')).toEqual(['ok', 'not_https', 'private_address', 'not_https', ...invalid])
  expect(problems('any')).toEqual(['ok', 'ok', 'ok', 'ok', ...invalid])
  expect(problems('loopback')).toEqual(['private_address', 'private_address', 'private_address', 'ok', ...invalid])
})
