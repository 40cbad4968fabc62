import { expect, test } from 'vitest'
import { normalizeNetwork } from '../domain/network.ts'
import { isInNetworks } from './networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  [' 203.0.113.7/24 ', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0::1', '2001:db8::1/128'],
  ['2001:db8::1/32', '2001:db8::/32'],
  ['::ffff:10.1.2.3', '10.1.2.3/32'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
])('%s is the network %s', (text, network) => expect(normalizeNetwork(text)).toBe(network))

test.each([
  ...['', '/', '10.1', '10.1.2.3/33', '10.1.2.3/-1', '10.1.2.3/8/8', '10.1.2.3/', '10.1.2.3/255.0.0.0', '010.1.2.3/8'],
  ...['2001:db8::/129', 'fe80::1%eth0', '::ffff:10.1.2.3/64', 'example.org', 'all', '1'],
])('%j is not a network', text => expect(normalizeNetwork(text)).toBeUndefined())

test.each([
  ['10.255.0.1', ['10.0.0.0/8'], true],
  ['11.0.0.1', ['10.0.0.0/8'], false],
  ['::ffff:10.0.0.1', ['10.0.0.0/8'], true],
  ['2001:db8::1', ['10.0.0.0/8', '2001:db8::/32'], true],
  ['2001:db9::1', ['10.0.0.0/8', '2001:db8::/32'], false],
  ['203.0.113.7', ['203.0.113.7/32'], true],
  ['203.0.113.7', ['0.0.0.0/0'], true],
  ['203.0.113.7', ['::/0'], true],
  ['', ['0.0.0.0/0'], false],
])('%s in %j: %s', (address, networks, isIn) => expect(isInNetworks(address, networks)).toBe(isIn))
