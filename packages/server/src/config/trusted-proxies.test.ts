import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { loadConfig } from './load.ts'
import { createProxyMatcher } from './trusted-proxies.ts'

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

it.each([
  ['127.0.0.1', ['127.0.0.1', '::ffff:127.0.0.1'], ['127.0.0.2', '::1']],
  ['10.0.0.0/8', ['10.255.0.1', '::ffff:10.0.0.1'], ['11.0.0.0', '192.168.0.1']],
  ['10.0.0.0/255.255.0.0', ['10.0.255.1'], ['10.1.0.0']],
  ['2001:db8::/32', ['2001:db8:1::5'], ['2001:db9::1', '10.0.0.1']],
  ['loopback', ['127.9.9.9', '::1'], ['10.0.0.1']],
  ['uniquelocal', ['10.0.0.1', '172.31.0.1', '192.168.1.1', 'fd00::1'], ['172.32.0.1', 'fe80::1']],
])('%s is the address of %j, not of %j', (entry, inside, outside) => {
  const matches = createProxyMatcher([entry])
  expect([inside.map(matches), outside.map(matches)]).toEqual([inside.map(() => true), outside.map(() => false)])
})
