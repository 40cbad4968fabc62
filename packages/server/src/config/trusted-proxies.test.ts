import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { loadConfig } from './load.ts'

const load = (entry: string) =>
  loadConfig({ defaultFile: '', env: {}, flags: { data: 'data', 'server.trustedProxies': [entry] } }).config

it.each(['127.0.0.1', '10.0.0.0/8', '10.0.0.0/255.0.0.0', '::1', '2001:db8::/32', 'loopback', 'uniquelocal'])(
  '%s can be trusted',
  entry => {
    expect(load(entry).server.trustedProxies).toEqual([entry])
    // The HTTP server throws on an entry that it cannot parse.
    Fastify({ trustProxy: [entry] })
  },
)

it.each([
  '',
  'proxy.example.org',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '10.1',
  '300.1.1.1',
  '2001:db8::/129',
  '10.0.0.0/',
  '0.0.0.0/0',
  '10.0.0.0/255.0.255.0',
  '10.0.0.0/0.0.0.0',
  '*',
])('%j is rejected, with its path and the accepted values', entry =>
  expect(() => load(entry)).toThrow(
    `server.trustedProxies.0 (flag): expected an address such as 10.1.2.3, a network such as 10.0.0.0/8, or one of loopback, linklocal, uniquelocal, found ${JSON.stringify(entry)}.`,
  ),
)
