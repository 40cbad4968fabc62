import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeEngine } from '../../src/compose/engine.ts'
import { startFeedScheduler } from '../../src/compose/feed-scheduler-thread.ts'
import { composeFeedBuild } from '../../src/compose/feeds.ts'
import { Threads } from '../../src/kit/threads.ts'
import { periplus } from '../cli.ts'
import { configFor, importRows, makeKey, scratch } from '../world.ts'
import { editions, feedsOf } from './snapshots.ts'

const folder = scratch()
afterAll(folder.remove)
let folders = 0
const newConfig = () => configFor(join(folder.path, String(++folders)))
const feeds = (data: string, ...args: string[]) => periplus(['feeds', ...args, '--data', data])

describe('periplus feeds build and list', () => {
  const { data } = newConfig()
  test('reports an error if there is no data to build from', async () => {
    const ran = await feeds(data, 'build')
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([1, '', expect.stringContaining('There is no Periplus data')])
    expect((await feeds(data, 'list')).code).toBe(1)
  })

  test('prints a table, or one object with --json', async () => {
    await importRows(configFor(data), 'location', [{ id: 1, name: 'One', lat: 1, lon: 1 }])
    const none = await feeds(data, 'list')
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining("Run 'periplus feeds build' to build them.")])
    const first = await feeds(data, 'build', '--delta', '--feed', 'locations', '--json')
    expect(first.stderr).toContain('locations v1: no full snapshot exists, so a full one is built instead of a delta.')
    expect(first.json()).toEqual({
      built: [
        {
          feed: 'locations',
          version: '1',
          kind: 'full',
          sequence: 1,
          records: 1,
          upserts: 1,
          tombstones: 0,
          snapshot_id: expect.stringMatching(/^\d{4}-\d\d-\d\d\.0-v1$/),
          created_at: expect.stringMatching(/Z$/),
          bytes: expect.any(Number),
          seconds: expect.any(Number),
        },
      ],
    })
    const all = await feeds(data, 'build')
    expect(
      all.stdout
        .split('\n')
        .slice(2, 6)
        .map(line => line.split(/\s+/).slice(0, 4)),
    ).toEqual([
      ['locations', '1', expect.stringContaining('.1-v1'), 'delta'],
      ['reviews', '1', expect.stringContaining('.0-v1'), 'full'],
      ['geos', '1', expect.stringContaining('.0-v1'), 'full'],
      ['enums', '1', expect.stringContaining('.0-v1'), 'full'],
    ])
    const { snapshots } = (await feeds(data, 'list', '--feed', 'locations', '--json')).json<{ snapshots: object[] }>()
    expect(snapshots).toEqual([
      expect.objectContaining({ kind: 'full', sequence: 1 }),
      expect.objectContaining({ kind: 'delta', sequence: 2, records: 0 }),
    ])
  })

  test.each([
    [['build', '--full', '--delta'], 'Use --full or --delta, not both.'],
    [['build', '--feed', 'places'], 'Allowed choices are locations, reviews, geos, enums.'],
    [['build', '--encoding', 'zip'], 'Allowed choices are zstd, gzip.'],
    [['build', '--version', '7'], 'Version 7 does not exist. The versions are 0, 1, 2.'],
    [['pin', 'key_1', 'places', '1'], 'The feed places does not exist. The feeds are locations, reviews, geos, enums.'],
    [['pin', 'key_1', 'locations', 'beta'], 'Feeds are not built in beta'],
    [['pin', 'key_1', 'locations', '9'], 'Version 9 does not exist. Feeds can be pinned to 0, 1, 2.'],
    [['pin', 'key_1', 'locations'], 'The argument <version> is required.'],
  ])('%j is refused with a message', async (args, message) => {
    const ran = await feeds(data, ...args)
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringContaining(message)])
  })
})

describe('periplus feeds pin and pins (R-45)', () => {
  test('changes one pin, records who changed it and when, and the next build publishes a full for it', async () => {
    const config = newConfig()
    await importRows(config, 'location', [{ id: 1, name: 'One', lat: 1, lon: 1 }])
    const { id } = await makeKey(config, { packageName: 'innovate' })
    await composeFeedBuild(config, { feeds: ['locations'] })
    const moved = await feeds(config.data, 'pin', id, 'locations', 'v2', '--by', 'Ada', '--json')
    expect(moved.json()).toEqual({ key: id, feed: 'locations', from: '1', version: '2', changed: true, by: 'Ada' })
    expect(moved.stderr).toContain('Version 2 is a preview')
    const again = await feeds(config.data, 'pin', id, 'locations', '2')
    expect(again.stdout).toBe(`Key ${id} already gets locations in version 2.\n`)
    const old = await feeds(config.data, 'pin', id, 'reviews', '0')
    expect(old.stderr).toContain('Version 0 is deprecated')
    expect(old.stdout).toContain('The first download is a full')
    const { pins, history } = (await feeds(config.data, 'pins', id, '--json')).json<{
      pins: object
      history: object[]
    }>()
    expect(pins).toEqual({ locations: '2', reviews: '0', geos: '1', enums: '1' })
    expect(history).toEqual([
      { feed: 'locations', from: '1', to: '2', by: 'Ada', at: expect.stringMatching(/Z$/) },
      { feed: 'reviews', from: '1', to: '0', by: expect.stringMatching(/./), at: expect.stringMatching(/Z$/) },
    ])
    await composeFeedBuild(config, { feeds: ['locations'] })
    expect(
      editions(config).map(({ edition, snapshots }) => [edition.version, snapshots.map(s => s.manifest.kind)]),
    ).toEqual([
      ['1', ['full', 'delta']],
      ['2', ['full']],
    ])
  })

  test('warns about a key without feed access; refuses unknown and revoked keys', async () => {
    const config = newConfig()
    await importRows(config, 'location', [{ id: 1, name: 'One', lat: 1, lon: 1 }])
    const { id } = await makeKey(config)
    const ran = await feeds(config.data, 'pin', id, 'geos', '0')
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining(`Run 'periplus keys set ${id} --add-on feeds' to allow it.`),
    ])
    const refused = async (key: Parameters<typeof makeKey>[1]) => {
      const made = await makeKey(config, { packageName: 'innovate', ...key })
      const { stderr } = await feeds(config.data, 'pin', made.id, 'geos', '1')
      await periplus(['keys', 'revoke', made.id, '--data', config.data])
      return stderr
    }
    expect(await refused({ scope: { countries: ['ES'] } })).toContain('has a scope')
    expect(await refused({ test: true })).toContain('is a test key')
    const all = (await feeds(config.data, 'pins', '--json')).json<{ keys: object[] }>()
    expect(all.keys).toEqual([expect.objectContaining({ id, takes_feeds: false })])
    // Version 0 is not built because no key with feed access is pinned to it.
    await composeFeedBuild(config, {})
    expect(new Set(editions(config).map(({ edition }) => edition.version))).toEqual(new Set(['1']))
    expect(await feeds(config.data, 'pin', 'key_x', 'geos', '0')).toMatchObject({
      code: 1,
      stderr: "Key key_x does not exist. Run 'periplus keys list' to see all keys.\n",
    })
    await periplus(['keys', 'revoke', id, '--data', config.data])
    expect((await feeds(config.data, 'pin', id, 'geos', '1')).code).toBe(1)
  })
})

test('the scheduler builds what is due as soon as a key has feed access', async () => {
  const config = newConfig()
  await importRows(config, 'location', [{ id: 1, name: 'One', lat: 1, lon: 1 }])
  const events: object[] = []
  const scheduler = startFeedScheduler(new Threads(), { engine: describeEngine(config), config, everyMs: 100 }, event =>
    events.push(event),
  )
  try {
    // The lock file shows that a round has started.
    await expect.poll(() => existsSync(join(feedsOf(config), 'build-lock.sqlite'))).toBe(true)
    expect([editions(config), events]).toEqual([[], []])
    await makeKey(config, { packageName: 'innovate' })
    await expect.poll(() => editions(config).length).toBe(4)
    await expect
      .poll(() => events)
      .toEqual([
        { built: expect.arrayContaining([expect.stringMatching(/^locations .* full$/)]), seconds: expect.any(Number) },
      ])
  } finally {
    await scheduler.stop()
  }
})
