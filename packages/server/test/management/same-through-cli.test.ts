/**
 * Each use case through the command, the admin API and the form of the console: the same rows, the same refusals, and
 * lines of the audit that differ in actor and interface alone.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeIdentity } from '../../src/compose/identity.ts'
import { startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, createToken } from './admin-client.ts'
import { pageClient } from './page-client.ts'
import { addUser, startCookie } from './served-pages.ts'
import { createSides, type Ids, type Sides, type Step } from './sides.ts'

const key = ({ key: id }: Ids) => `/keys/${id}`
const partner = ({ partner: id }: Ids) => `/partners/${id}`
const ofPartner = ({ partner: id }: Ids) => `/console/partners/${id}`
const ofKey = (ids: Ids) => `${ofPartner(ids)}/keys/${ids.key}`
const upgrade = (ids: Ids, verb: string) => `/upgrade-requests/${ids.upgrade}/${verb}`

const plan = ({ partner: id }: Ids, kind: string) => `/portal/${id}/plan/request/${kind}`
const upgradePage = ({ upgrade: id }: Ids) => `/console/upgrades/${id}`

const steps: readonly Step[] = [
  {
    name: 'create a partner',
    cli: () => ['partners', 'create', 'Acme', '--email', 'a@example.org'],
    api: () => ['POST', '/partners', { name: 'Acme', email: 'a@example.org' }],
    form: () => ({ action: '/console/partners/new', fields: { name: 'Acme', email: 'a@example.org' } }),
    saves: 'partner',
  },
  {
    name: 'set the terms of a partner',
    cli: ids => [
      ...['partners', 'set', ids.partner!, '--package', 'growth', '--live-keys', '4', '--zone', 'europe/madrid'],
      ...['--rate', '40', '--countries', 'ES', '--external-ref', 'crm-1'],
    ],
    api: ids => [
      ...(['PATCH', partner(ids)] as const),
      {
        package: 'growth',
        live_keys_max: 4,
        zone: 'europe/madrid',
        external_ref: 'crm-1',
        agreement: { rate: 40 },
        scope: { countries: ['ES'] },
      },
    ],
    form: ids => ({
      action: `${ofPartner(ids)}/edit`,
      fields: {
        ...{ package: 'growth', live_keys_max: '4', zone: 'europe/madrid', external_ref: 'crm-1' },
        ...{ 'agreement.rate': '40', 'scope.countries': 'ES' },
      },
    }),
    of: partner,
  },
  {
    name: 'note something about a partner',
    cli: ids => ['partners', 'note', ids.partner!, 'Pays late.'],
    api: ids => ['POST', `${partner(ids)}/notes`, { text: 'Pays late.' }],
    form: ids => ({ action: `${ofPartner(ids)}/notes`, page: ofPartner(ids), fields: { text: 'Pays late.' } }),
  },
  {
    name: 'create a key',
    cli: ids => [
      'keys',
      'create',
      '--partner',
      ids.partner!,
      '--package',
      'growth',
      '--name',
      'Main',
      '--quota',
      '900',
    ],
    api: ids => [
      ...(['POST', '/keys'] as const),
      { partner_id: ids.partner, package: 'growth', name: 'Main', agreement: { quota: 900 } },
    ],
    // The form proposes the terms of the partner.
    form: ids => ({
      action: `${ofPartner(ids)}/keys/new`,
      fields: {
        ...{ package: 'growth', name: 'Main', 'agreement.rate': '', 'agreement.quota': '900' },
        'scope.countries': '',
      },
    }),
    saves: 'key',
  },
  {
    name: 'change the terms of a key',
    cli: ids => ['keys', 'set', ids.key!, '--package', 'scale', '--quota', 'package', '--categories', 'HOTEL'],
    api: ids => ['PATCH', key(ids), { package: 'scale', agreement: { quota: null }, scope: { categories: ['HOTEL'] } }],
    of: key,
    form: ids => ({
      action: ofKey(ids),
      fields: { package: 'scale', 'agreement.quota': '', 'scope.categories': ['HOTEL'] },
    }),
  },
  {
    name: 'disable a key',
    cli: ids => ['keys', 'disable', ids.key!],
    api: ids => ['PATCH', key(ids), { state: 'disabled' }],
    of: key,
    form: ids => ({ action: `${ofKey(ids)}/state`, page: ofKey(ids), fields: {}, having: 'value="disabled"' }),
  },
  {
    name: 'enable a key',
    cli: ids => ['keys', 'enable', ids.key!],
    api: ids => ['PATCH', key(ids), { state: 'active' }],
    of: key,
    form: ids => ({ action: `${ofKey(ids)}/state`, page: ofKey(ids), fields: {}, having: 'value="active"' }),
  },
  {
    name: 'rotate a key',
    cli: ids => ['keys', 'rotate', ids.key!, '--overlap', '1h'],
    api: ids => ['POST', `${key(ids)}/secrets`, { overlap_seconds: 3600 }],
    form: ids => ({ action: `${ofKey(ids)}/rotate`, page: ofKey(ids), fields: { overlap: '3600' } }),
  },
  {
    name: 'move a pin',
    cli: ids => ['feeds', 'pin', ids.key!, 'geos', '2'],
    api: ids => ['PUT', `${key(ids)}/feed-pins/geos`, { version: '2' }],
    of: key,
    form: ids => ({
      action: `${ofKey(ids)}/feeds/geos/move`,
      page: `${ofKey(ids)}/feeds/geos?version=2`,
      fields: {},
    }),
  },
  {
    name: 'undo the move of a pin',
    cli: ids => ['feeds', 'pin', ids.key!, 'geos', '--undo'],
    api: ids => ['POST', `${key(ids)}/feed-pins/geos/undo`],
    of: key,
    // The console has no button for keys with a scope, which have no feeds.
    form: ids => ({ action: `${ofKey(ids)}/feeds/geos/undo`, page: false, fields: { revision: '6' } }),
  },
  {
    name: 'request an upgrade',
    cli: ids => ['upgrades', 'open', '--key', ids.key!, '--quota', '500000', '--reason', 'We grow.'],
    api: ids => [
      ...(['POST', '/upgrade-requests'] as const),
      { key_id: ids.key, kind: 'quota', quota: 500_000, reason: 'We grow.' },
    ],
    form: ids => ({
      action: plan(ids, 'quota'),
      page: `${plan(ids, 'quota')}?key=${ids.key}`,
      isOfPartner: true,
      fields: { 'agreement.quota': '500000', reason: 'We grow.' },
    }),
    saves: 'upgrade',
  },
  {
    name: 'request the same upgrade again',
    cli: ids => ['upgrades', 'open', '--key', ids.key!, '--quota', '600000', '--reason', 'More.'],
    api: ids => [
      ...(['POST', '/upgrade-requests'] as const),
      { key_id: ids.key, kind: 'quota', quota: 600_000, reason: 'More.' },
    ],
    form: ids => ({
      action: plan(ids, 'quota'),
      page: false,
      isOfPartner: true,
      fields: { key: ids.key!, 'agreement.quota': '600000', reason: 'More.' },
    }),
    refused: 409,
  },
  {
    name: 'approve an upgrade',
    cli: ids => ['upgrades', 'approve', ids.upgrade!, '--rate', '70', '--answer', 'Gladly.'],
    api: ids => ['POST', upgrade(ids, 'approve'), { agreement: { rate: 70 }, answer: 'Gladly.' }],
    form: ids => ({
      action: `${upgradePage(ids)}/approve`,
      page: upgradePage(ids),
      fields: { 'agreement.rate': '70', answer: 'Gladly.' },
    }),
  },
  {
    name: 'approve an upgrade twice',
    cli: ids => ['upgrades', 'approve', ids.upgrade!],
    api: ids => ['POST', upgrade(ids, 'approve'), {}],
    form: ids => ({ action: `${upgradePage(ids)}/approve`, page: false, fields: { revision: '1' } }),
    refused: 409,
  },
  {
    name: 'request a live key',
    cli: ids => ['upgrades', 'open', '--partner', ids.partner!, '--reason', 'A second app.'],
    api: ids => ['POST', '/upgrade-requests', { partner_id: ids.partner, kind: 'live_key', reason: 'A second app.' }],
    form: ids => ({ action: plan(ids, 'live_key'), isOfPartner: true, fields: { reason: 'A second app.' } }),
    saves: 'upgrade',
  },
  {
    name: 'decline an upgrade',
    cli: ids => ['upgrades', 'decline', ids.upgrade!, '--answer', 'Not yet.'],
    api: ids => ['POST', upgrade(ids, 'decline'), { answer: 'Not yet.' }],
    form: ids => ({
      action: `${upgradePage(ids)}/decline`,
      page: upgradePage(ids),
      fields: { answer: 'Not yet.' },
    }),
  },
  {
    name: 'close a partner',
    cli: ids => ['partners', 'close', ids.partner!],
    api: ids => ['PATCH', partner(ids), { state: 'closed' }],
    of: partner,
    form: ids => ({ action: `${ofPartner(ids)}/close`, page: `${ofPartner(ids)}/edit`, fields: {} }),
  },
  {
    name: 'enable a revoked key',
    cli: ids => ['keys', 'enable', ids.key!],
    api: ids => ['PATCH', key(ids), { state: 'active' }],
    of: key,
    // The console shows no button for it.
    form: ids => ({ action: `${ofKey(ids)}/state`, page: false, fields: { state: 'active', revision: '99' } }),
    refused: 409,
    exit: 2,
  },
  {
    name: 'create a key of a closed partner',
    cli: ids => ['keys', 'create', '--partner', ids.partner!, '--package', 'growth'],
    api: ids => ['POST', '/keys', { partner_id: ids.partner, package: 'growth' }],
    form: ids => ({ action: `${ofPartner(ids)}/keys/new`, fields: { package: 'growth' } }),
    refused: 409,
  },
  {
    name: 'open a partner again',
    cli: ids => ['partners', 'open', ids.partner!],
    api: ids => ['PATCH', partner(ids), { state: 'open' }],
    of: partner,
    form: ids => ({ action: `${ofPartner(ids)}/open`, page: `${ofPartner(ids)}/edit`, fields: {} }),
  },
]

let world: World
let admin: AdminClient
let sides: Sides
beforeAll(async () => {
  world = await startWorld({}, 'empty')
  admin = adminClient(world, [await createToken(world), await createToken(world), await createToken(world)])
  const pages = pageClient(world)
  const cookie = pages.cookieOf(await pages.open('owner@example.org', '--role', 'owner'))
  const engine = openConfiguredEngine(world.config, { create: false })
  const stores = { identity: composeIdentity(engine, world.config) }
  let ofPartner: Promise<string> | undefined
  const signIn = async (partnerId: string) => {
    const user = await addUser(stores, 'partner-admin', { memberships: [{ partnerId, role: 'admin' }] })
    const { cookie: own } = await startCookie(stores, user)
    await engine.close()
    return own
  }
  const cookieOf = (partnerId: string) => {
    ofPartner ??= signIn(partnerId)
    return ofPartner
  }
  sides = createSides(world, admin, { cookie, cookieOf })
})
afterAll(() => world.close())

test.each(steps.map(step => [step.name, step] as const))('%s', async (name, step) => {
  await sides.run(step)
  const rows = await sides.rows()
  expect(rows.api, name).toEqual(rows.cli)
  expect(rows.form, name).toEqual(rows.cli)
  expect(rows.cli.audit!.length).toBeGreaterThan(0)
})

test('the lines of the audit name the actor and the interface', async () => {
  const lines = (await admin.get('/audit?limit=5')).body.data as Record<string, unknown>[]
  expect(lines[0]).toMatchObject({ actor_kind: 'user', via: 'portal', action: 'partner.open' })
  expect(lines[1]).toMatchObject({ actor_kind: 'token', via: 'api', action: 'partner.open' })
  for (const line of lines.slice(0, 2)) expect(line).toHaveProperty('request_id')
  expect(lines[2]).toMatchObject({ actor_kind: 'cli', via: 'cli', action: 'partner.open' })
})
