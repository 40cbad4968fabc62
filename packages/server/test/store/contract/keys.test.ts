import { expect, test } from 'vitest'
import { pinAllFeeds } from '../../../src/domain/feed.ts'
import { createTestKey } from '../../../src/domain/key.fixture.ts'
import type { Key } from '../../../src/domain/key.ts'
import { type PartnerOrder, partnerOrders } from '../../../src/domain/key-stores.ts'
import type { ListPosition } from '../../../src/domain/list-order.ts'
import { newPartnerTerms, type Partner } from '../../../src/domain/partner.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { record } from '../../record.ts'
import { describeEngines, openAgain } from './engines.ts'

const partner = (id: string, createdMs = 1000): Partner => ({
  id,
  name: `Partner ${id}`,
  ...newPartnerTerms,
  createdMs,
  revision: 1,
})
const key = (id: string, more: Partial<Key> = {}) =>
  createTestKey({ id, partnerId: 'acme', packageName: 'growth', createdMs: 2000, ...more })
const digest = (byte: number) => Buffer.alloc(32, byte)

describeEngines('partners and keys', ({ open }) => {
  const withPartner = async (): Promise<Engine> => {
    const engine = await open()
    expect(await engine.keys.createPartner(partner('acme'), record())).toBe(true)
    return engine
  }

  test('are initially empty', async () => {
    const { keys } = await open()
    expect([await keys.partners(everything), await keys.keys(everything)]).toEqual([[], []])
    expect([
      await keys.partner('acme', everything),
      await keys.key('k', everything),
      await keys.bySecret(digest(1)),
    ]).toEqual(Array(3).fill(undefined))
  })

  test('lists are filtered, sorted, and divided by their order', async () => {
    const { keys } = await open()
    for (const [id, createdMs] of [
      ['b', 1],
      ['a', 2],
      ['c', 2],
      ['d', 3],
    ] as const)
      await keys.createPartner({ ...partner(id, createdMs), name: id === 'c' ? 'Ökohof 50%' : `Name ${id}` }, record())
    const partners = async (...args: Parameters<typeof keys.partners>) =>
      (await keys.partners(...args)).map(({ id }) => id)
    expect(await partners(everything)).toEqual(['b', 'a', 'c', 'd'])
    const part = async (...args: Parameters<typeof keys.partnerPart>) =>
      (await keys.partnerPart(...args)).rows.map(({ id }) => id)
    expect(await part(everything, { limit: 2, after: { value: 1, id: 'b' } })).toEqual(['a', 'c'])
    expect(await part(everything, { limit: 2, after: { value: 2, id: 'aa' } })).toEqual(['c', 'd'])
    expect(await part({ partnerId: 'c' }, { limit: 9 })).toEqual(['c'])
    for (const text of ['öKO', '50%', 'c']) expect(await partners(everything, { text }), text).toEqual(['c'])
    expect(await partners(everything, { text: '%' })).toEqual(['c'])
    expect(await partners(everything, { text: 'd', state: 'closed' })).toEqual([])
    await keys.updatePartner('d', 1, { state: 'closed' }, record())
    expect(await partners(everything, { text: 'NAME', state: 'closed' })).toEqual(['d'])
    // Each order gives every partner once, whatever the size of its parts.
    for (const by of Object.keys(partnerOrders.first) as PartnerOrder[])
      for (const isDescending of [false, true]) {
        const found: string[] = []
        for (let after: ListPosition | undefined; ; ) {
          const { rows, next } = await keys.partnerPart(everything, { order: { by, isDescending }, limit: 1, after })
          found.push(...rows.map(({ id }) => id))
          if (!next) break
          after = next
        }
        const expected = { created: ['b', 'a', 'c', 'd'], name: ['a', 'b', 'd', 'c'], state: ['d', 'a', 'b', 'c'] }[
          by as string
        ] ?? [...'abcd']
        expect(found, by).toEqual(isDescending ? expected.toReversed() : expected)
      }
    for (const [id, partnerId, test] of [
      ['k1', 'a', false],
      ['k2', 'b', true],
      ['k3', 'a', true],
    ] as const)
      await keys.createKey(key(id, { partnerId, test }), { digest: digest(Number(id[1])) }, record())
    const found = async (...args: Parameters<typeof keys.keys>) => (await keys.keys(...args)).map(({ id }) => id)
    expect(await found(everything, { partnerIds: ['a', 'c'] })).toEqual(['k1', 'k3'])
    expect(await found({ partnerId: 'b' }, { partnerIds: ['a'] })).toEqual([])
    const later = { test: true, states: ['active'], after: { value: 2000, id: 'k2' } } as const
    expect((await keys.keyPart(everything, later)).rows.map(({ id }) => id)).toEqual(['k3'])
    expect(await found(everything, { states: ['revoked'] })).toEqual([])
    expect(await found(everything, { partnerIds: [] })).toEqual([])
  })

  test('a partner is stored with all members, and an id in use is refused', async () => {
    const { keys } = await open()
    const full: Partner = {
      ...partner('acme', 5000),
      email: 'ops@acme.example',
      externalRef: 'crm-7',
      packageName: 'growth',
      agreement: { rate: 5 },
      scope: { countries: ['ES'] },
      liveKeysMax: 4,
      zone: 'UTC',
      state: 'closed',
    }
    expect(await keys.createPartner(full, record())).toBe(true)
    expect(await keys.createPartner({ ...partner('acme'), name: 'Another' }, record())).toBe(false)
    await keys.createPartner(partner('early', 10), record())
    await keys.createPartner(partner('aaa', 5000), record())
    expect(await keys.partner('acme', everything)).toEqual(full)
    expect((await keys.partners(everything)).map(({ id }) => id)).toEqual(['early', 'aaa', 'acme'])
  })

  test('a partner changes only from the expected revision; null removes a member', async () => {
    const { keys } = await open()
    await keys.createPartner({ ...partner('acme'), email: 'ops@acme.example', externalRef: 'crm-7' }, record())
    const changed = { ...partner('acme'), name: 'Acme', externalRef: 'crm-7', revision: 2 }
    expect(await keys.updatePartner('acme', 1, { name: 'Acme', email: null }, record())).toEqual(changed)
    expect(await keys.updatePartner('acme', 1, { name: 'Too late' }, record())).toBeUndefined()
    expect(await keys.updatePartner('nobody', 1, { name: 'Nobody' }, record())).toBeUndefined()
    expect(await keys.partner('acme', everything)).toEqual(changed)
  })

  test('a key is stored with all members, and found by its secret', async () => {
    const { keys } = await withPartner()
    const full = key('k1', {
      name: 'Production',
      addOns: ['recommendations'],
      agreement: { rate: 2.5, quota: 'unlimited', subject: 'partner' },
      scope: { countries: ['ES'], categories: ['RESTAURANT'], sources: ['osm'] },
      feedPins: { ...pinAllFeeds('1'), reviews: '2' },
      notes: 'Pilot',
      expiresMs: 9000,
      networks: ['10.0.0.0/8', '2001:db8::/32'],
    })
    await keys.createKey(full, { digest: digest(1) }, record())
    await keys.createKey(key('k0', { test: true, state: 'disabled' }), { digest: digest(0) }, record())
    expect(await keys.key('k1', everything)).toEqual(full)
    expect(await keys.bySecret(digest(1))).toEqual({ key: full, secretId: '1' })
    expect(await keys.bySecret(digest(9))).toBeUndefined()
    expect((await keys.keys(everything)).map(({ id }) => id)).toEqual(['k0', 'k1'])
  })

  test('a key changes only from the expected revision; absent members stay', async () => {
    const { keys } = await withPartner()
    await keys.createKey(key('k1', { name: 'Before', agreement: { rate: 5 } }), { digest: digest(1) }, record())
    const changed = key('k1', { name: 'Before', agreement: { rate: 5 }, state: 'revoked', revision: 2 })
    expect(await keys.updateKey('k1', 1, { state: 'revoked' }, record())).toEqual(changed)
    expect(await keys.updateKey('k1', 1, { state: 'active' }, record())).toBeUndefined()
    expect(await keys.updateKey('unknown', 1, { state: 'active' }, record())).toBeUndefined()
    expect((await keys.bySecret(digest(1)))?.key).toEqual(changed)
  })

  test('of two processes that change the same revision, one succeeds', async () => {
    const engine = await withPartner()
    const other = openAgain(engine)
    await engine.keys.createKey(key('k1'), { digest: digest(1) }, record())
    const results = await Promise.all(
      [engine, other].map(({ keys }, i) => keys.updateKey('k1', 1, { name: `Process ${i}` }, record())),
    )
    const [winner, ...others] = results.filter(one => one !== undefined)
    expect([winner?.revision, others]).toEqual([2, []])
    expect(await other.keys.key('k1', everything)).toEqual(winner)
  })

  test('a new secret ends earlier ones, unless they end before', async () => {
    const { keys } = await withPartner()
    await keys.createKey(key('k1'), { digest: digest(1) }, record())
    expect(
      (await keys.addSecret('k1', 1, { digest: digest(2), createdMs: 10, othersExpireMs: 500 }, record()))?.revision,
    ).toBe(2)
    expect(
      (await keys.addSecret('k1', 2, { digest: digest(3), createdMs: 20, othersExpireMs: 900 }, record()))?.revision,
    ).toBe(3)
    const late = { digest: digest(4), createdMs: 30, othersExpireMs: 0 }
    expect(await keys.addSecret('k1', 2, late, record())).toBeUndefined()
    const ends = await Promise.all([1, 2, 3, 4].map(async byte => (await keys.bySecret(digest(byte)))?.expiresMs))
    expect(ends).toEqual([500, 900, undefined, undefined])
    expect(await keys.bySecret(digest(4))).toBeUndefined()
    expect((await keys.bySecret(digest(1)))?.key.revision).toBe(3)
  })

  test('a pin moves together with the record of the change', async () => {
    const { keys } = await withPartner()
    await keys.createKey(key('k1'), { digest: digest(1) }, record())
    await keys.createKey(key('k2'), { digest: digest(2) }, record())
    const first = { keyId: 'k1', feed: 'reviews', from: '1', to: '2', by: 'Ada', atMs: 10 } as const
    const second = { ...first, from: '2', to: '1', atMs: 5 }
    expect((await keys.pinFeed(1, first, record()))?.feedPins).toEqual({ ...pinAllFeeds('1'), reviews: '2' })
    expect(await keys.pinFeed(1, second, record())).toBeUndefined()
    expect(await keys.feedPinChanges('k1')).toEqual([first])
    expect(await keys.pinFeed(2, second, record())).toMatchObject({ revision: 3, feedPins: pinAllFeeds('1') })
    expect(await keys.feedPinChanges('k1')).toEqual([first, second])
    expect(await keys.feedPinChanges('k2')).toEqual([])
  })

  test('the revision changes with every change, in all processes, and with nothing else', async () => {
    const engine = await withPartner()
    const { keys } = engine
    const reader = openAgain(engine).keys
    const steps: (() => Promise<unknown>)[] = [
      () => keys.updatePartner('acme', 1, { name: 'Acme' }, record()),
      () => keys.createKey(key('k1'), { digest: digest(1) }, record()),
      () => keys.updateKey('k1', 1, { name: 'Renamed' }, record()),
      () => keys.pinFeed(2, { keyId: 'k1', feed: 'geos', from: '1', to: '2', by: 'Ada', atMs: 0 }, record()),
      () => keys.addSecret('k1', 3, { digest: digest(2), createdMs: 0, othersExpireMs: 0 }, record()),
    ]
    const revisions = new Set([await reader.revision()])
    for (const step of steps) {
      await step()
      revisions.add(await reader.revision())
    }
    expect(revisions.size).toBe(steps.length + 1)
    await keys.createPartner(partner('acme'), record())
    await keys.updateKey('k1', 1, { name: 'Too late' }, record())
    expect(revisions).toContain(await reader.revision())
  })

  test('a revision does not return in another history with as many changes (R-122)', async () => {
    const [lost, kept] = [await withPartner(), await withPartner()]
    expect(await kept.keys.revision()).not.toBe(await lost.keys.revision())
  })
})
