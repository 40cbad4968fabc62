/**
 * Access to the pages of the portal and the console: every role at every row of the table of pages; and what pages
 * name.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { adminPermissions, ownPermissions } from '../../src/domain/admin-permission.ts'
import type { Partner } from '../../src/domain/partner.ts'
import type { User } from '../../src/domain/user.ts'
import { everything } from '../../src/domain/visibility.ts'
import { partnerPermissions, staffPermissions } from '../../src/identity/permissions.ts'
import type { PageRoute } from '../../src/management/pages/page-route.ts'
import { pageRoutes } from '../../src/management/pages/page-routes.ts'
import { apiRoutes } from '../../src/management/routes.ts'
import { createManagementServer } from '../../src/management/server.ts'
import { boundRows, collectRows, exportRows, maxExportedRows } from '../../src/management/shared/export.ts'
import { addEndpoint } from '../../src/usecases/admin/add-endpoint.ts'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { createPartner } from '../../src/usecases/admin/create-partner.ts'
import { openUpgrade } from '../../src/usecases/admin/open-upgrade.ts'
import { html } from '../../src/web/html.ts'
import { actor, configFor, scratch } from '../world.ts'
import { addUser, done, openPages, startCookie } from './served-pages.ts'

const folder = scratch()
const { engine, composed, context } = openPages(configFor(folder.path))
const settings = { basePath: '', isForwarded: false, trustedProxies: [] }
/** Serves every row with a handler that only says that it was reached. */
const reached = createManagementServer(
  context,
  settings,
  pageRoutes.map(row => ({ ...row, handler: async () => ({ title: 'Reached', content: html`<p>reached</p>` }) })),
)
/** Serves the real pages. */
const served = createManagementServer(context, settings)
/** Routes of the real server that are not in the table of pages. */
const otherRoutes: string[] = []
const inTable = new Set(pageRoutes.map(({ method, path }) => `${method} ${path}`))
served.addHook('onRoute', ({ method, url }) => {
  for (const one of [method].flat())
    if (/^\/(portal|console)/.test(url) && one !== 'HEAD' && !inTable.has(`${one} ${url}`))
      otherRoutes.push(`${one} ${url}`)
})

/** Session cookies by role; `idle` ones have no recent proof. */
const cookies = new Map<string, string>()
const idle = new Map<string, string>()
let own: Partner
let foreign: Partner
/** Ids of resources of the foreign partner. Their names and addresses contain "zebra". */
const foreignIds: string[] = []

async function addRole(name: string, rights: Pick<User, 'staffRole' | 'memberships'>): Promise<string> {
  const user = await addUser(context, name, rights)
  cookies.set(name, (await startCookie(context, user)).cookie)
  const { cookie, session } = await startCookie(context, user)
  await context.identity.people.sessions.seen(session.id, { seenMs: Date.now(), provedMs: 1 })
  idle.set(name, cookie)
  return user.id
}

beforeAll(async () => {
  const { admin } = context
  own = done(await createPartner(admin, actor, { name: 'Own' }))
  foreign = done(await createPartner(admin, actor, { name: 'Zebra' }))
  for (const role of ['owner', 'operator', 'support'] as const)
    await addRole(role, { staffRole: role, memberships: [] })
  for (const role of ['admin', 'member'] as const) await addRole(role, { memberships: [{ partnerId: own.id, role }] })
  const other = await addRole('zebra', { memberships: [{ partnerId: foreign.id, role: 'admin' }] })
  const { key } = done(
    await createKey(admin, actor, { partnerId: foreign.id, packageName: 'growth', name: 'Zebra', notes: 'Zebra' }),
  )
  const ask = { ask: { kind: 'package', packageName: 'innovate' }, keyId: key.id, reason: 'Zebra' } as const
  const upgrade = done(await openUpgrade(admin, actor, ask))
  const hook = { url: 'https://zebra.example/Zebra', types: ['key.created'], partnerId: foreign.id }
  const { endpoint } = done(await addEndpoint(context.webhooks, actor, hook))
  foreignIds.push(key.id, upgrade.id, endpoint.id, other)
  await Promise.all([reached.ready(), served.ready()])
})
afterAll(async () => {
  await Promise.all([reached.close(), served.close()])
  await engine.close()
  folder.remove()
})

const pathOf = ({ path }: PageRoute, partner: string, id = 'nothing'): string =>
  path.replace(':partner', partner).replace(/:\w+/g, id)

/** Sends a request and returns its answer without what differs from request to request. */
async function send(app: FastifyInstance, { method }: PageRoute, path: string, cookie: string | undefined) {
  const headers = { ...(cookie !== undefined && { cookie }), 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await app.inject({ method, url: path, headers, ...(method === 'POST' && { payload: 'revision=1' }) })
  const { date, 'x-request-id': requestId, ...rest } = reply.headers
  return { status: reply.statusCode, text: reply.body, headers: rest, requestId: String(requestId) }
}

/** Returns what a role gets at a row, for the partner of the row's path. */
async function cell(row: PageRoute, role: string | undefined, partnerId: string, sessions = cookies): Promise<string> {
  const path = pathOf(row, partnerId)
  const { status, headers, text } = await send(reached, row, path, role === undefined ? undefined : sessions.get(role))
  if (status !== 303) return `${status} ${text.includes('<p>reached</p>') ? 'reached' : ''}`.trim()
  return String(headers.location).replace(/\?.*/, '')
}

/** Returns what a role must get at a row as the tables of roles say. */
function expected({ method, permission }: PageRoute, role: string): string {
  const isOwn = ownPermissions.some(name => name === permission)
  const verdict = (has: boolean) => (has ? '200 reached' : '403')
  if (role === 'admin' || role === 'member') {
    if (!isOwn) return '404'
    return verdict(partnerPermissions[role].some(name => name === permission))
  }
  const staff = staffPermissions[role as 'owner']
  if (isOwn) return verdict(method === 'GET' && staff.includes('partner:view'))
  return verdict(staff.some(name => name === permission))
}

describe('the table of pages', () => {
  test('has a permission in every row: of partners below /portal/:partner, of staff below /console', () => {
    const wrong = pageRoutes.filter(({ path, permission }) => {
      const names: readonly string[] = path.startsWith('/portal/:partner') ? ownPermissions : adminPermissions
      return !names.includes(permission) || !/^\/(portal\/:partner|console)(\/|$)/.test(path)
    })
    expect(wrong).toEqual([])
    expect(inTable.size).toBe(pageRoutes.length)
  })

  test('has all pages but those that a user needs before or without a role', () => {
    expect(
      otherRoutes.filter(
        route => !/^\w+ \/portal(\/(sign-in|sign-out|prove|forgotten|link|profile|suggest)(\/.*)?)?\/?$/.test(route),
      ),
    ).toEqual([])
    expect(otherRoutes.length).toBeGreaterThan(10)
  })

  test.each(pageRoutes.map(row => [`${row.method} ${row.path}`, row] as const))('%s', async (_name, row) => {
    expect(await cell(row, undefined, own.id)).toBe('/portal/sign-in')
    for (const role of ['owner', 'operator', 'support', 'admin', 'member']) {
      const wanted = expected(row, role)
      expect([role, await cell(row, role, own.id)]).toEqual([role, wanted])
      if (!row.proof) continue
      const unproved = wanted === '200 reached' ? '/portal/prove' : wanted
      expect([role, await cell(row, role, own.id, idle)]).toEqual([role, unproved])
    }
    expect(await cell(row, 'zebra', own.id)).toBe('404')
  })
})

describe('other partners', () => {
  test('their pages are answered like those of partners that never existed, byte for byte', async () => {
    const unknown = `partner_${uuidv7()}`
    for (const row of pageRoutes.filter(({ path }) => path.startsWith('/portal/'))) {
      const answers = [foreign.id, unknown].map(async id => {
        const { status, text, headers } = await send(served, row, pathOf(row, id), cookies.get('admin'))
        return { status, headers, text: text.replaceAll(id, 'ID') }
      })
      const [hidden, missing] = await Promise.all(answers)
      expect([row.path, hidden]).toEqual([row.path, missing])
      expect(hidden!.status).toBe(404)
    }
  })

  test('the ids of their resources are answered like ids that never existed, and nothing is changed', async () => {
    const rows = pageRoutes.filter(({ path }) => /^\/portal\/:partner\/.*:/.test(path))
    for (const row of rows)
      for (const id of foreignIds) {
        const unknown = id.slice(0, id.indexOf('_') + 1) + uuidv7()
        const answers = [id, unknown].map(async one => {
          const { status, text, requestId, headers } = await send(
            served,
            row,
            pathOf(row, own.id, one),
            cookies.get('admin'),
          )
          const masked = text.replaceAll(one, 'ID').replaceAll(requestId, 'REQUEST')
          return { status, text: masked, location: headers.location?.toString().replaceAll(one, 'ID') }
        })
        const [hidden, missing] = await Promise.all(answers)
        expect([row.path, hidden]).toEqual([row.path, missing])
        expect([row.path, hidden!.status, /zebra/i.test(hidden!.text)]).toEqual([row.path, expect.any(Number), false])
        expect(hidden!.status).toBeLessThan(500)
      }
    const keys = await context.admin.keys.keys({ partnerId: foreign.id })
    expect(keys).toMatchObject([{ name: 'Zebra', state: 'active', revision: 1 }])
    expect(await context.admin.upgrades.get(foreignIds[1]!, everything)).toMatchObject({ state: 'open', revision: 1 })
    expect(await context.webhooks.webhooks.endpoint(foreignIds[2]!, everything)).toMatchObject({ revision: 1 })
    expect(await context.identity.people.users.get(foreignIds[3]!)).toMatchObject({ revision: 1 })
  })

  test('no filter of a list shows what belongs to them', async () => {
    const rows = pageRoutes.filter(({ method, path }) => method === 'GET' && /^\/portal\/:partner\/[^:]*$/.test(path))
    const [key] = foreignIds
    for (const row of rows)
      for (const query of [
        ...['?', '?format=csv', '?format=json'],
        `?key=${key}&partner=${foreign.id}&target=${key}&user=${foreignIds[3]}`,
      ]) {
        const { status, text } = await send(served, row, pathOf(row, own.id) + query, cookies.get('admin'))
        expect([row.path, status < 500, /zebra/i.test(text)]).toEqual([row.path, true, false])
      }
  })
})

describe('lists', () => {
  const lists = [
    ...['audit', 'events', 'feeds', 'imports', 'offer', 'partners', 'photos?place=2', 'places?overridden=yes'],
    ...['requests', 'reviews'],
    ...['settings', 'staff', 'suggestions', 'upgrades', 'usage', 'versions'],
  ].map(name => `/console/${name}`)
  const ownLists = [
    'activity',
    'feeds',
    'keys',
    'plan',
    'requests',
    'suggestions',
    'team',
    'usage',
    'versions',
    'webhooks',
  ]

  test('are exported as CSV and JSON by links of their page, with their filter', async () => {
    await openUpgrade(context.admin, actor, {
      ...{ ask: { kind: 'live_key' }, partnerId: own.id, reason: '=HYPERLINK("https://evil.example")' },
    })
    done(await createKey(context.admin, actor, { partnerId: own.id, packageName: 'growth', addOns: ['feeds'] }))
    const pages = [...lists, ...ownLists.map(name => `/portal/${own.id}/${name}`)]
    for (const path of pages) {
      const url = new URL(path, 'http://localhost')
      const read = (format?: string) => {
        if (format !== undefined) url.searchParams.set('format', format)
        const cookie = cookies.get(path.startsWith('/console') ? 'owner' : 'admin')!
        return served.inject({ url: url.pathname + url.search, headers: { cookie } })
      }
      const page = await read()
      const links = [...page.body.matchAll(/href="([^"]*format=(?:csv|json)[^"]*)"/g)].map(([, href]) => href)
      expect([path, new Set(links.map(href => href!.split('?', 1)[0]))]).toEqual([path, new Set([url.pathname])])
      const [csv, json] = [await read('csv'), await read('json')]
      expect([path, csv.statusCode, csv.headers['content-type']]).toEqual([path, 200, 'text/csv; charset=utf-8'])
      expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.csv"$/)
      expect([path, json.statusCode, typeof JSON.parse(json.body)]).toEqual([path, 200, 'object'])
      // A line break in a cell is quoted, so each formula starts a line or follows a comma or a quote.
      expect([path, /(^|[,"])[=+@]/m.exec(csv.body)]).toEqual([path, null])
    }
  })
})

test('a file that ends before its list says so, in a header and in JSON', async () => {
  const read = async (format: 'csv' | 'json', isCut: boolean) => {
    const row = pageRoutes.find(({ path }) => path === '/console/audit')!
    const handler = async () => exportRows('rows', format, [{ id: 1 }], isCut)
    const app = createManagementServer(context, settings, [{ ...row, handler }])
    const reply = await app.inject({ url: '/console/audit', headers: { cookie: cookies.get('owner')! } })
    await app.close()
    return [reply.headers['x-truncated'], reply.body.replaceAll(/\s/g, '')]
  }
  expect(await read('csv', true)).toEqual(['true', 'id1'])
  expect(await read('json', true)).toEqual(['true', '{"truncated":true,"data":[{"id":1}]}'])
  expect(await read('json', false)).toEqual([undefined, '[{"id":1}]'])
  const pageOf =
    (rows: number) =>
    async (after = 0) => ({ rows: Array.from({ length: rows }, () => ({})), next: after + 1 })
  expect(await collectRows(pageOf(4000))).toMatchObject({ isCut: true, rows: { length: maxExportedRows } })
  expect(await collectRows(async () => ({ rows: [{}] }))).toEqual({ isCut: false, rows: [{}] })
  const bounded = [maxExportedRows, maxExportedRows + 1].map(length => boundRows(Array.from({ length }, () => ({}))))
  expect(bounded).toMatchObject([{ isCut: false }, { isCut: true, rows: { length: maxExportedRows } }])
})

describe('the rate of a session', () => {
  const stopped = { ...context, clock: { ...composed.clock, monotonicUs: () => 0 } }
  const handler = async () => ({ title: 'Reached', content: html`` })
  const row = pageRoutes.find(({ path }) => path === '/portal/:partner/keys')!
  const testRow = pageRoutes.find(({ path }) => path === '/portal/:partner/webhooks/:id/test')!
  const usageRow = pageRoutes.find(({ path }) => path === '/portal/:partner/usage')!
  const app = createManagementServer(
    stopped,
    settings,
    [row, testRow, usageRow].map(one => ({ ...one, handler })),
  )
  afterAll(() => app.close())
  const ask = (which: PageRoute, role: string, query = '') =>
    send(app, which, pathOf(which, own.id) + query, cookies.get(role))

  test('bounds exports, long spans and tests of webhooks before all pages, and says when to return', async () => {
    const answers = [
      ...(await Promise.all(Array.from({ length: 10 }, () => ask(row, 'admin', '?format=csv')))),
      ...(await Promise.all(Array.from({ length: 10 }, () => ask(usageRow, 'admin', '?days=366')))),
      ...(await Promise.all(Array.from({ length: 10 }, () => ask(testRow, 'admin')))),
    ]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await ask(testRow, 'admin')
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(refused.text).toContain('1 request per second, and 30 at once')
    for (const query of ['', '?days=30']) expect((await ask(usageRow, 'admin', query)).status).toBe(200)
    expect((await ask(testRow, 'member')).status).toBe(403)
    const pages = await Promise.all(Array.from({ length: 170 }, () => ask(row, 'admin')))
    expect(pages.map(({ status }) => status).filter(status => status === 429)).toHaveLength(3)
    expect((await ask(row, 'member')).status).toBe(200)
  })
})

describe('what pages name', () => {
  const folder = fileURLToPath(new URL('../../src/management', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file =>
      // Flags and queries that may be missing are left out.
      readFileSync(`${folder}/${file}`, 'utf8')
        .replaceAll(/\$\{(?:sortFlag|toQuery)\([^()]*\)\}|\$\{\w+ \? ' --[^']*' : ''\}/g, '')
        .replaceAll(/\$\{[^{}`'"\n]*\}/g, 'X'),
    )
  const find = (pattern: RegExp) => [
    ...new Set(sources.flatMap(text => [...text.matchAll(pattern)].map(([, line]) => line!.trim()))),
  ]

  test('each page that is not an answer names the command and the call that do the same', async () => {
    const { key } = done(await createKey(context.admin, actor, { partnerId: own.id, packageName: 'growth' }))
    const hook = { url: 'https://own.example/', types: ['key.created'], partnerId: own.id }
    const { endpoint } = done(await addEndpoint(context.webhooks, actor, hook))
    const ids: Readonly<Record<string, string>> = { keys: key.id, webhooks: endpoint.id, request: 'quota' }
    const [seen, without]: [string[], string[]] = [[], []]
    for (const row of pageRoutes.filter(({ method }) => method === 'GET')) {
      const isOwn = row.path.startsWith('/portal')
      const path = row.path
        .replace('/console/partners/:id', `/console/partners/${own.id}`)
        .replace(':partner', own.id)
        .replaceAll(/(?<=\/(\w+)\/):\w+/g, (_, name: string) => ids[name] ?? 'nothing')
      const { status, text } = await send(served, row, `${path}?key=${key.id}`, cookies.get(isOwn ? 'admin' : 'owner'))
      if (status === 200 && /<h1/.test(text)) (/class="same"/.test(text) ? seen : without).push(row.path)
    }
    expect(without).toEqual([])
    expect(seen.length).toBeGreaterThan(40)
  })

  const childOf = ({ commands }: Command, name: string | undefined) => commands.find(one => one.name() === name)

  test('commands exist, with their flags', async () => {
    const program = await createProgram('')
    const lines = find(/(?:[`'">]|\\n)periplus ([^`'"<\\\n]+)/g)
    expect(lines.length).toBeGreaterThan(40)
    const wrong = lines.filter(line => {
      const words = line.split(' ')
      let command = program
      for (let next = childOf(command, words[0]); next; next = childOf(command, words[0])) {
        command = next
        words.shift()
      }
      const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0
      const isUnknown = command === program || (isGroup && words[0] !== undefined && !/^(-|X$)/.test(words[0]))
      const flags = words.filter(word => word.startsWith('--'))
      return isUnknown || flags.some(flag => words[0] !== 'X' && !command.options.some(({ long }) => long === flag))
    })
    expect(wrong).toEqual([])
  })

  test('calls of the admin API exist', () => {
    const lines = find(/(?:[`'"]|\\n)((?:GET|POST|PATCH|PUT|DELETE) \/admin\/v1\/[^\s`'"?\\$]+)/g)
    expect(lines.length).toBeGreaterThan(40)
    const routes = apiRoutes.map(({ method, path }) => `${method} /admin/v1${path.replaceAll(/:\w+/g, '[^/]+')}`)
    const exists = (line: string) => routes.some(route => new RegExp(`^${route}$`).test(line))
    expect(lines.filter(line => !exists(line))).toEqual([])
  })
})
