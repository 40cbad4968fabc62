import { describe, expect, it } from 'vitest'
import { AddressGuard, addressGuardDefaults, toAddressBlock } from './address-guard.ts'

const start = 1_700_000_000_000_000

describe('AddressGuard', () => {
  it('admits a burst of exactly 100 bad keys, then 20 per second', () => {
    const guard = new AddressGuard()
    const at = (nowUs: number, times: number) =>
      Array.from({ length: times }, () => guard.spend('192.0.2.1', nowUs)).filter(wait => wait === undefined).length
    expect(at(start, 150)).toBe(100)
    expect(guard.spend('192.0.2.1', start)).toBe(1)
    expect(at(start + 1_000_000, 150)).toBe(20)
    expect(guard.spend('192.0.2.2', start)).toBeUndefined()
  })

  it('bounds the number of addresses and never removes one without tokens', () => {
    const guard = new AddressGuard({ ...addressGuardDefaults, burst: 1, maxAddresses: 100 })
    guard.spend('victim', start)
    for (let i = 0; i < 10_000; i++) guard.spend(`10.0.${i >> 8}.${i & 255}`, start)
    expect(guard.size).toBeLessThanOrEqual(101)
    expect(guard.spend('victim', start)).toBe(1)
  })

  it('removes idle addresses', () => {
    const guard = new AddressGuard({ ...addressGuardDefaults, maxAddresses: 100 })
    for (let i = 0; i < 100_000; i++) guard.spend(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, start + i * 10_000)
    expect(guard.size).toBeLessThan(100)
  })
})

describe('toAddressBlock', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['not:an:address', 'not:an:address'],
  ])('%s counts as %s', (address, block) => expect(toAddressBlock(address)).toBe(block))
})
