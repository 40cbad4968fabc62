/** Upgrade requests of partners: opened, withdrawn, declined, and approved in one transaction with their change. */
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import { approveUpgrade } from '../../src/usecases/admin/approve-upgrade.ts'
import { changeKey } from '../../src/usecases/admin/change-key.ts'
import { findUpgrade } from '../../src/usecases/admin/find-upgrade.ts'
import { getKey } from '../../src/usecases/admin/get-key.ts'
import { listUpgrades } from '../../src/usecases/admin/list-upgrades.ts'
import { openUpgrade } from '../../src/usecases/admin/open-upgrade.ts'
import { withdrawUpgrade } from '../../src/usecases/admin/withdraw-upgrade.ts'
import { periplus } from '../cli.ts'
import { openAdmin } from '../composed.ts'
import { filesOf } from '../store-files.ts'
import { actor, configFor, scratch } from '../world.ts'

const folder = scratch()
const admin = openAdmin(configFor(folder.path))
afterAll(() => {
  admin.close()
  folder.remove()
})

const run = (...args: string[]) => periplus([...args, '--data', folder.path, '--json'])
const done = async (...args: string[]) => {
  const result = await run(...args)
  expect([result.code, result.stderr]).toEqual([0, ''])
  return result.json()
}
const newestLines = async (limit: number) =>
  (await run('audit', 'list', '--limit', String(limit))).json<{ audit: unknown[] }>().audit
const events = () => {
  const db = new Database(filesOf(folder.path).control, { readonly: true })
  const rows = db.prepare("SELECT type, partner FROM outbox WHERE type LIKE 'upgrade.%' ORDER BY seq").all()
  db.close()
  return rows as { type: string; partner: string }[]
}
let partner: string
let key: string
const open = (...args: string[]) => done('upgrades', 'open', '--key', key, '--reason', 'We grow.', ...args)

beforeAll(async () => {
  partner = String((await done('partners', 'create', 'Acme')).id)
})
beforeEach(async () => {
  key = String((await done('keys', 'create', '--partner', partner, '--package', 'growth')).id)
})

test.each([
  [['--package', 'scale'], [], { package: 'scale' }, { package: 'growth' }, { package: 'scale' }],
  [
    ['--package', 'transform'],
    ['--quota', '5000000'],
    { package: 'transform' },
    { package: 'growth', agreement: {} },
    { package: 'transform', agreement: { quota: 5_000_000 } },
  ],
  [['--add-on', 'feeds'], [], { add_ons: ['feeds'] }, { add_ons: [] }, { add_ons: ['feeds'] }],
  [['--quota', '90000'], [], {}, { agreement: {} }, { agreement: { quota: 90_000 } }],
  [
    ['--quota', '90000'],
    ['--quota', '80000', '--rate', '30'],
    {},
    { agreement: {} },
    { agreement: { quota: 80_000, rate: 30 } },
  ],
])('approval of %j with %j changes the key', async (asked, agreed, shown, before, after) => {
  const request = await open(...asked)
  expect(request).toMatchObject({ key_id: key, partner_id: partner, state: 'open', reason: 'We grow.', revision: 1 })
  const approved = await done(
    'upgrades',
    'approve',
    String(request.id),
    ...agreed,
    '--answer',
    'Gladly.',
    '--actor',
    'Ada',
  )
  expect(approved).toMatchObject({ state: 'approved', decided_by: 'Ada', answer: 'Gladly.', revision: 2 })
  expect(await done('keys', 'show', key)).toMatchObject({ ...shown, revision: 2 })
  expect(await newestLines(2)).toMatchObject([
    {
      action: 'upgrade.approve',
      target: request.id,
      before: { state: 'open' },
      after: { state: 'approved', answer: true },
    },
    { action: 'key.change', target: key, actor_id: 'Ada', before, after },
  ])
  expect(events().slice(-2)).toEqual([
    { type: 'upgrade.requested', partner },
    { type: 'upgrade.approved', partner },
  ])
})

test('approval of a live key raises the number that the partner may make, in the requested package', async () => {
  const request = await done(
    'upgrades',
    'open',
    '--partner',
    partner,
    '--package',
    'scale',
    '--reason',
    'A second app.',
  )
  expect(request).toMatchObject({ kind: 'live_key', package: 'scale' })
  await done('upgrades', 'approve', String(request.id), '--rate', '60')
  expect(await done('partners', 'show', partner)).toMatchObject({
    live_keys_max: 2,
    package: 'scale',
    agreement: { rate: 60 },
  })
})

test('a request can be declined or withdrawn once, and changes nothing', async () => {
  const declined = await open('--package', 'scale')
  await done('upgrades', 'decline', String(declined.id), '--answer', 'Not yet.')
  const withdrawn = await open('--package', 'scale')
  await done('upgrades', 'withdraw', String(withdrawn.id))
  expect(await done('keys', 'show', key)).toMatchObject({ package: 'growth', revision: 1 })
  for (const verb of ['approve', 'withdraw']) {
    const refused = await run('upgrades', verb, String(declined.id))
    expect([refused.code, refused.stderr]).toEqual([1, `Upgrade request ${declined.id} is already declined.\n`])
  }
  const { upgrades } = await done('upgrades', 'list', '--state', 'all', '--partner', partner)
  expect(upgrades).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: declined.id, state: 'declined', answer: 'Not yet.' }),
      expect.objectContaining({ id: withdrawn.id, state: 'withdrawn' }),
    ]),
  )
  expect((await done('upgrades', 'list')).upgrades).toEqual([])
})

test('only one request of a kind is open for a key', async () => {
  const first = await open('--package', 'scale')
  const second = await run('upgrades', 'open', '--key', key, '--package', 'innovate', '--reason', 'More.')
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('already has an open request')])
  const other = await open('--add-on', 'feeds')
  expect((await done('upgrades', 'list')).upgrades).toMatchObject([{ id: other.id }, { id: first.id }])
  for (const { id } of [first, other]) await done('upgrades', 'withdraw', String(id))
})

test.each([
  [['--package', 'growth', '--reason', 'x'], 1, 'already has what is requested'],
  [['--quota', '50000', '--reason', 'x'], 1, 'already has what is requested'],
  [['--quota', '0', '--reason', 'x'], 2, '--quota'],
  [['--quota', 'many', '--reason', 'x'], 2, '--quota'],
  [['--package', 'scale', '--reason', ' '], 2, 'must not be empty'],
  [['--package', 'scale'], 2, '--reason'],
  [['--package', 'scale', '--quota', '9', '--reason', 'x'], 2, 'Specify one of'],
  [['--reason', 'x'], 2, 'Specify one of'],
])('refuses to open %j', async (flags, code, text) => {
  const refused = await run('upgrades', 'open', '--key', key, ...flags)
  expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(text)])
})

test('test keys, revoked keys and closed partners get no upgrade', async () => {
  const trial = String((await done('keys', 'create', '--partner', partner, '--package', 'growth', '--test')).id)
  const of = (id: string) => run('upgrades', 'open', '--key', id, '--package', 'scale', '--reason', 'x')
  expect((await of(trial)).stderr).toContain('is a test key')
  const request = await open('--package', 'scale')
  await done('keys', 'revoke', key)
  expect((await of(key)).code).toBe(1)
  expect((await run('upgrades', 'approve', String(request.id))).stderr).toContain('revoked')
  const closed = String((await done('partners', 'create', 'Gone')).id)
  await done('partners', 'close', closed)
  expect((await run('upgrades', 'open', '--partner', closed, '--reason', 'x')).stderr).toContain('is closed')
  await done('upgrades', 'withdraw', String(request.id))
})

test('an approval without the quota that the package requires is refused', async () => {
  const request = await open('--package', 'innovate')
  const refused = await run('upgrades', 'approve', String(request.id))
  expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('quota')])
  expect(await done('upgrades', 'show', String(request.id))).toMatchObject({ state: 'open', revision: 1 })
  await done('upgrades', 'withdraw', String(request.id))
})

test('two operators decide one request once, and a key that changed meanwhile is not overwritten', async () => {
  const input = { keyId: key, ask: { kind: 'package', packageName: 'scale' }, reason: 'x' } as const
  const request = await openUpgrade(admin, actor, input)
  if (isAdminFault(request)) throw new Error(request.fault)
  const approval = { id: request.id, expectedRevision: 1 }
  const outcomes = await Promise.all([1, 2].map(() => approveUpgrade(admin, actor, approval)))
  expect(outcomes.filter(isAdminFault)).toMatchObject([{ fault: 'upgrade_decided', state: 'approved' }])
  const next = await openUpgrade(admin, actor, { ...input, ask: { kind: 'package', packageName: 'discover' } })
  if (isAdminFault(next)) throw new Error(next.fault)
  const rename = { id: key, expectedRevision: 2, change: { name: 'Renamed' } }
  const readThenChanged: typeof admin.keys.key = async (id, visibility) => {
    const read = await admin.keys.key(id, visibility)
    await changeKey(admin, actor, rename)
    return read
  }
  const stores = { ...admin, keys: { ...admin.keys, key: readThenChanged } }
  expect(await approveUpgrade(stores, actor, { id: next.id, expectedRevision: 1 })).toMatchObject({
    fault: 'changed_meanwhile',
    resource: 'key',
    id: key,
    expectedRevision: 2,
    revision: 3,
  })
  expect(await getKey(admin, actor, { id: key })).toMatchObject({ name: 'Renamed', packageName: 'scale' })
  expect(await findUpgrade(admin.upgrades, actor, next.id)).toMatchObject({ state: 'open', revision: 1 })
})

test('a failure in the middle of an approval leaves request and key as they were', async () => {
  const request = await open('--package', 'scale')
  const db = new Database(filesOf(folder.path).control)
  db.exec(`CREATE TRIGGER fails BEFORE INSERT ON outbox WHEN new.type = 'upgrade.approved' BEGIN
    SELECT RAISE(ABORT, 'the disk failed'); END`)
  const lines = await newestLines(3)
  await expect(approveUpgrade(admin, actor, { id: String(request.id), expectedRevision: 1 })).rejects.toThrow()
  db.exec('DROP TRIGGER fails')
  db.close()
  expect(await done('upgrades', 'show', String(request.id))).toMatchObject({ state: 'open', revision: 1 })
  expect(await done('keys', 'show', key)).toMatchObject({ package: 'growth', revision: 1 })
  expect(await newestLines(3)).toEqual(lines)
})

test('another partner sees neither key nor request', async () => {
  const request = await open('--add-on', 'feeds')
  const id = String(request.id)
  const other = { ...actor, partnerId: 'partner_other' }
  const unknown = { fault: 'upgrade_unknown', fields: ['id'], upgrade: id }
  expect(await findUpgrade(admin.upgrades, other, id)).toEqual(unknown)
  expect(await withdrawUpgrade(admin, other, { id, expectedRevision: 1 })).toEqual(unknown)
  expect(await listUpgrades(admin, other, {})).toEqual([])
  const ask = { kind: 'quota', quota: 9 } as const
  expect(await openUpgrade(admin, other, { keyId: key, ask, reason: 'x' })).toMatchObject({ fault: 'key_unknown' })
  const live = { ask: { kind: 'live_key' } as const, partnerId: partner, reason: 'x' }
  expect(await openUpgrade(admin, other, live)).toMatchObject({ fault: 'partner_unknown' })
  expect(await getKey(admin, actor, { id: key })).toMatchObject({ revision: 1 })
})
