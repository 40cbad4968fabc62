/**
 * Each use case through the command and through the admin API: the same rows, the same refusals, and lines of the audit
 * that differ in actor and interface alone.
 */
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { filesOf } from '../store-files.ts'
import { startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, createToken } from './admin-client.ts'

type Ids = Readonly<Record<string, string>>

/** One use case. `saves` names the id of the created resource for later steps. */
interface Step {
  readonly name: string
  readonly cli: (ids: Ids) => readonly string[]
  readonly api: (ids: Ids) => readonly [method: string, path: string, body?: object]
  readonly saves?: string
  /** Path of the resource whose revision a change names. */
  readonly of?: (ids: Ids) => string
  /** Status of a refusal, and the exit code of the command: 1 unless named. */
  readonly refused?: number
  readonly exit?: number
}

const key = ({ key: id }: Ids) => `/keys/${id}`
const partner = ({ partner: id }: Ids) => `/partners/${id}`
const upgrade = (ids: Ids, verb: string) => `/upgrade-requests/${ids.upgrade}/${verb}`

const steps: readonly Step[] = [
  {
    name: 'create a partner',
    cli: () => ['partners', 'create', 'Acme', '--email', 'a@example.org'],
    api: () => ['POST', '/partners', { name: 'Acme', email: 'a@example.org' }],
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
        ...{ package: 'growth', live_keys_max: 4, zone: 'europe/madrid', external_ref: 'crm-1' },
        ...{ agreement: { rate: 40 }, scope: { countries: ['ES'] } },
      },
    ],
    of: partner,
  },
  {
    name: 'note something about a partner',
    cli: ids => ['partners', 'note', ids.partner!, 'Pays late.'],
    api: ids => ['POST', `${partner(ids)}/notes`, { text: 'Pays late.' }],
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
    saves: 'key',
  },
  {
    name: 'change the terms of a key',
    cli: ids => ['keys', 'set', ids.key!, '--package', 'scale', '--quota', 'package', '--categories', 'HOTEL'],
    api: ids => ['PATCH', key(ids), { package: 'scale', agreement: { quota: null }, scope: { categories: ['HOTEL'] } }],
    of: key,
  },
  {
    name: 'disable a key',
    cli: ids => ['keys', 'disable', ids.key!],
    api: ids => ['PATCH', key(ids), { state: 'disabled' }],
    of: key,
  },
  {
    name: 'enable a key',
    cli: ids => ['keys', 'enable', ids.key!],
    api: ids => ['PATCH', key(ids), { state: 'active' }],
    of: key,
  },
  {
    name: 'rotate a key',
    cli: ids => ['keys', 'rotate', ids.key!, '--overlap', '1h'],
    api: ids => ['POST', `${key(ids)}/secrets`, { overlap_seconds: 3600 }],
  },
  {
    name: 'move a pin',
    cli: ids => ['feeds', 'pin', ids.key!, 'geos', '2'],
    api: ids => ['PUT', `${key(ids)}/feed-pins/geos`, { version: '2' }],
    of: key,
  },
  {
    name: 'undo the move of a pin',
    cli: ids => ['feeds', 'pin', ids.key!, 'geos', '--undo'],
    api: ids => ['POST', `${key(ids)}/feed-pins/geos/undo`],
    of: key,
  },
  {
    name: 'request an upgrade',
    cli: ids => ['upgrades', 'open', '--key', ids.key!, '--quota', '500000', '--reason', 'We grow.'],
    api: ids => [
      ...(['POST', '/upgrade-requests'] as const),
      { key_id: ids.key, kind: 'quota', quota: 500_000, reason: 'We grow.' },
    ],
    saves: 'upgrade',
  },
  {
    name: 'request the same upgrade again',
    cli: ids => ['upgrades', 'open', '--key', ids.key!, '--quota', '600000', '--reason', 'More.'],
    api: ids => [
      ...(['POST', '/upgrade-requests'] as const),
      { key_id: ids.key, kind: 'quota', quota: 600_000, reason: 'More.' },
    ],
    refused: 409,
  },
  {
    name: 'approve an upgrade',
    cli: ids => ['upgrades', 'approve', ids.upgrade!, '--rate', '70', '--answer', 'Gladly.'],
    api: ids => ['POST', upgrade(ids, 'approve'), { agreement: { rate: 70 }, answer: 'Gladly.' }],
  },
  {
    name: 'approve an upgrade twice',
    cli: ids => ['upgrades', 'approve', ids.upgrade!],
    api: ids => ['POST', upgrade(ids, 'approve'), {}],
    refused: 409,
  },
  {
    name: 'request a live key',
    cli: ids => ['upgrades', 'open', '--partner', ids.partner!, '--reason', 'A second app.'],
    api: ids => ['POST', '/upgrade-requests', { partner_id: ids.partner, kind: 'live_key', reason: 'A second app.' }],
    saves: 'upgrade',
  },
  {
    name: 'decline an upgrade',
    cli: ids => ['upgrades', 'decline', ids.upgrade!, '--answer', 'Not yet.'],
    api: ids => ['POST', upgrade(ids, 'decline'), { answer: 'Not yet.' }],
  },
  {
    name: 'close a partner',
    cli: ids => ['partners', 'close', ids.partner!],
    api: ids => ['PATCH', partner(ids), { state: 'closed' }],
    of: partner,
  },
  {
    name: 'enable a revoked key',
    cli: ids => ['keys', 'enable', ids.key!],
    api: ids => ['PATCH', key(ids), { state: 'active' }],
    of: key,
    refused: 409,
    exit: 2,
  },
  {
    name: 'create a key of a closed partner',
    cli: ids => ['keys', 'create', '--partner', ids.partner!, '--package', 'growth'],
    api: ids => ['POST', '/keys', { partner_id: ids.partner, package: 'growth' }],
    refused: 409,
  },
  {
    name: 'open a partner again',
    cli: ids => ['partners', 'open', ids.partner!],
    api: ids => ['PATCH', partner(ids), { state: 'open' }],
    of: partner,
  },
]

let world: World
let admin: AdminClient
const byCli: Record<string, string> = {}
const byApi: Record<string, string> = {}
beforeAll(async () => {
  world = await startWorld({}, 'empty')
  admin = adminClient(world, [await createToken(world), await createToken(world), await createToken(world)])
})
afterAll(() => world.close())

async function runCli({ cli, saves, refused, exit = 1 }: Step): Promise<void> {
  const result = await periplus([...cli(byCli), '--json', '--data', world.config.data])
  expect([result.code, result.stderr]).toEqual(
    refused ? [exit, expect.stringMatching(/\.\n$/)] : [0, expect.anything()],
  )
  if (saves) byCli[saves] = String(result.json().id)
}

async function runApi({ api, of, saves, refused }: Step): Promise<void> {
  const revision = of && (await admin.get(of(byApi))).headers.etag
  const [method, path, sent] = api(byApi)
  const headers = revision === undefined ? {} : { 'If-Match': revision }
  const { status, body } = await admin.send(method, path, sent, headers)
  expect([refused ? status : status < 300, body.code]).toEqual([
    refused ?? true,
    refused ? expect.any(String) : undefined,
  ])
  if (saves) byApi[saves] = body.id
}

/** Tables and the columns in which the rows of two interfaces may differ. */
const tables: Readonly<Record<string, readonly string[]>> = {
  partners: ['created_ms'],
  notes: ['id', 'at', 'by'],
  keys: ['created_ms'],
  upgrade_requests: ['at', 'by', 'decided_at', 'decided_by'],
  feed_pin_changes: ['at_ms', 'changed_by'],
  audit: ['seq', 'at', 'actor_kind', 'actor_id', 'via', 'address', 'request_id'],
  outbox: ['seq', 'id', 'at'],
}

/** Returns the rows of the resources of one interface, with the names of ids in place of the ids. */
function rowsOf(ids: Ids, all: Ids): Record<string, string[]> {
  const db = new Database(filesOf(world.config.data).control, { readonly: true })
  const read = ([table, omitted]: [string, readonly string[]]) => {
    const rows = db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all() as Record<string, unknown>[]
    const texts = rows.map(row =>
      JSON.stringify(row, (name, value) => (omitted.includes(name) ? undefined : value)).replaceAll(
        /20\d\d-[\d-]*T[\d:.]*Z|(?<=others_expire_ms\\?":)\d+/g,
        'TIME',
      ),
    )
    const own = texts.filter(text => Object.values(ids).some(id => text.includes(id)))
    return [table, own.map(text => Object.entries(all).reduce((now, [name, id]) => now.replaceAll(id, name), text))]
  }
  const result = Object.fromEntries(Object.entries(tables).map(read)) as Record<string, string[]>
  db.close()
  return result
}

const seen: [Record<string, string>, Record<string, string>] = [{}, {}]

test.each(steps.map(step => [step.name, step] as const))('%s', async (name, step) => {
  await runCli(step)
  await runApi(step)
  for (const [i, ids] of [byCli, byApi].entries())
    for (const id of Object.values(ids)) seen[i]![`${id.split('_')[0]} ${Object.keys(seen[i]!).length}`] ??= id
  const named = [byCli, byApi].map((ids, i) => {
    // A later request has an id of its own.
    const all = Object.fromEntries([...new Set(Object.values(seen[i]!))].map((id, n) => [`<${n}>`, id]))
    return rowsOf({ ...all, ...ids }, all)
  })
  expect(named[1], name).toEqual(named[0])
  expect(named[0]!.audit!.length).toBeGreaterThan(0)
})

test('the lines of the audit name the token and the interface', async () => {
  const lines = (await admin.get('/audit?limit=5')).body.data as Record<string, unknown>[]
  expect(lines[0]).toMatchObject({ actor_kind: 'token', via: 'api', action: 'partner.open' })
  expect(lines[0]).toHaveProperty('request_id')
  expect(lines[1]).toMatchObject({ actor_kind: 'cli', via: 'cli', action: 'partner.open' })
})
