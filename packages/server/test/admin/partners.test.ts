/** Terms, states and notes of partners, through the command. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { scratch } from '../world.ts'

const folder = scratch()
afterAll(() => folder.remove())

const run = (...args: string[]) => periplus([...args, '--data', folder.path, '--json'])
const done = async (...args: string[]) => {
  const result = await run(...args)
  expect([result.code, result.stderr]).toEqual([0, ''])
  return result.json()
}
const newestLine = async () => (await run('audit', 'list', '--limit', '1')).json<{ audit: unknown[] }>().audit[0]
let id: string
beforeEach(async () => {
  id = String((await done('partners', 'create', 'Acme')).id)
})

test('a new partner makes no live keys; its terms are set and removed one by one', async () => {
  const fresh = await done('partners', 'show', id)
  expect(fresh).toMatchObject({ agreement: {}, scope: {}, live_keys_max: 1, state: 'open', notes: [] })
  expect(fresh).not.toHaveProperty('package')
  const terms = ['--package', 'growth', '--live-keys', '3', '--zone', 'europe/madrid', '--rate', '40', '--quota', '900']
  const changed = await done('partners', 'set', id, ...terms, '--countries', 'ES,PT', '--subject', 'partner')
  expect(changed).toMatchObject({
    package: 'growth',
    live_keys_max: 3,
    zone: 'Europe/Madrid',
    revision: 2,
    agreement: { rate: 40, quota: 900, subject: 'partner' },
    scope: { countries: ['ES', 'PT'] },
  })
  expect(await newestLine()).toMatchObject({
    action: 'partner.change',
    partner_id: id,
    target: id,
    before: { agreement: {}, scope: {}, live_keys_max: 1 },
    after: { package: 'growth', live_keys_max: 3, zone: 'Europe/Madrid' },
  })
  const removal = ['--no-package', '--no-zone', '--rate', 'package', '--countries', 'all']
  const removed = await done('partners', 'set', id, ...removal)
  expect(removed).toMatchObject({ agreement: { quota: 900, subject: 'partner' }, scope: {}, live_keys_max: 3 })
  expect(Object.keys(removed)).not.toEqual(expect.arrayContaining(['zone']))
  expect(removed).not.toHaveProperty('package')
})

test.each([
  [['--live-keys', '-1'], 2, 'integer'],
  [['--live-keys', '1001'], 2, '--live-keys must be an integer from 0 to 1000, not 1001.'],
  [['--zone', 'Europe/Nowhere'], 2, 'Europe/Nowhere'],
  [['--rate', '0'], 2, '--rate'],
  [['--countries', 'Spain'], 2, '--countries'],
  [['--package', 'huge'], 2, 'Allowed choices'],
  [['--live-keys', '2', '--if-revision', '7'], 1, 'revision'],
])('refuses %j', async (flags, code, text) => {
  const refused = await run('partners', 'set', id, ...flags)
  expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(text)])
  expect(await done('partners', 'show', id)).toMatchObject({ revision: 1 })
})

test('closing a partner permanently revokes its keys, and it gets no new ones until it is opened', async () => {
  const key = await done('keys', 'create', '--partner', id, '--package', 'growth')
  const other = await done('keys', 'create', '--package', 'growth')
  expect(await done('partners', 'close', id)).toMatchObject({ state: 'closed', revision: 2 })
  expect(await newestLine()).toMatchObject({
    action: 'partner.close',
    before: { state: 'open' },
    after: { state: 'closed', revoked_keys: [key.id] },
  })
  expect(await done('keys', 'show', String(key.id))).toMatchObject({ state: 'revoked', revision: 2 })
  expect(await done('keys', 'show', String(other.id))).toMatchObject({ state: 'active' })
  const refused = await run('keys', 'create', '--partner', id, '--package', 'growth')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `Partner ${id} is closed. Run 'periplus partners open ${id}' to open it again.\n`,
  ])
  expect(await done('partners', 'close', id)).toMatchObject({ revision: 2 })
  expect(await done('partners', 'open', id)).toMatchObject({ state: 'open', revision: 3 })
  expect(await done('keys', 'show', String(key.id))).toMatchObject({ state: 'revoked' })
  await done('keys', 'create', '--partner', id, '--package', 'growth')
})

test('notes are shown with the partner, newest first, and their text is not in the audit', async () => {
  await done('partners', 'note', id, 'Pays late.', '--actor', 'Ada')
  expect(await newestLine()).toMatchObject({ action: 'partner.note', actor_id: 'Ada', after: { text: true } })
  await done('partners', 'note', id, 'Pays now.')
  const { notes } = await done('partners', 'show', id)
  expect(notes).toMatchObject([{ text: 'Pays now.' }, { text: 'Pays late.', by: 'Ada', partner_id: id }])
  expect((await run('partners', 'note', id, ' ')).stderr).toBe('The text must not be empty.\n')
  expect((await run('partners', 'note', 'partner_none', 'x')).code).toBe(1)
})
