import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { collect } from './cli.ts'
import { send } from './http-client.ts'
import { ndjson, scratch } from './world.ts'
import { locations } from './world-rows.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = scratch()
afterAll(folder.remove)

/** The environment of a user without this repository, with the Node that runs the tests. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_config_local|npm_package|npm_lifecycle|PERIPLUS|VITEST|NODE_)/i.test(name),
    ),
  ),
  PATH: [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
}

const run = (command: string, args: readonly string[], cwd: string) =>
  promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 << 20, shell: process.platform === 'win32' })

/** Links a package from this repository's node_modules into another folder's. */
function linkPackage(name: string, home: string): void {
  const target = [packageFolder, root].map(folder => join(folder, 'node_modules', name)).find(path => existsSync(path))
  const link = join(home, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(target!, link, 'junction')
}

test('the packed package imports and serves when installed elsewhere', async () => {
  const packed = join(folder.path, 'packed')
  const home = join(folder.path, 'home')
  mkdirSync(packed)
  mkdirSync(home)
  // npm builds before it packs; the repository's .npmrc disables scripts, so they are enabled here.
  await run(
    'npm',
    ['pack', '--ignore-scripts=false', '--pack-destination', packed, '--loglevel', 'error'],
    packageFolder,
  )
  const [tarball] = readdirSync(packed).filter(name => name.endsWith('.tgz'))
  const { stdout: listing } = await run('tar', ['-tzf', join(packed, tarball!)], packed)
  for (const file of [
    'bin/periplus.js',
    'dist/cli/main.js',
    'demo/places.ndjson.gz',
    'contract/rulings.md',
    'contract/partner/v1.openapi.json',
    'LICENSE',
    'README.md',
  ])
    expect(listing).toContain(`package/${file}\n`)
  expect(listing).not.toMatch(/\.test\.|\.fixture\.|\.model\.|package\/(src|test)\//)

  const installed = join(home, 'node_modules/periplus')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(packed, tarball!), '-C', installed, '--strip-components=1'], home)
  const { bin: bins, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  // Link only the declared dependencies, as installed here, so that the test needs no network.
  for (const name of Object.keys(dependencies)) linkPackage(name, home)
  const bin = join(installed, bins.periplus)

  const rows = join(home, 'places.ndjson')
  writeFileSync(rows, ndjson(locations))
  const periplus = async (...args: string[]) =>
    JSON.parse((await run(process.execPath, [bin, ...args, '--json'], home)).stdout)
  expect(await periplus('import', rows)).toMatchObject({ read: locations.length, rejected: 0 })
  expect((await periplus('feeds', 'build')).built).toHaveLength(4)
  const { key } = await periplus('keys', 'create', '--package', 'discover')

  const server = spawn(process.execPath, [bin, 'serve', '--port', '0'], { cwd: home, env })
  const out = collect(server)
  const ended = once(server, 'close')
  try {
    await expect.poll(out.stdout).toMatch(/^listening on http/m)
    const url = /^listening on (\S+)/m.exec(out.stdout())![1]!
    const reply = await send(url, '/locations/1', { headers: { 'X-API-Key': key } })
    expect([reply.status, reply.json()]).toEqual([200, { data: expect.objectContaining({ id: 1 }) }])
    const pages = [
      '/',
      '/assets/periplus.css',
      '/icons/ratings/4.5.svg',
      '/docs',
      '/docs/getLocation',
      '/assets/call.js',
    ]
    for (const path of [...pages, '/docs/guide', '/openapi/v1.json', '/changelog/v1'])
      expect([path, (await send(url, path)).status]).toEqual([path, 200])
  } finally {
    server.kill('SIGTERM')
  }
  expect((await ended)[0]).toBe(0)
})
