import { execFileSync, spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecret } from '../../src/access/key-format.ts'
import { type Served, serve } from '../cli.ts'
import { exchange, send } from '../http-client.ts'
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
