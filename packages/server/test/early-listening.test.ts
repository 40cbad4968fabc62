import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { guessAddress, listenEarly, takeEarlyListener } from '../src/cli/early-listening.ts'
import { freePort } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'periplus-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const withFile = (text: string) => {
  const file = join(folder, 'periplus.yaml')
  writeFileSync(file, text)
  return ['--config', file]
}

it.each([
  ['the default', [], {}, '127.0.0.1', 8080],
  ['flags', ['--data', 'x', '--port', '90', '--host=::1', '--wait', '3'], {}, '::1', 90],
  ['the environment', [], { PERIPLUS_SERVER_PORT: '91', PERIPLUS_SERVER_HOST: '0.0.0.0' }, '0.0.0.0', 91],
  ['an empty variable', [], { PERIPLUS_SERVER_PORT: '' }, '127.0.0.1', 8080],
  ['flags before the environment', ['--port=92'], { PERIPLUS_SERVER_PORT: '91' }, '127.0.0.1', 92],
  ['a file', withFile('server: {host: 10.0.0.1, port: 93}\n'), {}, '10.0.0.1', 93],
])('guesses the address of %s', (_name, args, env, host, port) =>
  expect(guessAddress(args, env)).toEqual({ host, port }),
)

it.each([['--port', '0'], ['--port', 'x'], ['--port', '70000'], ['--port='], ['--port=1.5']])(
  'guesses nothing for %s %s',
  (...args) => expect(guessAddress(args, {})).toBeUndefined(),
)

it('ignores a file that it cannot read', () => {
  expect(guessAddress(['--config', folder], {})).toEqual({ host: '127.0.0.1', port: 8080 })
  expect(guessAddress(withFile('server: [\n'), {})).toEqual({ host: '127.0.0.1', port: 8080 })
  expect(guessAddress(withFile('just text'), {})).toEqual({ host: '127.0.0.1', port: 8080 })
})

it('listens at the guessed address until the configuration says another one', async () => {
  const port = await freePort()
  const args = ['serve', '--port', String(port)]
  await listenEarly(args, {})
  const kept = takeEarlyListener({ host: '127.0.0.1', port })
  expect(kept.isListening).toBe(true)
  await kept.close()
  await listenEarly(args, {})
  const other = takeEarlyListener({ host: '127.0.0.1', port: await freePort() })
  await other.attempt
  expect(other.isListening).toBe(true)
  await other.close()
  const free = createServer().listen(port, '127.0.0.1')
  await once(free, 'listening')
  free.close()
})

it.each([
  [['config', 'check'], {}],
  [['serve'], { LISTEN_PID: '1', LISTEN_FDS: '1' }],
])('does not listen early for %j with %j', async (args, env) => {
  const port = await freePort()
  await listenEarly([...args, '--port', String(port)], env)
  const free = createServer().listen(port, '127.0.0.1')
  await once(free, 'listening')
  free.close()
})
