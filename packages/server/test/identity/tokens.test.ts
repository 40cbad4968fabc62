/** Admin tokens through the command and the use cases (R-02; R-65). */
import { afterAll, describe, expect, test } from 'vitest'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import { authenticateToken } from '../../src/usecases/admin/authenticate-token.ts'
import { createToken } from '../../src/usecases/admin/create-token.ts'
import { listTokens } from '../../src/usecases/admin/list-tokens.ts'
import { revokeToken } from '../../src/usecases/admin/revoke-token.ts'
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
const present = (secret: string | undefined) => authenticateToken(admin, { secret, requestId: 'request_1' })

interface Created {
  readonly id: string
  readonly token: string
  readonly [name: string]: unknown
}

const create = async (...flags: string[]): Promise<Created> =>
  (await run('tokens', 'create', ...flags, '--json')).json<Created>()

describe('the command', () => {
  test('creates a token, shows its secret once, and stores its digest only', async () => {
    const created = await create('--name', 'CI', '--permission', 'keys:write', 'keys:read', '--expires', '30d')
    expect(created).toMatchObject({
      name: 'CI',
      permissions: ['keys:read', 'keys:write'],
      state: 'active',
      token: expect.stringMatching(/^peri_admin_[0-9A-Za-z]{38}$/),
    })
    const days = (Date.parse(String(created.expires_at)) - Date.parse(String(created.created_at))) / 86_400_000
    expect(days).toBeCloseTo(30, 3)
    const list = await run('tokens', 'list', '--json')
    expect(list.stdout).toContain(created.id)
    expect(list.stdout).not.toContain(created.token)
    expect((await run('tokens', 'list')).stdout).toContain('keys:read keys:write')
  })

  test('takes the name as an argument, a partner and a date', async () => {
    const { id } = (await run('partners', 'create', 'Ann', '--json')).json<{ id: string }>()
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const flags = ['Reports', '--permission', 'usage:read', '--partner', id, '--expires', day]
    const text = await run('tokens', 'create', ...flags, '--actor', 'ann')
    expect(text.stdout).toMatch(/cannot be shown again:\nperi_admin_/)
    const list = (await run('tokens', 'list', '--json')).json<{ tokens: Created[] }>().tokens
    expect(list.at(-1)).toMatchObject({ partner_id: id, expires_at: `${day}T00:00:00.000Z`, maker: 'cli:ann' })
  })

  test.each([
    [['create', '--permission', 'keys:read'], 2, '--name TEXT'],
    [['create', 'A', '--name', 'B', '--permission', 'keys:read'], 2, 'once'],
    [['create', ' ', '--permission', 'keys:read'], 2, 'The name must not be empty.'],
    [['create', 'A'], 2, '--permission NAME'],
    [['create', 'A', '--permission', 'keys:eat'], 2, 'keys:eat is not a permission of tokens.'],
    [['create', 'A', '--permission', 'users:write'], 2, 'users:write is not a permission of tokens.'],
    [['create', 'A', '--permission', 'keys:read', '--partner', 'partner_x'], 1, 'Partner partner_x does not exist.'],
    [['create', 'A', '--permission', 'keys:read', '--expires', '2020-01-01'], 2, '--expires must be in the future'],
    [['create', 'A', '--permission', 'keys:read', '--expires', '400d'], 2, '--expires must be in the future'],
    [['create', 'A', '--permission', 'keys:read', '--expires', 'soon'], 2, 'Must be a date or date-time'],
    [['create', 'A', '--permission', 'keys:read', '--expires', 'never'], 2, 'A token ends within a year.'],
    [['revoke', 'token_x'], 1, 'Token token_x does not exist.'],
  ])('%j is refused with a message', async (args, code, message) => {
    const result = await run('tokens', ...args)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(message)
  })
})

describe('a presented token', () => {
  test('yields an actor with its partner, and the day of its use is stored', async () => {
    const { id: partner } = (await run('partners', 'create', 'Bea', '--json')).json<{ id: string }>()
    const { id, token: secret } = await create('A', '--permission', 'log:read', '--partner', partner)
    const found = await authenticateToken(admin, { secret, requestId: 'r1', address: '192.0.2.7' })
    expect(found).toMatchObject({
      token: { id, permissions: ['log:read'] },
      actor: { kind: 'token', id, via: 'api', partnerId: partner, requestId: 'r1', address: '192.0.2.7' },
    })
    const today = new Date().toISOString().slice(0, 10)
    expect(await admin.tokens.get(id)).toMatchObject({ lastUsedDay: today })
  })

  test('is refused when missing, malformed, unknown, revoked or expired', async () => {
    const { id, token: secret } = await create('A', '--permission', 'log:read')
    const unknown = admin.tokenMint.create()
    expect(await present(undefined)).toMatchObject({ fault: 'token_refused', reason: 'missing' })
    expect(await present(`${secret}x`)).toMatchObject({ reason: 'malformed' })
    expect(await present(secret.replace(/.$/, last => (last === 'a' ? 'b' : 'a')))).toMatchObject({
      reason: 'malformed',
    })
    expect(await present('peri_live_00000000000000000000000000000000000000')).toMatchObject({ reason: 'malformed' })
    expect(await present(unknown)).toMatchObject({ reason: 'unknown' })
    const later = { ...admin, clock: { ...admin.clock, nowMs: () => Date.now() + 91 * 86_400_000 } }
    expect(await authenticateToken(later, { secret, requestId: 'r' })).toMatchObject({ reason: 'expired' })
    expect((await run('tokens', 'revoke', id, '--json')).json()).toMatchObject({ state: 'revoked' })
    expect(await present(secret)).toMatchObject({ reason: 'revoked' })
    const again = (await run('tokens', 'revoke', id, '--json')).json()
    expect(again).toMatchObject({ state: 'revoked' })
  })

  test('sees and revokes only itself, and makes no other token', async () => {
    const { token: secret } = await create('A', '--permission', 'log:read')
    const other = await create('B', '--permission', 'log:read')
    const found = await present(secret)
    if (isAdminFault(found)) throw new Error(found.fault)
    expect(await listTokens(admin, found.actor)).toHaveLength(1)
    expect(await revokeToken(admin, found.actor, { id: other.id })).toEqual(
      await revokeToken(admin, found.actor, { id: 'token_x' }).then(fault => ({ ...fault, token: other.id })),
    )
    const made = await createToken(admin, found.actor, { name: 'C', permissions: ['log:read'] })
    expect(made).toMatchObject({ fault: 'not_permitted', permission: 'tokens:write' })
    expect(await revokeToken(admin, found.actor, { id: found.token.id })).toMatchObject({ id: found.token.id })
    expect(await present(secret)).toMatchObject({ reason: 'revoked' })
    expect(await revokeToken(admin, actor, { id: other.id })).toMatchObject({ revokedMs: expect.any(Number) })
  })
})
