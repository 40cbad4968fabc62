/** `periplus feeds pull` as a process: what it prints, how it ends, and that it can be killed at any moment. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect, periplus, start } from '../cli.ts'
import { random } from '../random.ts'
import { stir } from './pull-publisher.ts'
import { testKey } from './pull-server.ts'
import { PullWorld } from './pull-world.ts'

let world: PullWorld
const next = random(6)
const env = { PERIPLUS_KEY: testKey }
const args = (into = world.into) => ['feeds', 'pull', '--url', world.server.url, '--into', into]

beforeAll(async () => {
  world = await PullWorld.open({ partRecords: 500 })
  stir(world.edition, 4000, next)
  world.edition.full()
})
afterAll(() => world.close())

describe('what it prints, and how it ends', () => {
  test('--json, with the key from the environment', async () => {
    const ran = await periplus([...args(), '--json'], { env })
    expect(ran.code).toBe(0)
    expect(ran.json()).toMatchObject({
      pulled: [{ feed: 'locations', kind: 'full', records: world.edition.model.size }],
    })
    expect(world.result()).toBe(world.edition.result())
  })

  test('for a person', async () => {
    const ran = await periplus([...args(), '--key', testKey])
    expect(ran.stdout).toMatch(/locations +1 +2026-11-20.0-v1 +unchanged/)
    expect(ran.code).toBe(0)
  })

  test('exit 3 when what arrived is not what the manifest says', async () => {
    const before = world.pair()
    stir(world.edition, 10, next)
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
    ['a key that is none', () => args(), { PERIPLUS_KEY: 'ä b' }, 2, /characters that no key has/],
    ['a key that is not known', () => [...args(), '--key', 'peri_x'], {}, 1, /401: This API key is not known/],
    ['an address that is none', () => ['feeds', 'pull', '--url', 'nix', '--into', 'x'], env, 2, /--url "nix"/],
    [
      'nobody at the address',
      () => ['feeds', 'pull', '--url', 'http://127.0.0.1:9', '--into', world.into],
      env,
      1,
      /nothing listens there/,
    ],
    ['no folder', () => ['feeds', 'pull', '--url', world.server.url], env, 2, /--into/],
    ['a feed that does not exist', () => [...args(), 'places'], env, 2, /no feed "places"/],
    ['a feed that the key may not take', () => [...args(), 'reviews'], env, 1, /the feed reviews, but: locations/],
    ['a folder that is a file', () => args(world.resultFile()), env, 1, /cannot be written/],
    ['no public key', () => [...args(), '--public-key', world.resultFile()], env, 2, /no Ed25519 public key/],
  ])('%s', async (_, line, env, code, sentence) => {
    const ran = await periplus(line(), { env })
    expect(ran.stderr).toMatch(sentence)
    expect(ran.stderr).not.toMatch(/ {4}at /)
    expect(ran.code).toBe(code)
  })

  test('a second pull into the same folder says so', async () => {
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
    const child = start(args(into), env)
    const ended = once(child, 'close')
    await first
    const ran = await periplus(args(into), { env })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Another pull into') })
    release()
    expect(await ended).toEqual([0, null])
    world.server.intercept = () => false
  })
})

describe('kill -9', () => {
  test('at 20 moments: old or new result, never torn, and the next run finishes', { timeout: 240_000 }, async () => {
    const old = world.publisher({ key: world.edition.key, partRecords: 200 })
    stir(old, 2000, next)
    old.full()
    world.server.editions = [old]
    await world.pull({ into: join(world.folder, 'old') })
    const before = readFileSync(join(world.folder, 'old/locations.ndjson'))
    const stateBefore = readFileSync(join(world.folder, 'old/locations.state.json'))
    for (let i = 0; i < 3; i++) {
      stir(old, 1000, next)
      old.delta()
    }
    const after = old.result()
    // Slow enough that a kill finds a part on its way.
    world.server.intercept = async (_, __, path) => {
      if (path.includes('/files/')) await wait(10)
      return false
    }
    const outcomes = { old: 0, new: 0, none: 0, ended: 0 }
    for (let i = 0; i < 20; i++) {
      const into = join(world.folder, `killed-${i}`)
      // Half of them begin with nothing, half with the result before the deltas.
      const withBase = i % 2 === 0
      if (withBase) {
        mkdirSync(into)
        writeFileSync(join(into, 'locations.ndjson'), before)
        writeFileSync(join(into, 'locations.state.json'), stateBefore)
      }
      world.server.calls.length = 0
      const child = start(args(into), env)
      const output = collect(child)
      const closed = once(child, 'close')
      // Moments count from the first call: before it nothing can go wrong.
      while (world.server.calls.length === 0) await wait(2)
      await Promise.race([closed, wait(next() * 400)])
      if (child.exitCode !== null) outcomes.ended++
      child.kill('SIGKILL')
      await closed
      expect(output.stderr()).toBe('')
      const result = join(into, 'locations.ndjson')
      const found = existsSync(result) ? readFileSync(result, 'utf8') : undefined
      expect([undefined, before.toString(), after]).toContain(found)
      outcomes[found === undefined ? 'none' : found === after ? 'new' : 'old']++
      expect((await world.pull({ into })).failed).toEqual([])
      expect(readFileSync(result, 'utf8') === after).toBe(true)
      expect(JSON.parse(readFileSync(join(into, 'locations.state.json'), 'utf8'))).toMatchObject({
        sequence: 4,
        bytes: Buffer.byteLength(after),
        checksum_of_result: old.checksum(),
      })
    }
    // The moments must have found something under way.
    expect(outcomes.old + outcomes.none).toBeGreaterThan(5)
  })
})
