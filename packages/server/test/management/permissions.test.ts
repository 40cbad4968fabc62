import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeManagementContext } from '../../src/compose/management-context.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import { adminPermissions } from '../../src/domain/admin-permission.ts'
import { tokenPermissions } from '../../src/identity/permissions.ts'
import { createLog } from '../../src/kit/log.ts'
import { createRandom } from '../../src/kit/random.ts'
import { toFaultProblem } from '../../src/management/fault-problems.ts'
import type { ApiRequest, ApiRoute } from '../../src/management/route.ts'
import { apiRoutes } from '../../src/management/routes.ts'
import { createToken as createTokenIn } from '../../src/usecases/admin/create-token.ts'
import { openAdmin } from '../composed.ts'
import { actor, startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, createToken } from './admin-client.ts'

let world: World
let admin: AdminClient
/** Ids of a partner that the tokens of `tester` must not see. */
const foreign: Record<string, string> = {}
/** Secrets of tokens by name. */
const tokens = new Map<string, string>()

/** Names of the tokens of a matrix row. */
const tokenName = (kind: 'only' | 'without' | 'partner', permission: string) => `${kind} ${permission}`

beforeAll(async () => {
  world = await startWorld({}, 'empty')
  admin = adminClient(world, await createToken(world))
  const { body: partner } = await admin.send('POST', '/partners', { name: 'Foreign' })
  const { body: key } = await admin.send('POST', '/keys', { package: 'growth', partner_id: partner.id })
  const { body: secrets } = await admin.get(`/keys/${key.id}/secrets`)
  const [secret] = secrets.data as { id: string }[]
  Object.assign(foreign, { partner: partner.id, key: key.id, secret_id: secret!.id })
  const opened = openAdmin(world.config)
  const add = async (name: string, permissions: readonly string[], partnerId?: string) => {
    const made = await createTokenIn(opened, actor, { name, permissions, partnerId })
    if (isAdminFault(made)) throw new Error(made.fault)
    tokens.set(name, made.secret)
  }
  for (const permission of tokenPermissions) {
    await add(tokenName('only', permission), [permission])
    await add(
      tokenName('without', permission),
      tokenPermissions.filter(other => other !== permission),
    )
    await add(tokenName('partner', permission), [permission], 'tester')
  }
  await opened.close()
})
afterAll(() => world.close())

/**
 * Sends a request that no row accepts, so that nothing is done: the check of parameters follows that of permissions.
 */
const attempt = async ({ method, path }: ApiRoute, token: string | undefined) => {
  const target = path.replace(/:(\w+)/g, 'nothing')
  const { status, body } = await adminClient(world, token).send(method, `${target}?no_such_parameter=1`)
  return `${status} ${body.code}`
}

describe('the matrix of permissions', () => {
  test('every row has a permission that exists, and an operation of its own', () => {
    expect(apiRoutes.filter(({ permission }) => !adminPermissions.includes(permission))).toEqual([])
    const names = apiRoutes.map(({ operation }) => operation)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  test.each(apiRoutes.map(row => [`${row.method} ${row.path}`, row] as const))('%s', async (_name, row) => {
    const { permission, alternatives, forPartners } = row
    const isOfTokens = tokenPermissions.includes(permission)
    const [admitted, refused] = ['400 parameters_invalid', '403 permission_missing']
    expect(await attempt(row, undefined)).toBe('401 token_missing')
    if (!isOfTokens) return expect(await attempt(row, tokens.values().next().value)).toBe(refused)
    expect(await attempt(row, tokens.get(tokenName('only', permission)))).toBe(admitted)
    // Alternatives admit as well; the handler decides about the resource.
    if (alternatives.length === 0)
      expect(await attempt(row, tokens.get(tokenName('without', permission)))).toBe(refused)
    for (const other of alternatives.length === 0 ? [] : tokenPermissions) {
      const wanted = other === permission || alternatives.includes(other) ? admitted : refused
      expect([other, await attempt(row, tokens.get(tokenName('only', other)))]).toEqual([other, wanted])
    }
    expect(await attempt(row, tokens.get(tokenName('partner', permission)))).toBe(forPartners ? admitted : refused)
  })
})

describe('tokens of one partner', () => {
  /** Rows that read one resource by its id. */
  const readers = apiRoutes.filter(
    ({ method, path, forPartners, response }) => method === 'GET' && forPartners && response && path.includes(':'),
  )

  test('ids of other partners are answered like ids that never existed, byte for byte', async () => {
    const own = await createOwnClient()
    for (const row of readers) {
      const { path } = row
      const kind = path.startsWith('/keys') ? 'key' : 'partner'
      const answer = async (id: string) => {
        const target = path
          .replace(/:(id|partner)\b/, id)
          .replace(':month', '2026-11')
          .replace(':feed', 'locations')
          .replace(/:(\w+)/g, 'nothing')
        const { status, text, headers } = await own.get(`${target}${requiredOf(row, '2')}`)
        const masked = text.replaceAll(id, 'ID').replace(String(headers['x-request-id']), 'REQUEST')
        return `${status} ${masked}`
      }
      const hidden = await answer(foreign[kind]!)
      expect([path, hidden]).toEqual([path, await answer(`${kind}_${uuidv7()}`)])
      expect(hidden).toMatch(/^404 /)
    }
  })

  test('lists contain nothing of other partners, whatever the filter names', async () => {
    const own = await createOwnClient()
    for (const row of apiRoutes) {
      if (row.method !== 'GET' || !row.forPartners || row.path.includes(':')) continue
      for (const filter of ['', 'partner_id', 'key_id', 'target']) {
        if (filter !== '' && !(filter in (row.query?.properties ?? {}))) continue
        const value = filter === 'partner_id' ? foreign.partner : foreign.key
        const required = requiredOf(row, foreign.key!)
        const { text, status } = await own.get(`${row.path}${required || '?'}${filter && `&${filter}=${value}`}`)
        expect([row.path, status === 200 || status === 404]).toEqual([row.path, true])
        // A 404 repeats the id of the filter.
        if (status === 404) continue
        for (const id of [foreign.partner!, foreign.key!])
          expect([row.path, filter, text.includes(id)]).toEqual([row.path, filter, false])
      }
    }
  })

  test('10,000 ids of other partners and mutations of them are unknown', async () => {
    const engine = openConfiguredEngine(world.config, { create: false })
    const live = {
      status: async () => ({ ready: true, reasons: [], notes: [] }),
      measures: unused,
      limitsOf: unused,
      forgive: unused,
      downloadsOf: unused,
      search: unused,
      nearby: unused,
    }
    const context = composeManagementContext(
      engine,
      { config: world.config, sources: new Map() },
      { address: { publicUrl: '' }, serviceUrl: '', live, log: createLog('silent').log },
    )
    const token: Actor = { kind: 'token', id: 'token_own', via: 'api', partnerId: 'tester', requestId: uuidv7() }
    const random = createRandom(7)
    const ids = Object.values(foreign)
    const leaks: string[] = []
    for (let i = 0; i < 10_000; i++) {
      const row = readers[i % readers.length]!
      const id = mutate(ids[Math.floor(random() * ids.length)]!, random)
      const names = [...row.path.matchAll(/:(\w+)/g)].map(match => match[1]!)
      const params = Object.fromEntries(names.map(name => [name, name === 'month' ? '2026-11' : id]))
      const request = { params, query: {}, body: {}, actor: token, expectedRevision: 0 } as unknown as ApiRequest<
        unknown,
        unknown
      >
      const outcome = await row.handler(context, { ...request, visibility: { partnerId: 'tester' } })
      const status = isAdminFault(outcome) ? toFaultProblem(outcome).status : 'status' in outcome ? outcome.status : 200
      if (status !== 404) leaks.push(`${row.path} ${id} ${status}`)
    }
    await engine.close()
    expect(leaks).toEqual([])
  })
})

/** Returns a query with the required parameters of a row, all with one value. */
function requiredOf({ query }: ApiRoute, value: string): string {
  const nodes = Object.entries((query?.properties ?? {}) as Record<string, { readonly default?: unknown }>)
  const names = nodes.filter(([name, node]) => query!.required?.includes(name) && node.default === undefined)
  return names.length === 0 ? '' : `?${names.map(([name]) => `${name}=${value}`).join('&')}`
}

/** Creates a client with tokens of the partner `tester`: several, because each has a rate. */
async function createOwnClient(): Promise<AdminClient> {
  const create = () => createToken(world, tokenPermissions, ['--partner', 'tester'])
  return adminClient(world, [await create(), await create(), await create(), await create()])
}

const unused = () => Promise.reject(new Error('No limits are read for an unknown key.'))

/** Returns the id, or one that differs from it in one character or in its length. */
function mutate(id: string, random: () => number): string {
  const at = Math.floor(random() * id.length)
  const kind = Math.floor(random() * 4)
  if (kind === 0) return id
  if (kind === 1) return id.slice(0, at) + Math.floor(random() * 16).toString(16) + id.slice(at + 1)
  if (kind === 2) return id.slice(0, at + 1)
  return `${id}${String.fromCharCode(33 + Math.floor(random() * 90))}`
}
