import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecret } from '../../src/access/key-format.ts'
import { pageRoutes } from '../../src/management/pages/page-routes.ts'
import { type Served, serve } from '../cli.ts'
import { exchange, send } from '../http-client.ts'
import { pageClient } from '../management/page-client.ts'
import { configFor, makeKey, scratch } from '../world.ts'

const folder = scratch()
let server: Served
let secret = ''
beforeAll(async () => {
  secret = (await makeKey(configFor(folder.path))).secret
  server = await serve(folder.path, ['--log-level', 'debug'], { PERIPLUS_KEYS_IN_QUERY: 'true' })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

/** Returns the contents of all files below a folder. */
const readFiles = (root: string): readonly (readonly [name: string, contents: string])[] =>
  (readdirSync(root, { recursive: true }) as string[])
    .map(name => join(root, name))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map(path => [path, readFileSync(path, 'latin1')])

test('a secret is shown where it is made, and is in no log, file, backup or other page', async () => {
  const { run, get, post, pathOf, cookieOf, password } = pageClient({ url: server.url, config: configFor(folder.path) })
  const invitation = await run('users', 'invite', 'olga@example.org', '--role', 'owner')
  const unspent = await run('users', 'invite', 'bo@example.org', '--role', 'support')
  const opened = await post(pathOf(invitation.link), { password, name: 'Olga Owner' })
  const cookie = cookieOf(opened)
  const form = await post('/portal/profile/totp', {}, { cookie })
  const [, totp] = /<code>(\w+)<\/code>/.exec(form.text)!
  const [, ticket] = /name="ticket" value="([\w-]+)"/.exec(form.text)!
  const code = new TOTP({ secret: Secret.fromBase32(totp!) }).generate()
  const confirmed = await post('/portal/profile/totp-code', { ticket: ticket!, code }, { cookie })
  const recovery = [...confirmed.text.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})<\/code>/g)].map(match => match[1]!)
  const partner = '/console/partners/tester'
  const created = await post(`${partner}/keys/new`, { kind: 'live', package: 'growth', name: 'Shop' }, { cookie })
  const [, key] = /(key_[0-9a-f-]{36})/.exec(created.text)!
  const made = /peri_live_\w+/.exec(created.text)![0]
  const { key: rotated } = await run('keys', 'rotate', key!, '--overlap', '1h')
  const { token } = await run('tokens', 'create', '--name', 'BI', '--permission', 'keys:read')
  const hook = await run('webhooks', 'add', 'https://hooks.example.org/', '--type', 'key.revoked')
  for (const used of [made, rotated!]) await send(server.url, '/locations/1', { headers: { 'X-API-Key': used } })
  await send(server.url, '/admin/v1/keys', { headers: { Authorization: `Bearer ${token}` } })
  const backup = `${folder.path}-backup`
  await run('backup', backup)
  const tokenOf = (link: string | undefined) => pathOf(link).split('/').at(-1)!
  const secrets = [
    ...[password, tokenOf(invitation.link), tokenOf(unspent.link), cookie.split('=')[1]!, totp!, ticket!],
    ...[made, rotated!, token!, hook.secret!, ...recovery, ...recovery.map(one => one.replace('-', ''))],
  ]
  expect(secrets.filter(one => typeof one !== 'string' || one.length < 10)).toEqual([])
  const paths = pageRoutes
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/console') && !path.includes(':'))
    .map(({ path }) => path)
  const pages = await Promise.all(
    [...paths, '/portal/profile', partner, `${partner}/keys/${key}`, `/console/events/webhooks/${hook.id}`].map(
      async path => [path, (await get(path, cookie)).text] as const,
    ),
  )
  expect(pages.filter(([, text]) => text.includes('Profile</')).length).toBeGreaterThan(20)
  const files = [...readFiles(folder.path), ...readFiles(backup)]
  rmSync(backup, { recursive: true })
  expect(files.length).toBeGreaterThan(10)
  const found = [...pages, ...files, ['log', server.log()] as const].flatMap(([place, text]) =>
    secrets.filter(one => text.includes(one)).map(one => `${one} in ${place}`),
  )
  expect(found).toEqual([])
  for (const personal of ['olga@example.org', 'bo@example.org', 'Olga Owner'])
    expect(server.log()).not.toContain(personal)
})

test('no key appears in the log, wherever it was sent and whether or not it is valid (R-01)', async () => {
  const unknown = createSecret('live')
  const strange = 's3cret-of-another-service'
  const keys = [secret, unknown, strange]
  for (const key of keys) {
    await send(server.url, '/locations/1', { headers: { 'X-API-Key': key } })
    await send(server.url, '/locations/1', { headers: { Authorization: `Bearer ${key}` } })
    await send(server.url, '/locations/1', { headers: { Authorization: `Basic ${key}` } })
    await send(server.url, '/locations/1', { headers: { Cookie: `key=${key}`, Referer: `http://a/?key=${key}` } })
    await send(server.url, `/locations/1?key=${key}`)
    await send(server.url, `/locations/abc?api_key=${key}&version=7`)
    await send(server.url, `/nothing?a=b&%6bey=${key}`)
    await exchange(server.url, `GET /locations/1?key=${key}&a=% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    await exchange(server.url, `GET /?key=${key} HTTP/1.1\r\nBad header ${key}\r\n\r\n`)
  }
  await send(server.url, `/locations/${secret}`)
  await send(server.url, `/locations/${secret.replaceAll('_', '%5F')}`)
  await send(server.url, `/locations/search?query=${secret}`)
  expect(await server.stop()).toBe(0)
  const lines = server.log().trim().split('\n')
  expect(lines.length).toBeGreaterThan(keys.length * 9)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  for (const key of keys) expect(server.log()).not.toContain(key)
  expect(server.log()).not.toContain(secret.slice(10, 30))
})

const logModule = new URL('../../src/kit/log.ts', import.meta.url).href
const script = (work: string) =>
  `import { createLog } from ${JSON.stringify(logModule)}; const { log, line, flush } = createLog(process.argv[1]); ${work}; process.on('exit', flush)`
const logged = (level: string, work: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', script(work), level], { encoding: 'utf8' }).stderr

test('a key is removed from the message and the stack of an error', () => {
  const key = createSecret('live')
  const text = logged('info', `log.error({ err: new Error('no column "${key}"'), url: '/?key=${key}' }, 'x ${key}')`)
  expect(text).toContain('no column')
  expect(text).not.toContain(key)
  expect(JSON.parse(text)).toMatchObject({ level: 50, err: { message: 'no column "peri_live_***"' } })
})

test.each([
  ['debug', ['debug', 'info', 'warn', 'error', 'request']],
  ['info', ['info', 'warn', 'error', 'request']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
])('level %s writes the lines %j', (level, expected) => {
  const work = `for (const name of ['debug', 'info', 'warn', 'error']) log[name](name); line('{"msg":"request"}\\n')`
  const lines = logged(level, work)
    .split('\n')
    .filter(line => line !== '')
  expect(lines.map(line => JSON.parse(line).msg).sort()).toEqual([...expected].sort())
})

test('the error for an unknown level names it', () => {
  expect(() =>
    execFileSync(
      process.execPath,
      [new URL('../../src/cli/main.ts', import.meta.url).pathname, 'serve', '--log-level', 'loud'],
      {
        stdio: 'pipe',
      },
    ),
  ).toThrow(/server\.logLevel/)
})
