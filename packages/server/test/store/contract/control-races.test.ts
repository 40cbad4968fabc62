import { expect, test } from 'vitest'
import type { AdminPermission } from '../../../src/domain/admin-permission.ts'
import { createTestKey } from '../../../src/domain/key.fixture.ts'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { record } from '../../record.ts'
import { type ControlStores, describeControl, digestOf, userNamed } from './control.ts'

const key = (id: string, more = {}) => createTestKey({ id, partnerId: 'acme', createdMs: 100, ...more })
const addKey = ({ keys }: ControlStores, id: string, more = {}) =>
  keys.createKey(key(id, more), { digest: digestOf(id) }, record())
const link = { purpose: 'owner', email: 'o@example.org', role: 'owner', createdMs: 0, expiresMs: 9 } as const
const upgrade = (id: string) => ({
  id,
  partnerId: 'acme',
  keyId: 'k0',
  ask: { kind: 'quota', quota: 5 } as const,
  reason: 'More',
  state: 'open' as const,
  by: 'ann',
  createdMs: 0,
  revision: 1,
})

interface Race {
  readonly rule: string
  /** Prepares what the callers act on. */
  readonly before?: (stores: ControlStores) => Promise<unknown>
  /** An attempt of one of several callers at the same time. */
  readonly act: (stores: ControlStores, caller: number) => Promise<unknown>
  /** The outcomes of all callers, sorted as texts; an object is `done`. */
  readonly outcomes: readonly string[]
}

const admin = { memberships: [{ partnerId: 'acme', role: 'admin' as const }] }
const owner = { staffRole: 'owner' as const }
const refused = (count: number, outcome = 'undefined') => Array<string>(count).fill(outcome)

const races: readonly Race[] = [
  {
    rule: 'an owner remains when all owners are disabled',
    before: async ({ people }) => {
      for (const id of ['ow0', 'ow1', 'ow2', 'ow3']) await people.users.create(userNamed(id, owner), record())
    },
    act: ({ people }, n) => people.users.update(`ow${n}`, 1, { state: 'disabled' }, record()),
    outcomes: ['done', 'done', 'done', 'last_owner'],
  },
  {
    rule: 'an owner remains when owners are erased or changed to operators',
    before: async ({ people }) => {
      for (const id of ['oe0', 'oe1', 'oe2']) await people.users.create(userNamed(id, owner), record())
    },
    act: ({ people }, n) =>
      n % 2 === 0
        ? people.users.erase(n === 0 ? 'oe0' : 'oe1', record())
        : people.users.update(n === 1 ? 'oe2' : 'ow0', 1, { staffRole: 'operator' }, record()),
    outcomes: [],
  },
  {
    rule: 'an admin remains at each partner',
    before: async ({ people }) => {
      for (const id of ['ad0', 'ad1', 'ad2', 'ad3']) await people.users.create(userNamed(id, admin), record())
    },
    act: ({ people }, n) => people.users.update(`ad${n}`, 1, { memberships: [] }, record()),
    outcomes: ['done', 'done', 'done', 'last_admin'],
  },
  {
    rule: 'an e-mail address has one user',
    act: ({ people }, n) => people.users.create(userNamed(`em${n}`, { email: 'one@example.org' }), record()),
    outcomes: ['false', 'false', 'false', 'true'],
  },
  {
    rule: 'an e-mail address is changed to by one user',
    before: async ({ people }) => {
      for (const id of ['ec0', 'ec1', 'ec2', 'ec3']) await people.users.create(userNamed(id), record())
    },
    act: ({ people }, n) => people.users.update(`ec${n}`, 1, { email: 'wanted@example.org' }, record()),
    outcomes: ['done', ...refused(3, 'email_used')],
  },
  {
    rule: 'a revision of a user is changed once',
    before: ({ people }) => people.users.create(userNamed('rev'), record()),
    act: ({ people }, n) => people.users.update('rev', 1, { name: `${n}` }, record()),
    outcomes: [...refused(3, 'changed_meanwhile'), 'done'].sort(),
  },
  {
    rule: 'a link is used once',
    before: ({ people }) => people.links.add(link, digestOf('link'), record()),
    act: ({ people }, n) =>
      people.links.use({ digest: digestOf('link'), nowMs: 1, user: { create: userNamed(`li${n}`) } }, record()),
    outcomes: ['false', 'false', 'false', 'true'],
  },
  {
    rule: 'an open sign-in is taken once',
    before: ({ people }) => people.signIns.add({ kind: 'oidc', data: '{}', expiresMs: 9 }, digestOf('sign-in'), 0),
    act: ({ people }) => people.signIns.take(digestOf('sign-in'), 'oidc', 0),
    outcomes: ['done', ...refused(3)],
  },
  {
    rule: 'a recovery code is used once',
    before: ({ people }) => people.credentials.change('rev', { recoveryCodes: [digestOf('code')] }, record()),
    act: ({ people }) => people.credentials.useRecoveryCode('rev', digestOf('code')),
    outcomes: ['false', 'false', 'false', 'true'],
  },
  {
    rule: 'a code of a time step is used once',
    before: ({ people }) => people.credentials.change('rev', { totp: { secret: Buffer.from('s'), step: 1 } }, record()),
    act: ({ people }) => people.credentials.useTotpStep('rev', 2),
    outcomes: ['false', 'false', 'false', 'true'],
  },
  {
    rule: 'a partner makes at most three test keys',
    act: ({ keys }, n) =>
      keys.createOwnKey(
        key(`test${n}`, { test: true }),
        { digest: digestOf(`test${n}`) },
        { nowMs: 100, liveKeysMax: 1 },
        record(),
      ),
    outcomes: ['created', 'created', 'created', 'held'],
  },
  {
    rule: 'a partner makes as many live keys as it may have',
    act: ({ keys }, n) =>
      keys.createOwnKey(key(`live${n}`), { digest: digestOf(`live${n}`) }, { nowMs: 100, liveKeysMax: 2 }, record()),
    outcomes: ['created', 'created', 'held', 'held'],
  },
  {
    rule: 'a partner is created once',
    act: ({ keys }) =>
      keys.createPartner({ id: 'once', name: 'Once', ...newPartnerTerms, createdMs: 0, revision: 1 }, record()),
    outcomes: ['false', 'false', 'false', 'true'],
  },
  {
    rule: 'a revision of a partner is changed once',
    act: ({ keys }, n) => keys.updatePartner('once', 1, { name: `${n}` }, record()),
    outcomes: ['done', ...refused(3)],
  },
  {
    rule: 'a revision of a key is changed once, by any change',
    before: stores => addKey(stores, 'k0'),
    act: ({ keys }, n) =>
      [
        () => keys.updateKey('k0', 1, { name: 'A' }, record()),
        () => keys.addSecret('k0', 1, { digest: digestOf('k0b'), createdMs: 1, othersExpireMs: 2 }, record()),
        () => keys.endSecret('k0', 1, { id: '1', endMs: 5 }, record()),
        () => keys.pinFeed(1, { keyId: 'k0', feed: 'geos', from: '1', to: '2', by: 'a', atMs: 0 }, record()),
      ][n]!(),
    outcomes: ['done', ...refused(3)],
  },
  {
    rule: 'secrets of an explorer have different ids',
    act: ({ keys }, n) =>
      keys.addExplorerSecret(
        key('explorer_acme', { test: true }),
        { digest: digestOf(`ex${n}`), expiresMs: 9 },
        record(),
      ),
    outcomes: ['true', 'true', 'true', 'true'],
  },
  {
    rule: 'an upgrade is open once',
    act: ({ upgrades }, n) => upgrades.open(upgrade(`up${n}`), record()),
    outcomes: ['false', 'false', 'false', 'true'],
  },
  {
    rule: 'an upgrade is decided once',
    before: async ({ upgrades }) => {
      const [open] = await upgrades.list(everything, 'open')
      await upgrades.decide(open!.id, 1, { state: 'withdrawn', by: 'a', atMs: 0 }, undefined, record())
      await upgrades.open(upgrade('decided'), record())
    },
    act: ({ upgrades }, n) => {
      const decision = { state: n % 2 ? 'approved' : 'declined', by: 'op', atMs: 0 } as const
      return upgrades.decide('decided', 1, decision, undefined, record())
    },
    outcomes: ['done', ...refused(3)],
  },
  {
    rule: 'a token is revoked once',
    before: ({ tokens }) => {
      const permissions: AdminPermission[] = []
      const token = { id: 't', name: 't', permissions, maker: 'a', createdMs: 0, expiresMs: 9 }
      return tokens.create(token, digestOf('t'), record())
    },
    act: ({ tokens }) => tokens.revoke('t', 1, record()),
    outcomes: ['done', ...refused(3)],
  },
  {
    rule: 'a request with an Idempotency-Key is reserved once',
    act: ({ idempotency }) =>
      idempotency.reserve({ tokenId: 't', keyDigest: digestOf('i') }, digestOf('b'), { nowMs: 1, expiredMs: 0 }),
    outcomes: ['done', 'done', 'done', 'undefined'],
  },
  {
    rule: 'a revision of an endpoint is changed once',
    before: ({ webhooks }) => {
      const endpoint = { id: 'w', url: 'https://w', types: ['key.created'], createdMs: 0, revision: 1 } as const
      return webhooks.addEndpoint({ ...endpoint, state: 'active' }, digestOf('w'), record())
    },
    act: ({ webhooks }, n) =>
      n % 2
        ? webhooks.updateEndpoint('w', 1, { state: 'paused' }, record())
        : webhooks.rotateSecret('w', 1, digestOf('x'), 9, record()),
    outcomes: ['done', ...refused(3)],
  },
  {
    rule: 'an event is delivered once',
    before: ({ audit }) => audit.appendEvents([{ type: 'key.created', atMs: 5, data: {}, uniqueKey: 'event' }]),
    act: ({ events }) => events.fanOut(9),
    outcomes: ['0', '0', '0', '1'],
  },
  {
    rule: 'a waiting job is taken once',
    before: ({ jobs }) => {
      const actor = { kind: 'cli', id: 'a', via: 'cli' } as const
      return jobs.add({ id: 'job_1', kind: 'import', actor, request: {}, createdMs: 0 }, record())
    },
    act: ({ jobs }) => jobs.take('job_1'),
    outcomes: ['done', ...refused(3)],
  },
]

const textOf = (outcome: unknown): string => (typeof outcome === 'object' ? 'done' : String(outcome))

describeControl('rules that two processes test and act on', open => {
  test('hold for four callers at the same time', async () => {
    const [one, other] = open()
    await one.keys.createPartner({ id: 'acme', name: 'A', ...newPartnerTerms, createdMs: 0, revision: 1 }, record())
    for (const { rule, before, act, outcomes } of races) {
      await before?.(one)
      const found = await Promise.all([one, other, one, other].map((stores, caller) => act(stores, caller)))
      if (outcomes.length > 0) expect(found.map(textOf).sort(), rule).toEqual(outcomes)
      expect(await other.people.users.hasOwner(), rule).toBe(true)
    }
    const ids = (await one.keys.secrets('explorer_acme')).map(({ id }) => id)
    expect(ids).toEqual(['1', '2', '3', '4'])
  })

  test('a reader of the outbox that has seen a number never misses an earlier one', async () => {
    const [one, other] = open()
    const count = 40
    const draft = (n: number) => ({ type: 'key.created', atMs: 5, data: {}, uniqueKey: `seen ${n}` }) as const
    let isDone = false
    const seen: number[] = []
    const read = async (): Promise<void> => {
      const order = { by: 'time', isDescending: false } as const
      for (let after = 0; ; ) {
        const wasDone = isDone
        const { rows } = await other.webhooks.events({ visibility: everything, order, after, limit: 100 })
        seen.push(...rows.map(({ seq }) => seq))
        after = rows.at(-1)?.seq ?? after
        if (wasDone) return
      }
    }
    const write = async (stores: ControlStores, writer: number): Promise<void> => {
      for (let n = writer; n < count; n += 4) await stores.events.add([draft(n), draft(0)])
    }
    const reading = read()
    await Promise.all([one, other, one, other].map(write)).finally(() => {
      isDone = true
    })
    await reading
    const { rows } = await one.webhooks.events({ visibility: everything, limit: 1000 })
    expect(rows.length).toBeGreaterThanOrEqual(count)
    expect(seen).toEqual(rows.map(({ seq }) => seq).reverse())
  })
})
