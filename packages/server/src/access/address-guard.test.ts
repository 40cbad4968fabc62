import { describe, expect, it } from 'vitest'
import { AddressGuard, addressGuardDefaults } from './address-guard.ts'

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
