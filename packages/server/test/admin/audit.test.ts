/** The audit and the outbox: each change leaves one line in its transaction, with no name, address, text or secret. */
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneAudit } from '../../src/compose/prune-audit.ts'
import type { AuditQuery } from '../../src/domain/audit-log.ts'
import type { Engine } from '../../src/domain/stores.ts'
import { everything } from '../../src/domain/visibility.ts'
import { openEngine } from '../../src/store/engine.ts'
import { changeKey } from '../../src/usecases/admin/change-key.ts'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { getKey } from '../../src/usecases/admin/get-key.ts'
import { getPartner } from '../../src/usecases/admin/get-partner.ts'
import { listAudit } from '../../src/usecases/admin/list-audit.ts'
import { listKeys } from '../../src/usecases/admin/list-keys.ts'
import { listPartners } from '../../src/usecases/admin/list-partners.ts'
import { periplus } from '../cli.ts'
import { openAdmin } from '../composed.ts'
import { record } from '../record.ts'
import { filesOf } from '../store-files.ts'
import { actor, configFor, importRows, scratch } from '../world.ts'

const folder = scratch()
const config = configFor(folder.path)
const dayMs = 86_400_000
let engine: Engine
let acme: string
let key: string

interface Line {
  readonly partner_id?: string
  readonly action: string
  readonly target: string
  readonly actor_id: string
}

const run = async (...args: string[]) => {
  const result = await periplus([...args, '--data', folder.path, '--json'])
  expect(result.stderr.replace(/^.*cannot use feeds.*$/m, '').replace(/^Key .* no permission.*$/m, '')).toBe('')
  return result.json<Record<string, string>>()
}
const audit = async (...args: string[]) =>
  (await periplus(['audit', 'list', ...args, '--data', folder.path, '--json'])).json<{ audit: Line[] }>().audit
const outbox = (): Record<string, unknown>[] => {
  const db = new Database(filesOf(folder.path).control, { readonly: true })
  const rows = db.prepare('SELECT type, partner, data, unique_key FROM outbox ORDER BY seq').all()
  db.close()
  return rows as Record<string, unknown>[]
}

beforeAll(async () => {
  const place = { source: 's', source_id: 'p1', name: 'Bar', lat: 40, lon: -3, category: 'restaurant' }
  await importRows(config, 'location', [place])
  const review = { source: 's', place_source_id: 'p1', rating: 4, text: 'Fine', published_date: '2026-01-01' }
  await importRows(
    config,
    'review',
    [1, 2, 3].map(i => ({ ...review, source_id: `r${i}`, user_id: `u${i}` })),
  )
  engine = openEngine(openAdminDescriptor(), { create: false })
  acme = (await run('partners', 'create', 'Secret Name', '--email', 'hidden@example.org', '--actor', 'Ada')).id!
  key = (await run('keys', 'create', '--partner', acme, '--package', 'growth', '--name', 'Hidden', '--actor', 'Ada'))
    .id!
})
afterAll(async () => {
  await engine.close()
  folder.remove()
})
const openAdminDescriptor = () => ({ kind: 'sqlite' as const, folder: folder.path })

describe('each changing command', () => {
  test.each([
    [
      () => ['partners', 'set', acme, '--external-ref', 'crm-7'],
      'partner.change',
      () => acme,
      {},
      { external_ref: 'crm-7' },
    ],
    [
      () => ['partners', 'set', acme, '--name', 'Another'],
      'partner.change',
      () => acme,
      { name: true },
      { name: true },
    ],
    [
      () => ['keys', 'set', key, '--package', 'scale'],
      'key.change',
      () => key,
      { package: 'growth' },
      { package: 'scale' },
    ],
    [
      () => ['keys', 'set', key, '--rate', '7', '--countries', 'ES'],
      ...(['key.change', () => key] as const),
      { agreement: {}, scope: {} },
      { agreement: { rate: 7 }, scope: { countries: ['ES'] } },
    ],
    [() => ['keys', 'disable', key], 'key.disable', () => key, { state: 'active' }, { state: 'disabled' }],
    [() => ['keys', 'enable', key], 'key.enable', () => key, { state: 'disabled' }, { state: 'active' }],
    [() => ['keys', 'rotate', key, '--overlap', '1h'], 'key.rotate', () => key, undefined, { overlap_ms: 3_600_000 }],
    [() => ['feeds', 'pin', key, 'geos', '2'], 'pin.move', () => key, { geos: '1' }, { geos: '2' }],
    [() => ['keys', 'revoke', key], 'key.revoke', () => key, { state: 'active' }, { state: 'revoked' }],
    [() => ['reviews', 'hide', '1'], 'review.hide', () => '1', undefined, undefined],
    [() => ['reviews', 'show', '1'], 'review.show', () => '1', undefined, undefined],
    [() => ['reviews', 'erase', '1'], 'review.erase', () => '1', undefined, undefined],
    [() => ['erase', '--user', 's:u2'], 'reviewer.erase', () => 's', undefined, undefined],
  ])('case %# leaves one line', async (args, action, target, before, after) => {
    const earlier = await audit()
    const result = await periplus([...args(), '--actor', 'Grace', '--data', folder.path])
    expect([result.code, result.stdout === '']).toEqual([0, false])
    const [line, ...rest] = await audit()
    expect(rest).toEqual(earlier)
    expect(line).toMatchObject({ action, target: target(), actor_id: 'Grace', actor_kind: 'cli', via: 'cli' })
    if (before) expect(line).toHaveProperty('before', before)
    if (after) expect(line).toMatchObject({ after })
  })

  test.each([
    [() => ['partners', 'set', acme, '--name', 'Another']],
    [() => ['keys', 'set', key, '--package', 'scale']],
    [() => ['keys', 'revoke', key]],
    [() => ['keys', 'enable', key]],
    [() => ['keys', 'rotate', key]],
    [() => ['keys', 'set', key, '--package', 'growth', '--if-revision', '1']],
    [() => ['reviews', 'erase', '1']],
    [() => ['erase', '--user', 's:u2']],
  ])('case %#, which changes nothing or is refused, leaves none', async args => {
    const [lines, events] = [await audit(), outbox()]
    await periplus([...args(), '--data', folder.path])
    expect([await audit(), outbox()]).toEqual([lines, events])
  })

  test('without --actor it is the system user, and a blank actor is refused', async () => {
    await run('partners', 'create', 'Plain')
    expect((await audit())[0]).toMatchObject({ actor_id: expect.stringMatching(/./) })
    const blank = await periplus(['partners', 'create', 'X', '--actor', ' ', '--data', folder.path])
    expect([blank.code, blank.stderr]).toEqual([2, expect.stringContaining('1 to 200 characters')])
  })

  test('the outbox has one event of each change that partners hear of', () => {
    const of = (type: string) => outbox().filter(event => event.type === type)
    for (const type of ['key.created', 'key.rotated', 'key.disabled', 'key.revoked']) {
      expect(of(type)).toMatchObject([{ type, partner: acme, data: expect.stringContaining(key) }])
    }
    expect(of('review.erased').map(({ data }) => JSON.parse(String(data)))).toEqual([{ ids: ['1'] }, { ids: ['2'] }])
  })

  test('no name, e-mail address, secret, text or user is in audit or outbox', async () => {
    const text = JSON.stringify([await audit(), outbox()])
    for (const secret of ['Secret Name', 'hidden@', 'Hidden', 'Another', 'peri_live', 's:u2', 'Fine'])
      expect(text).not.toContain(secret)
  })
})

test('a snapshot has one event when it is published and one when it is withdrawn', async () => {
  await run('keys', 'create', '--partner', acme, '--package', 'innovate', '--quota', 'unlimited')
  const feedEvents = () => outbox().filter(({ type }) => String(type).startsWith('feed.'))
  await run('feeds', 'build', '--full', '--feed', 'reviews')
  await run('feeds', 'build', '--delta', '--feed', 'reviews')
  const published = feedEvents()
  expect(new Set(published.map(({ type }) => type))).toEqual(new Set(['feed.published']))
  expect(new Set(published.map(event => event.unique_key)).size).toBe(2)
  await run('reviews', 'erase', '3')
  const [withdrawn] = feedEvents().slice(published.length)
  expect(withdrawn).toMatchObject({ type: 'feed.withdrawn', partner: null })
  expect(JSON.parse(String(withdrawn?.data))).toMatchObject({ feed: 'reviews', version: '1', reason: 'erased' })
})

describe('audit list', () => {
  test('filters by partner, actor and time, and limits', async () => {
    const all = await audit()
    const ofAcme = all.filter(line => line.partner_id === acme)
    expect(ofAcme.length).toBeGreaterThan(5)
    expect(await audit('--partner', acme)).toEqual(ofAcme)
    expect((await audit('--actor', 'Ada')).map(({ action }) => action)).toEqual(['key.create', 'partner.create'])
    const [{ target }] = ofAcme as [Line]
    expect(await audit('--target', target)).toEqual(all.filter(line => line.target === target))
    expect(await audit('--action', 'key.create')).toEqual(all.filter(line => line.action === 'key.create'))
    expect(await audit('--action', 'key.create', '--target', acme)).toEqual([])
    expect(await audit('--since', '2100-01-01')).toEqual([])
    expect(await audit('--since', '1h')).toEqual(all)
    expect(await audit('--limit', '2')).toEqual(all.slice(0, 2))
    expect((await periplus(['audit', 'list', '--since', 'soon', '--data', folder.path])).code).toBe(2)
    expect((await periplus(['audit', 'list', '--actor', 'Ada', '--data', folder.path])).stdout).toMatch(/key\.create/)
    expect((await periplus(['audit', 'list', '--actor', 'Zoe', '--data', folder.path])).stdout).toBe(
      'No changes yet.\n',
    )
  })

  test('exports CSV in which no cell is run as a formula', async () => {
    await run('partners', 'create', 'Formula', '--actor', '=1+1')
    const { stdout } = await periplus(['audit', 'list', '--csv', '--data', folder.path])
    const [head, first] = stdout.split('\n')
    expect(head).toBe('seq,at,actor_kind,actor_id,via,address,partner_id,action,target,before,after,request_id')
    expect(first).toMatch(/^\d+,20\d\d-.*Z,cli,'=1\+1,cli,,partner_.*,partner\.create,/)
    expect(stdout.trimEnd().split('\n').length).toBe((await audit()).length + 1)
  })

  test('pages do not repeat or omit a line', async () => {
    const query: AuditQuery = { visibility: everything, limit: 3 }
    const seen: number[] = []
    for (let after: number | undefined; ; ) {
      const { lines, next } = await engine.audit.list({ ...query, after })
      seen.push(...lines.map(({ seq }) => seq))
      if (next === undefined) break
      after = next
    }
    const whole = await engine.audit.list({ ...query, limit: 1000 })
    expect(seen).toEqual(whole.lines.map(({ seq }) => seq))
    expect(whole.next).toBeUndefined()
  })
})

test('an actor of one partner sees only what is its own, and the rest as unknown', async () => {
  const admin = openAdmin(config)
  const other = { ...actor, partnerId: 'default' }
  const own = await createKey(admin, actor, { packageName: 'growth' })
  expect(await getKey(admin, other, { id: key })).toEqual({ fault: 'key_unknown', fields: ['id'], key })
  expect(await getPartner(admin, other, { id: acme })).toMatchObject({ fault: 'partner_unknown', partner: acme })
  expect(await listKeys(admin, other)).toEqual(['key' in own && own.key])
  expect((await listPartners(admin, other)).map(({ id }) => id)).toEqual(['default'])
  const change = { id: key, expectedRevision: 1, change: { state: 'active' as const } }
  expect(await changeKey(admin, other, change)).toMatchObject({ fault: 'key_unknown' })
  expect(await createKey(admin, other, { packageName: 'growth', partnerId: acme })).toMatchObject({
    fault: 'partner_unknown',
  })
  const page = await listAudit(engine, other, { limit: 1000 })
  expect('lines' in page && new Set(page.lines.map(({ partnerId }) => partnerId))).toEqual(new Set(['default']))
  admin.close()
})

test('lines and events cannot be changed; old lines are removed, recent ones stay', async () => {
  const old = record('old.change')
  const nowMs = Date.now()
  for (const days of [800, 500, 100])
    await engine.audit.append({ audit: { ...old.audit, atMs: nowMs - days * dayMs, target: `${days} days` } })
  const db = new Database(filesOf(folder.path).control)
  for (const sql of [
    "UPDATE audit SET actor_id = 'nobody'",
    'DELETE FROM audit',
    "UPDATE outbox SET type = 'x'",
    'DELETE FROM outbox',
  ])
    expect(() => db.exec(sql)).toThrow(/cannot be changed|are kept/)
  db.close()
  expect(await pruneAudit(engine.audit, { keepDays: 730, nowMs })).toBe(1)
  expect(await pruneAudit(engine.audit, { keepDays: 1, nowMs })).toBe(1)
  const { lines } = await engine.audit.list({ visibility: everything, action: 'old.change', limit: 10 })
  expect(lines.map(({ target }) => target)).toEqual(['100 days'])
})
