/** Partners and keys through the use cases and through the command. */
import { afterAll, describe, expect, test } from 'vitest'
import { type AdminFault, isAdminFault } from '../../src/domain/admin-fault.ts'
import type { Key, KeyChange } from '../../src/domain/key.ts'
import { everything } from '../../src/domain/visibility.ts'
import { changeKey } from '../../src/usecases/admin/change-key.ts'
import { changePartner } from '../../src/usecases/admin/change-partner.ts'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { createPartner } from '../../src/usecases/admin/create-partner.ts'
import { ensurePartner } from '../../src/usecases/admin/ensure-partner.ts'
import { pinFeed } from '../../src/usecases/admin/pin-feed.ts'
import { rotateKey } from '../../src/usecases/admin/rotate-key.ts'
import { periplus } from '../cli.ts'
import { openAdmin } from '../composed.ts'
import { actor, configFor, scratch } from '../world.ts'

const folder = scratch()
const admin = openAdmin(configFor(folder.path))
afterAll(() => {
  admin.close()
  folder.remove()
})

const run = (...args: string[]) => periplus([...args, '--data', folder.path])

function expectDone<T>(outcome: T | AdminFault): T {
  if (isAdminFault(outcome)) throw new Error(JSON.stringify(outcome))
  return outcome
}
const freshKey = async (): Promise<Key> => expectDone(await createKey(admin, actor, { packageName: 'discover' })).key
const secretsOf = async (secret: string) => (await admin.keys.bySecret(admin.mint.digest(secret)))?.expiresMs

describe('revisions', () => {
  test('refuses one of two concurrent changes of a key, so no change is lost silently', async () => {
    const key = await freshKey()
    const change = (quota: number) =>
      changeKey(admin, actor, { id: key.id, expectedRevision: key.revision, change: { agreement: { quota } } })
    const outcomes = await Promise.all([change(10), change(20)])
    const refused = outcomes.filter(isAdminFault)
    expect(refused).toEqual([
      { fault: 'changed_meanwhile', fields: [], resource: 'key', id: key.id, expectedRevision: 1, revision: 2 },
    ])
    const applied = outcomes.find(outcome => !isAdminFault(outcome))
    expect(await admin.keys.key(key.id, everything)).toEqual(applied)
  })

  test('refuses a change if another process has changed the key since it was read', async () => {
    const { id } = await freshKey()
    expect((await run('keys', 'set', id, '--rate', '3', '--json')).json()).toMatchObject({ revision: 2 })
    const stale = await run('keys', 'set', id, '--quota', '9', '--if-revision', '1')
    expect(stale).toMatchObject({ code: 1, stdout: '' })
    expect(stale.stderr).toBe(
      `The key ${id} was changed by someone else: it has revision 2, not 1. Nothing was changed. Inspect it with 'periplus keys show ${id}', then repeat the command.\n`,
    )
    expect((await admin.keys.key(id, everything))?.agreement).toEqual({ rate: 3 })
    const present = await run('keys', 'set', id, '--quota', '9', '--if-revision', '2', '--json')
    expect(present.json()).toMatchObject({ revision: 3, limits: { rate: { value: 3 }, quota: { value: 9 } } })
  })

  test('a change that changes nothing writes nothing', async () => {
    const key = await freshKey()
    const accessRevision = await admin.keys.revision()
    const same = await changeKey(admin, actor, { id: key.id, expectedRevision: 1, change: { state: 'active' } })
    expect(same).toEqual(key)
    expect(await admin.keys.revision()).toBe(accessRevision)
  })

  test('refuses a rotation or a pin with a stale revision, and leaves secrets and pins unchanged', async () => {
    const { key, secret } = expectDone(await createKey(admin, actor, { packageName: 'growth' }))
    const stale = { id: key.id, expectedRevision: 1 }
    expectDone(await rotateKey(admin, actor, { ...stale, overlapMs: 60_000 }))
    const ends = await secretsOf(secret)
    expect(await rotateKey(admin, actor, { ...stale, overlapMs: 0 })).toMatchObject({ fault: 'changed_meanwhile' })
    expect(await secretsOf(secret)).toBe(ends)
    const pin = { ...stale, feed: 'geos', version: '2' }
    expect(await pinFeed(admin, actor, pin)).toMatchObject({ fault: 'changed_meanwhile', revision: 2 })
    expect(await admin.keys.feedPinChanges(key.id)).toEqual([])
    expect(await pinFeed(admin, actor, { ...pin, expectedRevision: 2 })).toMatchObject({ changed: true })
    expect(await admin.keys.feedPinChanges(key.id)).toMatchObject([{ feed: 'geos', from: '1', to: '2', by: 'test' }])
    expect((await admin.keys.key(key.id, everything))?.revision).toBe(3)
  })

  test('partners can be changed, members removed, and a stale change is refused', async () => {
    const { id } = (await run('partners', 'create', 'Ann', '--email', 'a@example.org', '--json')).json<{ id: string }>()
    const changed = await run('partners', 'set', id, '--name', 'Ann B.', '--external-ref', 'crm 7', '--json')
    expect(changed.json()).toEqual({
      id,
      name: 'Ann B.',
      agreement: {},
      scope: {},
      live_keys_max: 1,
      state: 'open',
      email: 'a@example.org',
      external_ref: 'crm 7',
      created_at: expect.stringMatching(/Z$/),
      revision: 2,
    })
    const stale = await changePartner(admin, actor, { id, expectedRevision: 1, change: { name: 'Bea' } })
    expect(stale).toEqual({
      fault: 'changed_meanwhile',
      fields: [],
      resource: 'partner',
      id,
      expectedRevision: 1,
      revision: 2,
    })
    const removed = (await run('partners', 'set', id, '--no-email', '--json')).json()
    expect(removed).not.toHaveProperty('email')
    expect(removed).toMatchObject({ name: 'Ann B.', revision: 3 })
    const unchanged = await run('partners', 'set', id, '--no-email', '--json')
    expect(unchanged.json()).toEqual(removed)
  })
})

test('one secret ends at once and the others stay valid', async () => {
  const made = (await run('keys', 'create', '--package', 'discover', '--json')).json<{ id: string; key: string }>()
  const { id, key: first } = made
  const second = (await run('keys', 'rotate', id, '--json')).json<{ key: string }>().key
  const beforeMs = Date.now()
  const ended = await run('keys', 'end-secret', id, '1', '--json')
  expect(ended.json()).toMatchObject({
    revision: 3,
    secrets: [
      { id: '1', last4: first.slice(-4), expires_at: expect.any(String) },
      { id: '2', last4: second.slice(-4) },
    ],
  })
  expect(await secretsOf(first)).toBeGreaterThanOrEqual(beforeMs)
  expect(await secretsOf(first)).toBeLessThanOrEqual(Date.now())
  expect(await secretsOf(second)).toBeUndefined()
  expect((await run('keys', 'end-secret', id, '1', '--json')).json()).toMatchObject({ revision: 3 })
  const shown = (await run('keys', 'show', id)).stdout
  expect(shown).toMatch(/^secret +ends in +created +valid until +last used +calls since rotation$/m)
  expect(shown).toMatch(/^2 +…\w{4} +\S+Z +0$/m)
  const unknown = await run('keys', 'end-secret', id, '7')
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    `Key ${id} has no secret 7. Run 'periplus keys show ${id}' to see its secrets.\n`,
  ])
  const stale = await run('keys', 'end-secret', id, '2', '--if-revision', '1')
  expect([stale.code, await secretsOf(second)]).toEqual([1, undefined])
  const lines = (await run('audit', 'list', '--json')).stdout
  expect(lines).toContain('key.end_secret')
  for (const secret of [first, second]) expect(lines).not.toContain(secret)
})

test('end, networks and notes are set, shown, kept by other changes, and removed', async () => {
  const flags = ['--expires', '2090-01-31', '--network', '10.1.2.3/8', '2001:db8::1', '--network', '10.9.9.9/8']
  const made = await run('keys', 'create', '--package', 'discover', ...flags, '--notes', 'Pilot', '--json')
  const { id } = made.json<{ id: string }>()
  const bounds = {
    expires_at: '2090-01-31T00:00:00.000Z',
    networks: ['10.0.0.0/8', '2001:db8::1/128'],
    notes: 'Pilot',
  }
  expect(made.json()).toMatchObject(bounds)
  const renamed = await run('keys', 'set', id, '--name', 'App', '--json')
  expect(renamed.json()).toMatchObject({ ...bounds, name: 'App', revision: 2 })
  const text = (await run('keys', 'show', id)).stdout
  expect(text).toMatch(/^networks +10\.0\.0\.0\/8, 2001:db8::1\/128$/m)
  expect(text).toMatch(/^ends +2090-01-31T00:00:00\.000Z$/m)
  const removed = (
    await run('keys', 'set', id, '--expires', 'never', '--network', 'all', '--no-notes', '--json')
  ).json()
  for (const member of Object.keys(bounds)) expect(removed).not.toHaveProperty(member)
  const same = await run('keys', 'set', id, '--expires', 'never', '--network', 'all', '--no-notes', '--json')
  expect(same.json()).toEqual(removed)
})

describe('invalid requests', () => {
  test.each([
    [['partners', 'create', ''], 2, 'The name must not be empty.'],
    [['partners', 'create', '  '], 2, 'The name must not be empty.'],
    [['partners', 'create', 'A', '--email', ' '], 2, '--email must not be empty.'],
    [['partners', 'set', 'default', '--name', ''], 2, 'The name must not be empty.'],
    [['partners', 'show', 'partner_x'], 1, 'Partner partner_x does not exist.'],
    [['partners', 'set', 'partner_x', '--name', 'A'], 1, 'Partner partner_x does not exist.'],
    [['keys', 'create', '--package', 'discover', '--name', ''], 2, 'The name must not be empty.'],
    [['keys', 'create', '--package', 'discover', '--partner', 'partner_x'], 1, 'Partner partner_x does not exist.'],
    [['keys', 'create'], 2, '--package. Packages: discover, growth, scale, innovate, transform.'],
    [['keys', 'create', '--package', 'transform'], 2, '--quota N or --quota unlimited.'],
    [
      ['keys', 'create', '--package', 'growth', '--rate', '0'],
      2,
      '--rate must be a number greater than 0 and at most 1000000',
    ],
    [['keys', 'create', '--package', 'growth', '--search-quota', '1.5'], 2, '--search-quota must be an integer'],
    [['keys', 'create', '--package', 'growth', '--burst', 'many'], 2, 'Must be an integer of at least 1, or package'],
    [['keys', 'create', '--package', 'growth', '--countries', 'ES,spain'], 2, "such as ES,FR, not 'SPAIN'."],
    [['keys', 'create', '--package', 'growth', '--categories', 'pub'], 2, "TRANSPORT, OTHER, not 'PUB'."],
    [['keys', 'create', '--package', 'growth', '--sources', 'a,,b'], 2, '--sources must be a list of names'],
    [
      ['keys', 'create', '--package', 'growth', '--sources', `a,${'b'.repeat(201)}`],
      2,
      'Names of sources in --sources must have at most 200 characters.',
    ],
    [
      ['keys', 'create', '--package', 'growth', '--countries', Array(251).fill('ES').join()],
      2,
      '--countries must have at most 250 values.',
    ],
    [['keys', 'set', 'key_x', '--name', 'A'], 1, 'Key key_x does not exist.'],
    [['keys', 'rotate', 'key_x'], 1, 'Key key_x does not exist.'],
    [['keys', 'rotate', 'key_x', '--overlap', '-1h'], 2, 'such as 90s, 30m, 24h or 7d'],
    [['keys', 'rotate', 'key_x', '--overlap', '1.5h'], 2, 'such as 90s, 30m, 24h or 7d'],
    [['keys', 'rotate', 'key_x', '--overlap', '2 days'], 2, 'such as 90s, 30m, 24h or 7d'],
    [['keys', 'create', '--package', 'growth', '--expires', 'soon'], 2, 'a time from now such as 90d, or never.'],
    [['keys', 'create', '--package', 'growth', '--expires', '2026-02-30'], 2, 'Must be a date or date-time'],
    [['keys', 'create', '--package', 'growth', '--expires', '2020-01-01'], 2, 'not 2020-01-01T00:00:00.000Z.'],
    [['keys', 'create', '--package', 'growth', '--network', '10.1'], 2, '10.1 is not a network.'],
    [['keys', 'create', '--package', 'growth', '--notes', ''], 2, '--notes must not be empty.'],
    [['partners', 'create', 'x'.repeat(201)], 2, 'The name must have at most 200 characters.'],
    [['partners', 'create', 'a\nb'], 2, 'The name must be one line, without line breaks.'],
    [['keys', 'create', '--package', 'growth', '--name', 'a\u0007'], 2, 'The name must not have control characters.'],
    [
      ['keys', 'create', '--package', 'growth', '--notes', 'x'.repeat(2001)],
      2,
      '--notes must have at most 2000 characters.',
    ],
    [['keys', 'set', 'key_x', '--if-revision', '0'], 2, 'Must be an integer of at least 1.'],
  ])('%j is refused with a message', async (args, code, message) => {
    const ran = await run(...args)
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(message)
  })

  test('faults contain fields and facts, never flags', async () => {
    const create = (more: Partial<Parameters<typeof createKey>[2]>) =>
      createKey(admin, actor, { packageName: 'discover', ...more })
    expect(await createPartner(admin, actor, { name: ' ', externalRef: '' })).toEqual({
      fault: 'text_empty',
      fields: ['name', 'external_ref'],
    })
    expect(await create({ packageName: 'transform' })).toEqual({
      fault: 'quota_required',
      fields: ['agreement.quota'],
      package: 'transform',
    })
    expect(await create({ partnerId: 'partner_x' })).toEqual({
      fault: 'partner_unknown',
      fields: ['partner_id'],
      partner: 'partner_x',
    })
    const { id } = await freshKey()
    expectDone(await changeKey(admin, actor, { id, expectedRevision: 1, change: { state: 'revoked' } }))
    const enable = { id, expectedRevision: 2, change: { state: 'active' as const } }
    expect(await changeKey(admin, actor, enable)).toEqual({ fault: 'revocation_final', fields: ['state'], key: id })
    const revoked = { fault: 'key_revoked', fields: ['id'], key: id }
    expect(await rotateKey(admin, actor, { id, expectedRevision: 2, overlapMs: 0 })).toEqual(revoked)
    expect(await pinFeed(admin, actor, { id, expectedRevision: 2, feed: 'geos', version: '1' })).toEqual(revoked)
    const { code, stderr } = await run('keys', 'rotate', id)
    expect([code, stderr]).toEqual([1, expect.stringContaining('is revoked, which is final')])
  })

  test.each([
    [{ agreement: { rate: -5 } }, 'limit_invalid', 'agreement.rate', { limit: 'rate', value: -5, max: 1_000_000 }],
    [{ agreement: { searchRate: 0 } }, 'limit_invalid', 'agreement.searchRate', { whole: false }],
    [{ agreement: { rate: 1_000_001 } }, 'limit_invalid', 'agreement.rate', { value: 1_000_001 }],
    [{ agreement: { quota: 0.5 } }, 'limit_invalid', 'agreement.quota', { limit: 'quota', value: 0.5, whole: true }],
    [{ agreement: { burst: 0 } }, 'limit_invalid', 'agreement.burst', { value: 0 }],
    [{ agreement: { searchQuota: Number.NaN } }, 'limit_invalid', 'agreement.searchQuota', { value: Number.NaN }],
    [{ addOns: ['feeds', 'locations'] }, 'add_on_invalid', 'add_ons', { addOn: 'locations' }],
    [{ scope: { countries: ['ES', 'spain'] } }, 'scope_invalid', 'scope.countries', { value: 'spain' }],
    [{ scope: { countries: ['es'] } }, 'scope_invalid', 'scope.countries', { restriction: 'countries', value: 'es' }],
    [{ scope: { sources: [''] } }, 'scope_invalid', 'scope.sources', { value: '' }],
    [
      { scope: { sources: ['a', 'x'.repeat(201)] } },
      'source_invalid',
      'scope.sources',
      { problem: 'too_long', max: 200 },
    ],
    [{ scope: { sources: ['a\nb'] } }, 'source_invalid', 'scope.sources', { problem: 'not_one_line' }],
    [{ scope: { sources: Array(251).fill('a') } }, 'values_too_many', 'scope.sources', { max: 250 }],
    [{ scope: { countries: Array(251).fill('ES') } }, 'values_too_many', 'scope.countries', { max: 250 }],
    [{ scope: { categories: Array(251).fill('HOTEL') } }, 'values_too_many', 'scope.categories', { max: 250 }],
    [{ addOns: Array(251).fill('feeds') }, 'values_too_many', 'add_ons', {}],
  ] satisfies [Pick<KeyChange, 'addOns' | 'agreement' | 'scope'>, string, string, object][])(
    'a new or changed key cannot have %j',
    async (terms, fault, field, facts) => {
      const expected = { fault, fields: [field], ...facts }
      expect(await createKey(admin, actor, { packageName: 'discover', ...terms })).toMatchObject(expected)
      const { id } = await freshKey()
      expect(await changeKey(admin, actor, { id, expectedRevision: 1, change: terms })).toMatchObject(expected)
      expect((await admin.keys.key(id, everything))?.revision).toBe(1)
    },
  )

  test.each([-1e15, -1, 0.5, Number.NaN, 1e15])('a rotation cannot have an overlap of %d ms', async overlapMs => {
    const { key, secret } = expectDone(await createKey(admin, actor, { packageName: 'discover' }))
    const refused = await rotateKey(admin, actor, { id: key.id, expectedRevision: 1, overlapMs })
    expect(refused).toEqual({ fault: 'overlap_invalid', fields: ['overlap_ms'], overlapMs, maxMs: 86_400_000_000_000 })
    expect(await secretsOf(secret)).toBeUndefined()
  })

  test.each([
    [{ expiresMs: Number.NaN }, 'end_invalid', 'expires_at'],
    [{ expiresMs: 8.64e15 }, 'end_invalid', 'expires_at'],
    [{ networks: ['10.0.0.0/8', 'here'] }, 'network_invalid', 'networks'],
    [{ networks: Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`) }, 'networks_too_many', 'networks'],
  ])('a new or changed key cannot have %j', async (bounds, fault, field) => {
    expect(await createKey(admin, actor, { packageName: 'discover', ...bounds })).toMatchObject({
      fault,
      fields: [field],
    })
    const { id } = await freshKey()
    expect(await changeKey(admin, actor, { id, expectedRevision: 1, change: bounds })).toMatchObject({ fault })
    expect((await admin.keys.key(id, everything))?.revision).toBe(1)
  })

  test('ensures a partner with a fixed id once, and keeps the one that exists', async () => {
    const fixed = { id: 'fixed', name: 'Fixed' }
    const created = expectDone(await ensurePartner(admin, actor, fixed))
    expect(created).toMatchObject({ ...fixed, revision: 1 })
    expect(await ensurePartner(admin, actor, { id: 'fixed', name: 'Other' })).toEqual(created)
    expect(await ensurePartner(admin, actor, { id: '', name: ' ' })).toEqual({
      fault: 'text_empty',
      fields: ['id', 'name'],
    })
  })

  test('two concurrent first keys share the default partner', async () => {
    const fresh = configFor(`${folder.path}/fresh`)
    const [one, other] = [openAdmin(fresh), openAdmin(fresh)]
    const made = await Promise.all([one, other].map(each => createKey(each, actor, { packageName: 'growth' })))
    expect(made.map(outcome => expectDone(outcome).key.partnerId)).toEqual(['default', 'default'])
    expect(await one.keys.partners(everything)).toMatchObject([{ id: 'default', name: 'Default partner' }])
    for (const each of [one, other]) each.close()
  })
})

test('tables are aligned by the display width of characters', async () => {
  const wide = scratch()
  const partners = (...args: string[]) => periplus(['partners', ...args, '--data', wide.path])
  await partners('create', '東京タワー', '--email', 'a@example.org')
  await partners('create', 'Ann', '--email', 'b@example.org')
  const lines = (await partners('list')).stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^id +name {8}email {10}external ref$/)
  expect(lines[1]).toMatch(/^─+ {2}─{10} {2}─{13} {2}─{12}$/)
  expect(lines[2]).toMatch(/ {2}東京タワー {2}a@example.org$/)
  expect(lines[3]).toMatch(/ {2}Ann {9}b@example.org$/)
  wide.remove()
})
