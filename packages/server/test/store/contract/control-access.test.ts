import { expect, test } from 'vitest'
import { createTestKey } from '../../../src/domain/key.fixture.ts'
import type { Key } from '../../../src/domain/key.ts'
import { explorerKeyId } from '../../../src/domain/own-key.ts'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import { type Suggestion, type SuggestionOrder, suggestionOrders } from '../../../src/domain/suggestion.ts'
import { type UpgradeOrder, type UpgradeRequest, upgradeOrders } from '../../../src/domain/upgrade.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { dayMs } from '../../../src/kit/time.ts'
import { record } from '../../record.ts'
import { type ControlStores, describeControl, digestOf, userNamed } from './control.ts'

const key = (id: string, more: Partial<Key> = {}) => createTestKey({ id, partnerId: 'acme', ...more })
const addPartner = ({ keys }: ControlStores, id: string) =>
  keys.createPartner({ id, name: `Partner ${id}`, ...newPartnerTerms, createdMs: 0, revision: 1 }, record())

/** A record about a key by an actor. */
const byActor = (kind: 'user' | 'cli', id: string, action: string, target: string, change: object) => ({
  audit: { atMs: dayMs, actor: { kind, id, via: 'portal' as const }, action, target, ...change },
})

describeControl('access', open => {
  test('notes, forgiven penalties and secrets of explorers', async () => {
    const [stores] = open()
    const { keys } = stores
    await addPartner(stores, 'acme')
    await addPartner(stores, 'brix')
    const note = { partnerId: 'acme', text: 'Ünicode\n🙂', by: 'ann', atMs: 7 }
    for (const id of ['n1', 'n2', 'n0']) await keys.addNote({ ...note, id }, record())
    expect((await keys.notes('acme')).map(({ id }) => id)).toEqual(['n0', 'n2', 'n1'])
    expect((await keys.notes('acme'))[0]).toEqual({ ...note, id: 'n0' })

    await keys.createKey(key('k1'), { digest: digestOf('k1'), last4: 'abcd' }, record())
    await keys.createKey(key('k2', { test: true }), { digest: digestOf('k2') }, record())
    for (const id of ['k1', 'k2', 'k1']) await keys.forgivePenalty(id, 5, record())
    const forgiven = await keys.forgivenPenalties(0)
    expect(forgiven.map(({ keyId }) => keyId)).toEqual(['k2', 'k1'])
    expect(await keys.forgivenPenalties(forgiven[0]!.number)).toEqual([forgiven[1]])

    const explorer = key(explorerKeyId('acme'), { test: true })
    const addSecret = (n: number, more: Partial<Key> = {}) =>
      keys.addExplorerSecret({ ...explorer, ...more }, { digest: digestOf(`e${n}`), expiresMs: n }, record())
    expect(await addSecret(1)).toBe(true)
    for (let id = 2; id <= 100; id++)
      await stores.db.run('INSERT INTO key_secrets (digest, key_id, created_ms, id) VALUES (@digest, @keyId, 0, @id)', {
        digest: digestOf(`e${id}`),
        keyId: explorer.id,
        id,
      })
    expect([await addSecret(101), await addSecret(102)]).toEqual([true, true])
    const secrets = await keys.secrets(explorer.id)
    expect([secrets.length, secrets[0]?.id, secrets.at(-1)?.expiresMs]).toEqual([100, '3', 102])
    await addSecret(103, { packageName: 'growth' })
    expect(await keys.bySecret(digestOf('e103'))).toMatchObject({
      key: { packageName: 'growth', revision: 2 },
      secretId: '103',
      expiresMs: 103,
    })
    await keys.updateKey(explorer.id, 2, { state: 'disabled' }, record())
    expect(await addSecret(104)).toBe(false)

    const rotated = { digest: digestOf('k1b'), last4: 'wxyz', createdMs: 10, othersExpireMs: 50 }
    expect((await keys.addSecret('k1', 1, rotated, record()))?.revision).toBe(2)
    expect(await keys.endSecret('k1', 1, { id: '2', endMs: 30 }, record())).toBeUndefined()
    await keys.endSecret('k1', 2, { id: '2', endMs: 30 }, record())
    await keys.endSecret('k1', 3, { id: '2', endMs: 40 }, record())
    expect(await keys.secrets('k1')).toEqual([
      { id: '1', last4: 'abcd', createdMs: 0, expiresMs: 50, calls: 0 },
      { id: '2', last4: 'wxyz', createdMs: 10, expiresMs: 30, calls: 0 },
    ])
    expect(await stores.events.endingSecrets(40, 50)).toEqual([
      { keyId: 'k1', createdMs: 0, expiresMs: 50, newestCreatedMs: 10 },
    ])
  })

  test('own keys are counted by who bounded and revoked them', async () => {
    const [stores] = open()
    const { keys, people } = stores
    await people.users.create(userNamed('member', { memberships: [{ partnerId: 'acme', role: 'admin' }] }), record())
    await people.users.create(userNamed('staff', { staffRole: 'operator' }), record())
    const bounds = { nowMs: dayMs, liveKeysMax: 3 }
    const createOwn = (id: string, secret = digestOf(id)) =>
      keys.createOwnKey(
        key(id, { createdMs: dayMs }),
        { digest: secret },
        bounds,
        byActor('user', 'member', 'key.create', id, { after: { state: 'active', scope: {}, expires_ms: null } }),
      )
    expect([await createOwn('o1'), await createOwn('o2'), await createOwn('o3')]).toEqual([
      'created',
      'created',
      'held',
    ])
    const counts = () => keys.ownKeys('acme', false, dayMs)
    expect(await counts()).toEqual({ held: 3, made: 2, bounded: 0, ended: 0 })
    expect(await keys.operatorEnd('o1')).toBeUndefined()

    const change = { before: { expires_ms: null }, after: { expires_ms: 5 * dayMs } }
    await keys.updateKey('o1', 1, { expiresMs: 5 * dayMs }, byActor('cli', 'op', 'key.change', 'o1', change))
    expect(await keys.operatorEnd('o1')).toBe(5 * dayMs)
    const revoke = (id: string, revision: number) =>
      keys.updateKey(id, revision, { state: 'revoked' }, byActor('user', 'member', 'key.revoke', id, stateChange))
    const stateChange = { before: { state: 'active' }, after: { state: 'revoked' } }
    await revoke('o1', 2)
    await revoke('o2', 1)
    expect(await counts()).toEqual({ held: 1, made: 2, bounded: 1, ended: 1 })
    expect([await keys.stateSetBy('o1'), await keys.stateSetBy('k1')]).toEqual(['partner', 'operator'])
    // The erasure of a member of a partner is remembered by its line alone.
    await people.users.erase('member', byActor('cli', 'op', 'user.erase', 'member', { before: { staff: false } }))
    expect(await keys.stateSetBy('o1')).toBe('partner')
    await people.users.erase('staff', byActor('cli', 'op', 'user.erase', 'staff', { before: { staff: true } }))
    await keys.updateKey('k1', 4, { state: 'disabled' }, byActor('user', 'staff', 'key.disable', 'k1', stateChange))
    expect(await keys.stateSetBy('k1')).toBe('operator')
    await keys.updatePartner('acme', 1, { state: 'closed' }, record())
    expect(await createOwn('o4')).toBe('partner_closed')
    expect((await keys.keys({ partnerId: 'acme' }, { states: ['active', 'disabled'] })).length).toBe(0)
  })

  test('suggestions are open once for a user, place and kind, bounded, decided once, and erased with the user', async () => {
    const [{ suggestions, people }] = open()
    await people.users.create(userNamed('sue'), record())
    const suggestion = (id: string, more: Partial<Suggestion> = {}): Suggestion => ({
      ...{ id, locationId: 9223372036854775807n, partnerId: 'brix', kind: 'phone', values: { phones: ['+34 1'] } },
      ...{ state: 'open', by: 'sue', createdMs: 3, revision: 1, ...more },
    })
    const create = (one: Suggestion) => suggestions.create(one, 2, record())
    const twice = suggestion('s2', { kind: 'duplicate', values: {}, duplicateOf: 7n, comment: 'Twice', createdMs: 4 })
    expect(await create(suggestion('s1'))).toBe('created')
    expect(await create(suggestion('s0'))).toBe('repeated')
    expect(await create(twice)).toBe('created')
    expect(await create(suggestion('s3', { kind: 'name' }))).toBe('too_many')
    expect(await suggestions.get('s2', { partnerId: 'brix' })).toEqual(twice)
    expect(await suggestions.get('s2', { partnerId: 'acme' })).toBeUndefined()

    const accept = { state: 'accepted', by: 'op', atMs: 9, reason: 'Yes' } as const
    expect(await suggestions.decide('s1', 7, accept, record())).toBeUndefined()
    const decided = { state: 'accepted', decidedBy: 'op', decidedMs: 9, reason: 'Yes', revision: 2 } as const
    expect(await suggestions.decide('s1', 1, accept, record())).toEqual(suggestion('s1', decided))
    expect(await suggestions.decide('s1', 2, accept, record())).toBeUndefined()
    expect(await create(suggestion('s4'))).toBe('created')
    const idsOf = async (span: object) => (await suggestions.part(everything, span)).rows.map(({ id }) => id)
    expect(await idsOf({ states: ['open'] })).toEqual(['s2', 's4'])
    expect(await idsOf({ kind: 'phone', locationId: 9223372036854775807n, partnerId: 'brix' })).toEqual(['s4', 's1'])
    expect(await idsOf({ locationId: 7n })).toEqual([])
    for (const by of Object.keys(suggestionOrders.first) as SuggestionOrder[]) {
      const order = { by, isDescending: true }
      const first = await suggestions.part(everything, { order, limit: 1 })
      const rest = await suggestions.part(everything, { order, after: first.next! })
      expect(new Set([...first.rows, ...rest.rows].map(({ id }) => id))).toEqual(new Set(['s1', 's2', 's4']))
    }
    await people.users.erase('sue', record())
    expect(await idsOf({})).toEqual([])
  })

  test('upgrade requests are open once for a key and kind, and decided with their change', async () => {
    const [stores] = open()
    const { keys, upgrades } = stores
    await keys.createKey(key('u1', { partnerId: 'brix' }), { digest: digestOf('u1') }, record())
    const request = (id: string, more: Partial<UpgradeRequest> = {}): UpgradeRequest => ({
      id,
      partnerId: 'brix',
      keyId: 'u1',
      ask: { kind: 'quota', quota: 500 },
      reason: 'More',
      state: 'open',
      by: 'bo',
      createdMs: 3,
      revision: 1,
      ...more,
    })
    const { keyId: _, ...liveKey } = request('r2', { ask: { kind: 'live_key' }, createdMs: 2 })
    expect([await upgrades.open(request('r1'), record()), await upgrades.open(request('r0'), record())]).toEqual([
      true,
      false,
    ])
    expect(await upgrades.open(liveKey, record())).toBe(true)
    expect((await upgrades.list(everything)).map(({ id }) => id)).toEqual(['r1', 'r2'])
    expect(await upgrades.get('r2', { partnerId: 'brix' })).toEqual(liveKey)
    expect(await upgrades.get('r2', { partnerId: 'acme' })).toBeUndefined()

    const approve = { state: 'approved', by: 'op', atMs: 9, answer: 'Yes' } as const
    const stale = { of: 'key', id: 'u1', revision: 7, change: { agreement: { quota: 500 } }, record: record() } as const
    expect(await upgrades.decide('r1', 1, approve, stale, record())).toBeUndefined()
    expect((await upgrades.get('r1', everything))?.state).toBe('open')
    expect(await upgrades.decide('r1', 1, approve, { ...stale, revision: 1 }, record())).toEqual({
      ...request('r1'),
      state: 'approved',
      decidedBy: 'op',
      decidedMs: 9,
      answer: 'Yes',
      revision: 2,
    })
    expect((await keys.key('u1', everything))?.agreement).toEqual({ quota: 500 })
    expect(await upgrades.decide('r1', 2, approve, undefined, record())).toBeUndefined()
    for (const by of Object.keys(upgradeOrders.first) as UpgradeOrder[]) {
      const order = { by, isDescending: true }
      const first = await upgrades.part(everything, { order, limit: 1 })
      const second = await upgrades.part(everything, { order, limit: 1, after: first.next! })
      expect([...first.rows, ...second.rows].map(({ id }) => id).sort(), by).toEqual(['r1', 'r2'])
      expect(second.next).toBeUndefined()
    }
    const declined = await upgrades.part({ partnerId: 'brix' }, { states: ['declined', 'approved'], partnerId: 'brix' })
    expect(declined.rows.map(({ id }) => id)).toEqual(['r1'])
  })

  test('admin tokens, and answers by Idempotency-Key', async () => {
    const [{ tokens, idempotency }] = open()
    const token = {
      id: 't1',
      name: 'Deploy',
      permissions: ['keys:read'] as never[],
      partnerId: 'acme',
      maker: 'cli:ann',
      createdMs: 1,
      expiresMs: 50,
    }
    await tokens.create(token, digestOf('t1'), record())
    await tokens.used('t1', '2026-11-23')
    expect(await tokens.byDigest(digestOf('t1'))).toEqual({ ...token, lastUsedDay: '2026-11-23' })
    expect(await tokens.revoke('t1', 9, record())).toMatchObject({ revokedMs: 9 })
    expect([await tokens.revoke('t1', 9, record()), await tokens.get('t2')]).toEqual([undefined, undefined])
    expect((await tokens.list()).length).toBe(1)

    const request = { tokenId: 't1', keyDigest: digestOf('request') }
    const times = { nowMs: 100, expiredMs: 50 }
    expect(await idempotency.reserve(request, digestOf('body'), times)).toBeUndefined()
    expect(await idempotency.reserve(request, digestOf('other'), times)).toEqual({
      bodyDigest: digestOf('body'),
      atMs: 100,
    })
    await idempotency.complete(request, Buffer.from('answer'), digestOf('late'))
    expect(await idempotency.reserve(request, digestOf('other'), times)).toEqual({
      bodyDigest: digestOf('late'),
      atMs: 100,
      answer: Buffer.from('answer'),
    })
    await idempotency.release(request)
    expect(await idempotency.reserve(request, digestOf('body'), times)).toBeUndefined()
    expect(await idempotency.reserve(request, digestOf('body'), { nowMs: 200, expiredMs: 101 })).toBeUndefined()
  })
})
