/** `periplus feeds pull`: output, exit codes, and kills at each of its steps. */
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Value from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../src/kit/random.ts'
import { feedPullSchema } from '../../src/resources/feed-pull.ts'
import { periplus, periplusProcess, start as startProcess } from '../cli.ts'
import { killedAt } from '../kills.ts'
import { applyRandomChanges, type Publisher, sha256 } from './pull-publisher.ts'
import { testKey } from './pull-server.ts'
import { PullWorld } from './pull-world.ts'

const world = await PullWorld.open({ partRecords: 500 })
const next = createRandom(6)
const env = { PERIPLUS_KEY: testKey }
const args = (into = world.into) => ['feeds', 'pull', '--url', world.server.url, '--into', into]

applyRandomChanges(world.edition, 1000, next)
world.edition.full()
afterAll(() => world.close())

/** Started early because its retries take seconds; the other tests run in the meantime. */
const unreachable = periplusProcess(
  ['feeds', 'pull', '--url', 'http://127.0.0.1:9', '--into', join(world.folder, 'unreachable')],
  { env },
)

describe('output and exit codes', () => {
  test('prints JSON with --json; takes the key from the environment', async () => {
    const ran = await periplus([...args(), '--json'], { env })
    expect(ran.code).toBe(0)
    expect([...Value.Errors(feedPullSchema, ran.json())]).toEqual([])
    expect(ran.json()).toMatchObject({
      pulled: [{ feed: 'locations', kind: 'full', records: world.edition.model.size }],
    })
    expect(world.result()).toBe(world.edition.result())
  })

  test('prints text by default', async () => {
    const ran = await periplus([...args(), '--key', testKey])
    expect(ran.stdout).toMatch(/locations +1 +2026-11-20.0-v1 +unchanged/)
    expect(ran.code).toBe(0)
  })

  test('exits with 3 if the downloaded data does not match the manifest', async () => {
    const before = world.pair()
    applyRandomChanges(world.edition, 10, next)
    const id = world.edition.delta()
    let good: Buffer | undefined
    world.changePart(id, bytes => {
      good = bytes
      return Buffer.alloc(bytes.length)
    })
    const ran = await periplus([...args(), '--json'], { env })
    expect(ran.stderr).toMatch(/^locations: part-00000\.ndjson\.zst has the SHA-256 .*\.\n$/)
    expect(ran.json()).toMatchObject({ pulled: [], failed: [{ feed: 'locations' }] })
    expect(ran.code).toBe(3)
    expect(world.pair()).toEqual(before)
    world.changePart(id, () => good!)
  })

  test.each<[string, () => string[], Record<string, string>, number, RegExp]>([
    ['no key', () => args(), {}, 2, /PERIPLUS_KEY/],
    ['a malformed key', () => args(), { PERIPLUS_KEY: 'ä b' }, 2, /contains invalid characters/],
    ['an unknown key', () => [...args(), '--key', 'peri_x'], {}, 1, /401: This API key is not known/],
    ['a malformed URL', () => ['feeds', 'pull', '--url', 'nix', '--into', 'x'], env, 2, /--url "nix"/],
    ['no folder', () => ['feeds', 'pull', '--url', world.server.url], env, 2, /--into/],
    ['a feed that does not exist', () => [...args(), 'places'], env, 2, /The feed "places" does not exist/],
    [
      'a feed that the key has no access to',
      () => [...args(), 'reviews'],
      env,
      1,
      /the feed reviews to this key. It offers: locations/,
    ],
    ['a folder that is a file', () => args(world.resultFile()), env, 1, /cannot be written/],
    [
      'a file that is not a public key',
      () => [...args(), '--public-key', world.resultFile()],
      env,
      2,
      /does not contain an Ed25519 public key/,
    ],
  ])('%s', async (_, line, env, code, message) => {
    const ran = await periplus(line(), { env })
    expect(ran.stderr).toMatch(message)
    expect(ran.stderr).not.toMatch(/ {4}at /)
    expect(ran.code).toBe(code)
  })

  test('a concurrent pull into the same folder is refused', async () => {
    const into = join(world.folder, 'twice')
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let asked = () => {}
    const first = new Promise<void>(resolve => {
      asked = resolve
    })
    world.server.intercept = async (_, __, path) => {
      if (path !== '/feeds') return false
      asked()
      await held
      return false
    }
    const child = startProcess(args(into), env)
    const ended = once(child, 'close')
    await first
    const ran = await periplus(args(into), { env })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Another pull into') })
    release()
    expect(await ended).toEqual([0, null])
    world.server.intercept = () => false
  })
})

/** Steps before which a pull is killed, with the result that is in place by then. */
const steps: [step: string, result: 'old' | 'new'][] = [
  ['rename part-00000.ndjson.zst', 'old'],
  ['rename part-00001.ndjson.zst', 'old'],
  ['write next.json.tmp', 'old'],
  ['rename next.json', 'old'],
  ['rename locations.ndjson', 'old'],
  ['rename locations.state.json', 'new'],
  ['remove snapshot-v1', 'new'],
]

describe.each(['nothing', 'an older result'])('kill -9 of a pull over %s: result and state stay consistent', start => {
  const into = join(world.folder, 'killed')
  const result = join(into, 'locations.ndjson')
  const found = () => (existsSync(result) ? readFileSync(result, 'utf8') : undefined)
  let older: string | undefined
  let source: Publisher

  beforeAll(async () => {
    source = world.publisher({ key: world.edition.key, partRecords: 200 })
    world.server.editions = [source]
    applyRandomChanges(source, 600, next)
    source.full()
    if (start !== 'nothing') await world.pull({ into: join(world.folder, 'older') })
    for (let i = 0; i < 2; i++) {
      applyRandomChanges(source, 300, next)
      source.delta()
    }
  })
  beforeEach(() => {
    rmSync(into, { recursive: true, force: true })
    if (start !== 'nothing') cpSync(join(world.folder, 'older'), into, { recursive: true, preserveTimestamps: true })
    older = found()
  })

  const nextRunFinishes = async () => {
    expect((await world.pull({ into })).failed).toEqual([])
    expect(found() === source.result()).toBe(true)
    expect(JSON.parse(readFileSync(join(into, 'locations.state.json'), 'utf8'))).toMatchObject({
      sequence: 3,
      bytes: Buffer.byteLength(source.result()),
      checksum_of_result: source.checksum(),
    })
  }

  test.each(steps)('before the step %s: the %s result is in place, and the next run finishes', async (step, which) => {
    await killedAt(step, args(into), env)
    expect(found() === (which === 'new' ? source.result() : older)).toBe(true)
    await nextRunFinishes()
  })

  test('in the middle of a part: the old result is in place, and the next run finishes', async () => {
    world.server.intercept = (_, reply, path) => {
      const part = /\/([^/]+)\/files\/(part-00001.*)$/.exec(path)
      if (!part) return false
      const bytes = readFileSync(join(source.folder, part[1]!, part[2]!))
      reply.writeHead(200, { ETag: `"${sha256(bytes)}"`, 'Content-Length': bytes.length })
      reply.write(bytes.subarray(0, bytes.length / 2))
      return true
    }
    const child = startProcess(args(into), env)
    const closed = once(child, 'close')
    await expect.poll(() => bytesOfPartials(into)).toBeGreaterThan(0)
    child.kill('SIGKILL')
    expect(await closed).toEqual([null, 'SIGKILL'])
    world.server.intercept = () => false
    expect(found() === older).toBe(true)
    await nextRunFinishes()
  })
})

/** Returns the total size of partially downloaded files, in bytes. */
const bytesOfPartials = (into: string): number =>
  existsSync(into)
    ? readdirSync(into, { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('part-00001.ndjson.zst.partial'))
        .reduce((sum, name) => sum + statSync(join(into, name)).size, 0)
    : 0

test('fails with a message if the service cannot be reached', async () => {
  const ran = await unreachable
  expect(ran.stderr).toMatch(/the connection was refused/)
  expect([ran.code, ran.stdout]).toEqual([1, ''])
})
