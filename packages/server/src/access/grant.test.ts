import { describe, expect, it } from 'vitest'
import { createTestKey } from '../domain/key.fixture.ts'
import type { Key } from '../domain/key.ts'
import type { PackageName, PackageTable } from '../domain/package.ts'
import { computeGrant } from './grant.ts'

const basic = ['locations', 'reviews'] as const
const all = [...basic, 'recommendations', 'feeds'] as const
const packageTable: PackageTable = {
  packages: {
    discover: { permissions: basic, rate: 10, quota: 10_000 },
    growth: { permissions: basic, rate: 2.5, quota: 50_000 },
    scale: { permissions: basic, rate: 0.2, quota: 'unlimited' },
    innovate: { permissions: all, rate: 100 },
    transform: { permissions: all, rate: 100 },
  },
  search: { rate: 1, burst: 5, quota: 86_400 },
}
const keyOf = (packageName: PackageName, more: Partial<Key> = {}): Key => createTestKey({ packageName, ...more })

describe('the permissions of a key (R-03)', () => {
  it.each<[PackageName, Partial<Key>, readonly string[]]>([
    ['discover', {}, basic],
    ['discover', { addOns: ['feeds'] }, [...basic, 'feeds']],
    ['discover', { addOns: ['feeds', 'recommendations'] }, all],
    ['innovate', {}, all],
    ['innovate', { test: true }, [...basic, 'recommendations']],
    ['innovate', { scope: { countries: ['ES'] } }, [...basic, 'recommendations']],
    ['discover', { addOns: ['feeds'], test: true }, basic],
  ])('%s, %o', (name, more, expected) =>
    expect([...computeGrant(keyOf(name, more), packageTable).permissions].sort()).toEqual([...expected].sort()),
  )
})

describe('the effective limits of a key (SPEC §5.5, §8, R-05)', () => {
  const ofPackage = (value: unknown) => ({ value, source: 'package' })
  const agreed = (value: unknown) => ({ value, source: 'agreement' })
  it.each<[string, Key, object]>([
    [
      'all limits from the package',
      keyOf('discover'),
      {
        rate: ofPackage(10),
        burst: ofPackage(10),
        quota: ofPackage(10_000),
        searchRate: ofPackage(1),
        searchBurst: ofPackage(5),
        searchQuota: ofPackage(86_400),
      },
    ],
    ['the burst is one second of the rate, rounded up', keyOf('growth'), { rate: ofPackage(2.5), burst: ofPackage(3) }],
    [
      'the burst is at least one',
      keyOf('scale'),
      { rate: ofPackage(0.2), burst: ofPackage(1), quota: ofPackage('unlimited') },
    ],
    [
      'an agreed rate sets its burst',
      keyOf('discover', { agreement: { rate: 40 } }),
      { rate: agreed(40), burst: agreed(40), quota: ofPackage(10_000) },
    ],
    [
      'an agreed burst applies without an agreed rate',
      keyOf('discover', { agreement: { burst: 3 } }),
      { rate: ofPackage(10), burst: agreed(3) },
    ],
    ['an agreed quota', keyOf('innovate', { agreement: { quota: 7 } }), { quota: agreed(7) }],
    [
      'an agreed search',
      keyOf('discover', { agreement: { searchRate: 2, searchBurst: 9, searchQuota: 'unlimited' } }),
      { searchRate: agreed(2), searchBurst: agreed(9), searchQuota: agreed('unlimited') },
    ],
    [
      'a test key has 1,000 per day, regardless of its agreement',
      keyOf('discover', { test: true, agreement: { quota: 'unlimited' } }),
      { quota: { value: 1000 } },
    ],
  ])('%s', (_name, key, expected) => expect(computeGrant(key, packageTable).limits).toMatchObject(expected))
})
