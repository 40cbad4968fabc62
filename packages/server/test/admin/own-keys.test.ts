/** Keys that the users of a partner make themselves, and what they may change. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../src/domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../src/domain/admin-fault.ts'
import type { Key, KeyChange } from '../../src/domain/key.ts'
import { explorerKeyId } from '../../src/domain/own-key.ts'
import { noFactors } from '../../src/domain/user.ts'
import { changeKey } from '../../src/usecases/admin/change-key.ts'
import { changePartner } from '../../src/usecases/admin/change-partner.ts'
import { createKey, type KeyInput } from '../../src/usecases/admin/create-key.ts'
import { createPartner } from '../../src/usecases/admin/create-partner.ts'
import { eraseUser } from '../../src/usecases/admin/erase-user.ts'
import { openAdmin, openIdentity } from '../composed.ts'
import { record } from '../record.ts'
import { actor, configFor, scratch } from '../world.ts'

const hourMs = 3_600_000
const folder = scratch()
const config = configFor(folder.path)
const opened = openAdmin(config)
const identity = openIdentity(config)
let nowMs = Date.now()
const admin = { ...opened, clock: { ...opened.clock, nowMs: () => nowMs } }
let user: Actor
let partnerId: string

afterAll(async () => {
  await opened.close()
  await identity.close()
  folder.remove()
})

const done = <T extends object>(outcome: T | AdminFault): T => {
  if (isAdminFault(outcome)) throw new Error(`${outcome.fault} ${JSON.stringify(outcome)}`)
  return outcome
}
const terms = (change: Parameters<typeof changePartner>[2]['change']) =>
  changePartner(admin, actor, { id: partnerId, expectedRevision: 1, change }).then(done)
const make = (input: KeyInput = {}) => createKey(admin, user, { name: 'Own', ...input })
const change = (by: Actor, key: Key, changed: KeyChange) =>
  changeKey(admin, by, { id: key.id, expectedRevision: key.revision, change: changed })

beforeEach(async () => {
  partnerId = done(await createPartner(admin, actor, { name: 'Own' })).id
  const id = `user_${partnerId}`
  user = { kind: 'user', id, via: 'portal', partnerId, requestId: 'r1' }
  const memberships = [{ partnerId, role: 'admin' }] as const
  const person = { id, email: `${id}@example.org`, memberships, state: 'active', factors: noFactors } as const
  await identity.people.users.create({ ...person, createdMs: 1, revision: 1 }, record())
})

describe('live keys', () => {
  test('have the package, agreement and scope of the partner, up to its maximum', async () => {
    const agreement = { rate: 7, quota: 5000 }
    await terms({ packageName: 'growth', agreement, scope: { countries: ['ES', 'PT'] }, liveKeysMax: 2 })
    const { key, secret } = done(await make())
    expect(secret).toMatch(/^peri_live_/)
    expect(key).toMatchObject({ packageName: 'growth', agreement, scope: { countries: ['ES', 'PT'] }, addOns: [] })
    const narrow = done(await make({ scope: { countries: ['PT'], categories: ['RESTAURANT'] } })).key
    expect(narrow.scope).toEqual({ countries: ['PT'], categories: ['RESTAURANT'] })
    expect(await make()).toMatchObject({ fault: 'live_key_unavailable', reason: 'held', max: 2 })
    expect(await make({ test: true })).toHaveProperty('secret')
  })

  test('are the operator’s matter without a package, or without a quota where the package has none', async () => {
    expect(await make()).toMatchObject({ fault: 'live_key_unavailable', reason: 'no_package' })
    await terms({ packageName: 'transform' })
    expect(await make()).toMatchObject({ fault: 'live_key_unavailable', reason: 'no_package' })
  })

  test('are not multiplied by revoking: a revoked key counts for 24 hours', async () => {
    await terms({ packageName: 'growth' })
    const { key } = done(await make())
    nowMs += 48 * hourMs
    expect(await make()).toMatchObject({ reason: 'held' })
    expect(await change(user, key, { state: 'revoked' })).toMatchObject({ state: 'revoked' })
    expect(await make()).toMatchObject({ fault: 'live_key_unavailable', reason: 'ended' })
    nowMs += 24 * hourMs - 1000
    expect(await make()).toMatchObject({ reason: 'ended' })
    nowMs += 2000
    expect(await make()).toHaveProperty('secret')
  })

  test('of an operator or token have no such bounds', async () => {
    const token: Actor = { ...user, kind: 'token', id: 'token_1', via: 'api' }
    for (const by of [actor, token]) {
      const input = { partnerId, packageName: 'innovate', agreement: { quota: 1 }, addOns: ['feeds'] } as const
      for (let i = 0; i < 2; i++) expect(await createKey(admin, by, input)).toHaveProperty('secret')
    }
    await terms({ packageName: 'growth' })
    expect(await make()).toMatchObject({ reason: 'held' })
  })
})

test('test keys: three at a time, and three made within 24 hours; the one of the explorer does not count', async () => {
  const explorer = { ...admin, newId: () => explorerKeyId(partnerId) }
  done(await createKey(explorer, actor, { partnerId, packageName: 'discover', test: true }))
  const keys = [] as Key[]
  for (let i = 0; i < 3; i++) keys.push(done(await make({ test: true })).key)
  expect(keys[0]).toMatchObject({ test: true, packageName: 'discover', agreement: {} })
  expect(await make({ test: true })).toMatchObject({ fault: 'test_key_unavailable', reason: 'held', max: 3 })
  await change(user, keys[0]!, { state: 'revoked' })
  expect(await make({ test: true })).toMatchObject({ fault: 'test_key_unavailable', reason: 'made', max: 3 })
  nowMs += 25 * hourMs
  expect(await make({ test: true })).toHaveProperty('secret')
  expect(await make({ test: true })).toMatchObject({ reason: 'held' })
})

test('terms that the operator sets are refused in a new key and in a change', async () => {
  await terms({ packageName: 'growth', scope: { countries: ['ES'] } })
  const wrong: [KeyInput, string[]][] = [
    [{ packageName: 'innovate' }, ['package']],
    [{ addOns: ['feeds'] }, ['add_ons']],
    [{ agreement: { rate: 1000 } }, ['agreement']],
    [{ notes: 'mine' }, ['notes']],
    [{ test: true, packageName: 'innovate', agreement: { quota: 'unlimited' } }, ['package', 'agreement']],
  ]
  for (const [input, fields] of wrong) expect(await make(input)).toMatchObject({ fault: 'own_terms_fixed', fields })
  const wider = { fault: 'scope_wider', restriction: 'countries', value: 'FR', bound: ['ES'] }
  expect(await make({ scope: { countries: ['ES', 'FR'] } })).toMatchObject(wider)
  const { key } = done(await make({ packageName: 'growth' }))
  expect(await change(user, key, { addOns: ['feeds'] })).toMatchObject({
    fault: 'own_terms_fixed',
    fields: ['add_ons'],
  })
  expect(await change(user, key, { packageName: 'innovate', notes: null, agreement: { burst: 9 } })).toMatchObject({
    fields: ['package', 'agreement', 'notes'],
  })
  expect(await change(user, key, { scope: { countries: ['ES', 'FR'] } })).toMatchObject(wider)
  expect(await change(user, key, { scope: { categories: ['HOTEL'] } })).toMatchObject({
    fault: 'scope_wider',
    restriction: 'countries',
    value: undefined,
    fields: ['scope.countries'],
  })
  const same = { packageName: 'growth', scope: { countries: ['ES'], sources: ['a'] } } as const
  expect(await change(user, key, { ...same, name: 'Renamed', networks: ['10.0.0.0/8'] })).toMatchObject({
    name: 'Renamed',
    networks: ['10.0.0.0/8'],
    scope: same.scope,
  })
})

test('what the operator disabled or ended, the partner cannot enable or extend; what it did itself, it can undo', async () => {
  await terms({ packageName: 'growth', liveKeysMax: 2 })
  let { key } = done(await make({ expiresMs: nowMs + hourMs }))
  const by = async (who: Actor, changed: KeyChange) => (key = done(await change(who, key, changed)))
  await by(user, { expiresMs: nowMs + 2 * hourMs })
  await by(user, { expiresMs: null })
  await by(user, { state: 'disabled' })
  await by(user, { state: 'active' })
  await by(actor, { state: 'disabled', expiresMs: nowMs + hourMs })
  expect(await change(user, key, { state: 'active' })).toMatchObject({ fault: 'disabled_by_operator', key: key.id })
  await by(actor, { state: 'active' })
  for (let i = 0; i < 2; i++) {
    for (const expiresMs of [nowMs + 2 * hourMs, null])
      expect(await change(user, key, { expiresMs })).toMatchObject({ fault: 'end_fixed', expiresMs: nowMs + hourMs })
    // An earlier end of the partner's own does not lift the operator's.
    await by(user, { expiresMs: nowMs + hourMs / 2 })
  }
  await by(user, { expiresMs: nowMs + hourMs })
  await by(actor, { expiresMs: null })
  await by(user, { state: 'disabled', expiresMs: nowMs + hourMs })
  await identity.people.users.erase(user.id, record())
  expect(await change({ ...user, id: 'user_other' }, key, { state: 'active' })).toMatchObject({
    fault: 'disabled_by_operator',
  })
})

describe('a revoked key that the operator had bounded keeps its place (R-91)', () => {
  const bounds: Readonly<Record<string, () => KeyChange>> = {
    disabled: () => ({ state: 'disabled' }),
    'given an end': () => ({ expiresMs: nowMs + hourMs }),
    'narrowed in scope': () => ({ scope: { countries: ['ES'] } }),
    'narrowed to networks': () => ({ networks: ['10.0.0.0/8'] }),
    'given other limits': () => ({ agreement: { quota: 10 } }),
  }
  test.each(Object.entries(bounds))('%s', async (_name, bound) => {
    await terms({ packageName: 'growth' })
    for (const isTest of [false, true]) {
      const { key } = done(await make({ test: isTest }))
      const bounded = done(await change(actor, key, bound()))
      await change(user, bounded, { state: 'revoked' }).then(done)
      nowMs += 25 * hourMs
    }
    expect(await make()).toMatchObject({ fault: 'live_key_unavailable', reason: 'bounded', max: 1 })
    for (let i = 0; i < 2; i++) done(await make({ test: true }))
    expect(await make({ test: true })).toMatchObject({ fault: 'test_key_unavailable', reason: 'bounded', max: 3 })
    const { revision } = (await admin.keys.partner(partnerId, { all: true }))!
    done(await changePartner(admin, actor, { id: partnerId, expectedRevision: revision, change: { liveKeysMax: 2 } }))
    expect(await make()).toHaveProperty('secret')
  })

  test('also after the user who revoked it was erased', async () => {
    await terms({ packageName: 'growth' })
    const { key } = done(await make())
    await change(user, done(await change(actor, key, { state: 'disabled' })), { state: 'revoked' }).then(done)
    done(await eraseUser(identity, actor, { id: user.id! }))
    nowMs += 25 * hourMs
    expect(await make()).toMatchObject({ fault: 'live_key_unavailable', reason: 'bounded' })
  })

  test('not one with bounds of the partner, with bounds that the operator lifted, or that the operator revoked', async () => {
    await terms({ packageName: 'growth', scope: { countries: ['ES', 'PT'] } })
    const bounded: KeyChange = { expiresMs: nowMs + hourMs, networks: ['10.0.0.0/8'], scope: { countries: ['ES'] } }
    const lifted: KeyChange = { state: 'active', expiresMs: null, networks: null, scope: {} }
    const lives: readonly (readonly [Actor, KeyChange])[][] = [
      [[user, { ...bounded, state: 'disabled' }]],
      [
        [actor, { ...bounded, state: 'disabled' }],
        [actor, lifted],
      ],
    ]
    for (const steps of lives) {
      let { key } = done(await make())
      for (const [by, changed] of [...steps, [user, { state: 'revoked' }] as const])
        key = done(await change(by, key, changed))
      expect(await make()).toMatchObject({ reason: 'ended' })
      nowMs += 25 * hourMs
    }
    const { key } = done(await make())
    done(await change(actor, done(await change(actor, key, { state: 'disabled' })), { state: 'revoked' }))
    nowMs += 25 * hourMs
    expect(await make()).toHaveProperty('secret')
  })
})
