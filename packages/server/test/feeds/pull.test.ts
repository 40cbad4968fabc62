/** `periplus feeds pull` against a service that does as R-45 says, and against one that does not. */
import { appendFileSync, existsSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { FeedClient } from '../../src/feeds/pull/client.ts'
import { ResultFiles } from '../../src/feeds/pull/result-state.ts'
import { random } from '../random.ts'
import { type PublisherOptions, placeLine, stir } from './pull-publisher.ts'
import { cutAfter, problem, sendFile, testKey } from './pull-server.ts'
import { PullWorld } from './pull-world.ts'

const worlds: PullWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

/** A world with a full snapshot of some 300 records. */
async function withFull(options: PublisherOptions = {}, base = ''): Promise<PullWorld> {
  const world = await PullWorld.open({ partRecords: 100, ...options }, base)
  worlds.push(world)
  stir(world.edition, 300, next)
  world.edition.full()
  return world
}
const next = random(20_261_120)

function addDelta(world: PullWorld, changes = 20): string {
  stir(world.edition, changes, next)
  return world.edition.delta()
}

/** What is in place is what the edition holds now, and nothing else lies about. */
function expectNewest(world: PullWorld): void {
  const { edition } = world
  expect(world.result()).toBe(edition.result())
  expect(world.state()).toMatchObject({
    feed: edition.feed,
    version: edition.version,
    records: edition.model.size,
    checksum_of_result: edition.checksum(),
    bytes: Buffer.byteLength(edition.result()),
  })
  expect(world.leftovers()).toEqual([])
}

const partOf = /\/files\/part-/

describe('pull', () => {
  test('a full, then nothing, then only what changed', async () => {
    const world = await withFull()
    const { model } = world.edition
    expect((await world.pull()).pulled).toMatchObject([
      {
        feed: 'locations',
        version: '1',
        sequence: 1,
        kind: 'full',
        records: model.size,
        upserts: model.size,
        tombstones: 0,
      },
    ])
    expectNewest(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged', sequence: 1, upserts: 0, bytes: 0 }])
    addDelta(world)
    const last = addDelta(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'delta', snapshot_id: last, sequence: 3 }])
    expectNewest(world)
    expect(world.said).toEqual([])
  })

  test('takes the deltas after the newest full at once, in parts and gzip, below a path', async () => {
    const world = await withFull({ encoding: 'gzip', partRecords: 30 }, '/base')
    addDelta(world)
    world.edition.full()
    addDelta(world)
    addDelta(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full', sequence: 5 }])
    expectNewest(world)
  })

  test('goes on over a full, as its delta has the same result', async () => {
    const world = await withFull()
    addDelta(world)
    await world.pull()
    world.edition.full()
    addDelta(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'delta', sequence: 4 }])
    expectNewest(world)
  })

  test('takes an empty delta, a feed that becomes empty, and one that was', async () => {
    const world = await withFull()
    world.edition.delta()
    expect((await world.pull()).pulled).toMatchObject([{ sequence: 2 }])
    world.edition.delta()
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'delta', sequence: 3, upserts: 0, tombstones: 0 }])
    expectNewest(world)
    world.edition.model.clear()
    world.edition.delta()
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'delta', records: 0 }])
    expectNewest(world)
    world.edition.full()
    expect((await world.pull({ full: true })).pulled).toMatchObject([{ kind: 'full', records: 0 }])
    addDelta(world)
    await world.pull()
    expectNewest(world)
  })

  test('takes more deltas than it reads side by side', async () => {
    const world = await withFull()
    await world.pull()
    for (let i = 0; i < 19; i++) addDelta(world, 5)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'delta', sequence: 20 }])
    expectNewest(world)
  })

  test('all feeds of a key; one that cannot be had does not keep the others', async () => {
    const world = await withFull()
    const reviews = world.publisher({ feed: 'reviews', version: '0', key: world.edition.key })
    for (const id of ['"9"', '"10"', '"9223372036854775807"']) reviews.model.set(id, `{"id":${id},"text":"t"}`)
    reviews.full()
    const enums = world.publisher({ feed: 'enums', key: world.edition.key })
    for (const id of ['"b:Z"', '"b:a"', '"a:é"', '"a:\\"q\\""', '"a:z"'])
      enums.model.set(id, `{"id":${id},"label":"x"}`)
    enums.full()
    const geos = world.publisher({ feed: 'geos', key: world.edition.key })
    world.server.editions.push(reviews, geos, enums)
    const { pulled, failed } = await world.pull()
    expect(pulled.map(({ feed, records }) => [feed, records])).toMatchObject([
      ['locations', world.edition.model.size],
      ['reviews', 3],
      ['enums', 5],
    ])
    expect(failed).toEqual([
      {
        feed: 'geos',
        mismatch: false,
        message: 'The service has no full snapshot of this feed at the moment. Try again later.',
      },
    ])
    expect(world.result('reviews')).toBe(reviews.result())
    expect(world.result('enums')).toBe(enums.result())
    await expect(world.pull({ feed: 'reviews' })).resolves.toMatchObject({ pulled: [{ feed: 'reviews' }], failed: [] })
  })

  test('says which feeds there are where the one asked for is not among them', async () => {
    const world = await withFull()
    await expect(world.pull({ feed: 'geos' })).rejects.toThrow(
      'does not offer the feed geos to this key. It offers: locations',
    )
  })
})

describe('a full again, and why', () => {
  test('another pin is another edition', async () => {
    const world = await withFull()
    await world.pull()
    const newer = world.publisher({ version: '2', key: world.edition.key })
    stir(newer, 50, next)
    newer.full()
    newer.delta()
    newer.delta()
    world.server.editions = [newer]
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full', version: '2', sequence: 3 }])
    expect(world.said).toEqual([expect.stringMatching(/now pinned to version 2.*Starting over with a full/)])
    expectNewest(world)
  })

  test.each<[string, (world: PullWorld) => void, RegExp]>([
    ['deltas that are no longer complete', goneDeltas, /no longer complete/],
    ['a gap', world => void world.edition.snapshots.splice(1, 1), /do not continue/],
    ['a service that began anew', beginAnew, /no longer has snapshots up to/],
    ['a snapshot that the service never heard of', forget, /has another result/],
    ['a service that was put back and went another way', goAnotherWay, /another snapshot with the name/],
  ])('%s', async (_, disturb, sentence) => {
    const world = await withFull()
    await world.pull()
    addDelta(world)
    addDelta(world)
    world.edition.full()
    disturb(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full' }])
    expect(world.said).toEqual([expect.stringMatching(sentence)])
    expectNewest(world)
  })

  test('no full to begin with: who stands on the newest snapshot needs none', async () => {
    const world = await withFull()
    addDelta(world)
    await world.pull()
    // It held an erased record, which the delta has taken away.
    world.edition.snapshots.shift()
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged', sequence: 2 }])
    expectNewest(world)
  })

  test('a snapshot that goes away while it is taken', async () => {
    const world = await withFull()
    await world.pull()
    const delta = addDelta(world)
    world.edition.full()
    world.server.intercept = (_, reply, path) => {
      if (!path.includes(`${delta}/files`)) return false
      problem(reply, 410, 'It held an erased record.')
      return true
    }
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full', sequence: 3 }])
    expect(world.said).toEqual([expect.stringMatching(/410: It held an erased record.*full/)])
    expectNewest(world)
  })

  test.each<[string, (world: PullWorld) => void]>([
    ['is gone', world => rmSync(world.resultFile())],
    ['is longer', world => appendFileSync(world.resultFile(), '{"id":1}\n')],
    ['is shorter', world => truncateSync(world.resultFile(), 1000)],
    ['has other bytes', world => writeFileSync(world.resultFile(), world.result().replace('Name', 'Mane'))],
    ['has another state', world => writeFileSync(join(world.into, 'locations.state.json'), '{"feed":')],
  ])('a result that %s is noticed and mended', async (_, disturb) => {
    const world = await withFull()
    await world.pull()
    disturb(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full' }])
    expect(world.said).toEqual([expect.stringContaining('does not match its state file')])
    expectNewest(world)
  })

  test('not for a result that was only copied; and bytes that rot unseen are found with the next delta', async () => {
    const world = await withFull()
    await world.pull()
    utimesSync(world.resultFile(), 1, 1)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged' }])
    const { modified_ms } = world.state()
    writeFileSync(world.resultFile(), world.result().replace('Name', 'Mane'))
    utimesSync(world.resultFile(), modified_ms / 1000, modified_ms / 1000)
    addDelta(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full' }])
    expectNewest(world)
  })
})

function goneDeltas(world: PullWorld): void {
  world.server.intercept = (_, reply, path) => {
    if (!path.includes('/deltas?after=1')) return false
    problem(reply, 410, 'Deltas after 1 are no longer complete.')
    return true
  }
}

function beginAnew(world: PullWorld): void {
  const { edition } = world
  writeFileSync(
    join(world.into, 'locations.state.json'),
    JSON.stringify({ ...world.state(), sequence: edition.snapshots.length + 9 }),
  )
}

/** What was taken last is not what the service has by this name, and deltas follow it. */
function goAnotherWay(world: PullWorld): void {
  writeFileSync(
    join(world.into, 'locations.state.json'),
    JSON.stringify({ ...world.state(), checksum_of_result: '0'.repeat(64) }),
  )
}

function forget(world: PullWorld): void {
  // As many snapshots as before, none of them a delta.
  const { snapshots } = world.edition
  const full = snapshots.pop()!
  snapshots.splice(0, snapshots.length, full)
}

describe('what arrived is not what the manifest says: nothing is replaced', () => {
  const flip = (bytes: Buffer) => {
    const changed = Buffer.from(bytes)
    changed[changed.length >> 1]! ^= 1
    return changed
  }

  test.each<[string, (world: PullWorld) => void, RegExp]>([
    ['a tampered part', world => world.changePart(addDelta(world), flip), /has the SHA-256/],
    [
      'a cut part',
      world => world.changePart(addDelta(world), bytes => bytes.subarray(0, -20)),
      /ends after \d+ of \d+ bytes/,
    ],
    ['an empty part', world => world.changePart(addDelta(world), () => Buffer.alloc(0)), /ends after 0 of \d+ bytes/],
    ['a longer part', world => world.changePart(addDelta(world), bytes => Buffer.concat([bytes, bytes])), /is longer/],
    [
      'a wrong signature',
      world => rewriteManifest(world, m => m.replace(/"signature":"../, '"signature":"AA')),
      /no valid signature/,
    ],
    [
      'a manifest that was changed',
      world => rewriteManifest(world, m => m.replace('"upserts":', '"upserts":1')),
      /no valid signature/,
    ],
    [
      'a manifest without a signature',
      world => rewriteManifest(world, m => m.replace(/,"signature.*"/, '')),
      /no valid signature/,
    ],
    [
      'another checksum',
      world => void world.edition.delta(m => ({ ...m, checksum_of_result: '0'.repeat(64) })),
      /the checksum .* were expected/,
    ],
    [
      'another number in the result',
      world => void world.edition.delta(m => ({ ...m, records_of_result: 3 })),
      /and the checksum/,
    ],
    [
      'another number of tombstones',
      world => void world.edition.delta(m => ({ ...m, tombstones: 7 })),
      /0 of them tombstones/,
    ],
    [
      'another number of lines',
      world => void world.edition.delta(m => ({ ...m, records: 7 })),
      /another number of records/,
    ],
    [
      'a manifest of another version',
      world => void world.edition.delta(m => ({ ...m, version: '2' })),
      /is of locations in version 2/,
    ],
    [
      'a name that leads out of the folder',
      world => void world.edition.delta(m => ({ ...m, files: [], snapshot_id: '../x' })),
      /instead of that of|not safe as file names/,
    ],
  ])('%s', async (_, disturb, sentence) => {
    const world = await withFull()
    await world.pull()
    const before = world.pair()
    disturb(world)
    expect(await world.pull()).toMatchObject({
      pulled: [],
      failed: [{ mismatch: true, message: expect.stringMatching(sentence) }],
    })
    expect(world.pair()).toEqual(before)
    expect(world.leftovers().filter(name => name.startsWith('next'))).toEqual([])
  })

  test.each<[string, string, RegExp]>([
    ['out of order', '{"id":2}\n{"id":1}\n', /not in ascending order of id: 1 comes after 2/],
    ['twice the same id', '{"id":1}\n{"id":1}\n', /not in ascending order/],
    ['a line that is none', '{"id":1}\nhello\n', /no record with an id in line 2/],
    ['fewer lines', '{"id":1}\n', /has 1 records, but its manifest lists 2/],
    ['other ids', '{"id":1}\n{"id":3}\n', /ids from 1 to 3, but its manifest lists 1 to 2/],
    ['a tombstone in a full', '{"id":1}\n{"op":"delete","id":2}\n', /tombstones/],
  ])('signed and whole, but %s', async (_, text, sentence) => {
    const world = await PullWorld.open({ encoding: 'gzip' })
    worlds.push(world)
    const { gzipSync } = await import('node:zlib')
    const { sha256 } = await import('./pull-publisher.ts')
    const packed = gzipSync(text)
    const part = {
      name: 'part-x',
      bytes: packed.length,
      records: 2,
      sha256: sha256(packed),
      min_id: 1,
      max_id: 2,
      encoding: 'gzip',
    }
    const id = world.edition.full(m => ({ ...m, records: 2, upserts: 2, files: [part] }))
    writeFileSync(join(world.edition.folder, id, 'part-x'), packed)
    expect((await world.pull()).failed).toMatchObject([{ mismatch: true, message: expect.stringMatching(sentence) }])
    expect(world.pair()).toBeUndefined()
  })

  test('another key: of the service, or of the one that was brought', async () => {
    const world = await withFull()
    await world.pull()
    const before = world.pair()
    const stranger = world.publisher({})
    stir(stranger, 10, next)
    stranger.full()
    world.server.editions = [stranger]
    await expect(world.pull()).rejects.toThrow(/signs with the key .*, stored by the first pull/)
    expect(world.pair()).toEqual(before)
    const { createPublicKey } = await import('node:crypto')
    const pem = createPublicKey(stranger.key).export({ type: 'spki', format: 'pem' }).toString()
    expect((await world.pull({ publicKey: pem })).pulled).toMatchObject([{ kind: 'full' }])
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged' }])
    world.server.editions = [world.publisher({})]
    await expect(world.pull({ publicKey: pem })).rejects.toThrow(/the one passed with --public-key/)
  })

  test('what was wrong is fetched anew once it is right', async () => {
    const world = await withFull()
    let good: Buffer | undefined
    world.changePart(
      '2026-11-20.0-v1',
      bytes => {
        good = bytes
        return flip(bytes)
      },
      1,
    )
    expect((await world.pull()).failed).toMatchObject([{ mismatch: true }])
    world.changePart('2026-11-20.0-v1', () => good!, 1)
    await world.pull()
    expectNewest(world)
  })
})

/** Changes the manifest of a new delta after it was signed. */
function rewriteManifest(world: PullWorld, change: (manifest: string) => string): void {
  const id = addDelta(world)
  world.server.intercept = async (_, reply, path) => {
    if (!path.endsWith(`${id}/manifest.json`)) return false
    const { readFileSync } = await import('node:fs')
    const manifest = readFileSync(join(world.edition.folder, id, 'manifest.json'), 'utf8')
    const changed = change(manifest)
    expect(changed).not.toBe(manifest)
    reply.end(changed)
    return true
  }
}

describe('a network that fails', () => {
  test('a part goes on where it was cut, in one run and over runs', async () => {
    const world = await withFull({ partRecords: 1000 })
    let cuts = 0
    world.server.intercept = (request, reply, path) => {
      if (!partOf.test(path) || cuts++ >= 4) return false
      sendFile(request, reply, join(world.edition.folder, '2026-11-20.0-v1', path.split('/').at(-1)!), 500)
      return true
    }
    await world.pull()
    expectNewest(world)
    const ranges = world.server.calls.filter(({ path }) => partOf.test(path)).map(({ range }) => range)
    expect(ranges).toEqual([undefined, 'bytes=500-', 'bytes=1000-', 'bytes=1500-', 'bytes=2000-'])
  })

  test('what came before the connection was lost for good is kept for the next run', async () => {
    const world = await withFull({ partRecords: 1000 })
    let calls = 0
    world.server.intercept = (request, reply, path) => {
      if (!partOf.test(path)) return false
      if (calls++ === 0)
        sendFile(request, reply, join(world.edition.folder, '2026-11-20.0-v1', path.split('/').at(-1)!), 700)
      else reply.destroy()
      return true
    }
    expect((await world.pull()).failed).toMatchObject([
      { mismatch: false, message: expect.stringMatching(/cannot be reached.*Gave up after 6 attempts/) },
    ])
    world.server.intercept = () => false
    world.server.calls.length = 0
    await world.pull()
    expectNewest(world)
    expect(world.server.calls.find(({ path }) => partOf.test(path))?.range).toBe('bytes=700-')
  })

  test('a server that ignores ranges, and one that has another file by now', async () => {
    const world = await withFull({ partRecords: 1000 })
    const file = (path: string) => join(world.edition.folder, '2026-11-20.0-v1', path.split('/').at(-1)!)
    for (const forget of ['range', 'if-range'] as const) {
      let calls = 0
      world.server.intercept = (request, reply, path) => {
        if (!partOf.test(path)) return false
        if (calls++ === 0) sendFile(request, reply, file(path), 600)
        else {
          if (forget === 'range') delete request.headers.range
          else request.headers['if-range'] = '"another"'
          sendFile(request, reply, file(path))
        }
        return true
      }
      await world.pull({ full: true })
      expectNewest(world)
    }
  })

  test('a part that stays cut is not what the manifest says', async () => {
    const world = await withFull({ partRecords: 1000 })
    world.server.intercept = (request, reply, path) => {
      if (!partOf.test(path)) return false
      if (request.headers.range) {
        reply.writeHead(206, { 'Content-Range': 'bytes 800-999/1000', 'Content-Length': 200 })
        cutAfter(reply, Buffer.alloc(0))
      } else sendFile(request, reply, join(world.edition.folder, '2026-11-20.0-v1', path.split('/').at(-1)!), 800)
      return true
    }
    expect((await world.pull()).failed).toMatchObject([
      { mismatch: true, message: expect.stringMatching(/ends after 800 of \d+ bytes, each time/) },
    ])
  })

  test('a partial file of other bytes is given up, not believed', async () => {
    const world = await withFull({ partRecords: 1000 })
    const files = new ResultFiles(world.into, 'locations')
    writeFileSync(`${files.partOf('2026-11-20.0-v1', 'part-00000.ndjson.zst')}.partial`, 'some other bytes')
    await world.pull()
    expectNewest(world)
  })

  test('429 and 503 are waited out as they ask, and said', async () => {
    const world = await withFull()
    const answers = [429, 503]
    world.server.intercept = (_, reply, path) => {
      const status = partOf.test(path) ? answers.shift() : undefined
      if (status) problem(reply, status, 'Too many downloads.', { 'Retry-After': '7' })
      return status !== undefined
    }
    await world.pull()
    expectNewest(world)
    expect(world.waits).toEqual([7000, 7000])
    expect(world.said[0]).toMatch(/429: Too many downloads.*Waiting 7 s/)
  })

  test('a wait of hours is not waited', async () => {
    const world = await withFull()
    world.server.intercept = (_, reply, path) => {
      if (partOf.test(path)) problem(reply, 429, '50 snapshots today.', { 'Retry-After': '20000' })
      return partOf.test(path)
    }
    expect((await world.pull()).failed).toMatchObject([
      { mismatch: false, message: expect.stringMatching(/50 snapshots today.*retry in 6 hours/) },
    ])
    expect(world.waits).toEqual([])
  })

  test.each([
    [401, 'This API key is not known.'],
    [403, 'Your package has no feeds.'],
    [400, 'version is not known.'],
  ])('%i is said in the words of the service, and not tried again', async (status, message) => {
    const world = await withFull()
    world.server.intercept = (_, reply, path) => {
      if (path === '/feeds') problem(reply, status, message)
      return path === '/feeds'
    }
    await expect(world.pull()).rejects.toThrow(`${status}: ${message}`)
    expect(world.server.paths(/^\/feeds$/)).toHaveLength(1)
  })

  test('nobody there, and somebody else there', async () => {
    const world = await withFull()
    world.server.intercept = (_, reply, path) => {
      if (path === '/feeds') reply.end('<html>')
      return path === '/feeds'
    }
    await expect(world.pull()).rejects.toThrow('is --url the address of Periplus?')
    world.server.intercept = (_, reply) => {
      reply.destroy()
      return true
    }
    await expect(world.pull()).rejects.toThrow(/cannot be reached.*Gave up after 6 attempts/)
    expect(world.waits).toEqual([250, 500, 1000, 2000, 4000])
  })

  test('the key goes nowhere else: not with a redirect to another host, not into an address', async () => {
    const world = await withFull({ partRecords: 1000 })
    const seen: unknown[] = []
    const elsewhere = createServer((request, reply) => {
      seen.push(request.headers['x-api-key'], request.headers.authorization, request.url)
      sendFile(request, reply, join(world.edition.folder, '2026-11-20.0-v1', 'part-00000.ndjson.zst'))
    })
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
    const { port } = elsewhere.address() as { port: number }
    world.server.intercept = (_, reply, path) => {
      if (partOf.test(path)) reply.writeHead(302, { Location: `http://localhost:${port}/blob` }).end()
      return partOf.test(path)
    }
    await world.pull()
    elsewhere.closeAllConnections()
    elsewhere.close()
    expectNewest(world)
    expect(seen).toEqual([undefined, undefined, '/blob'])
    expect(world.server.calls.some(({ path }) => path.includes('peri_test'))).toBe(false)
  })

  test('user name and password of the address are sent but not shown', async () => {
    const world = await withFull()
    let authorization: string | undefined
    world.server.intercept = (request, reply) => {
      authorization = request.headers.authorization
      problem(reply, 403, 'No.')
      return true
    }
    const url = new URL(world.server.url)
    url.username = 'user'
    url.password = 'secret'
    const client = new FeedClient({ url, key: testKey, say: () => {}, wait: async () => {} })
    await expect(world.pull({ client })).rejects.toThrow(
      `${new URL(world.server.url).href}feeds/public-key.pem answered 403: No.`,
    )
    expect(authorization).toBe(`Basic ${Buffer.from('user:secret').toString('base64')}`)
  })

  test('redirects without end', async () => {
    const world = await withFull()
    world.server.intercept = (_, reply, path) => {
      reply.writeHead(307, { Location: path }).end()
      return true
    }
    await expect(world.pull()).rejects.toThrow('redirects more than 5 times')
  })
})

describe('killed between the two renames (the journal of result-state.ts)', () => {
  /** A pull of a delta as it stands right before its files are renamed. */
  async function decided() {
    const world = await withFull()
    await world.pull()
    const old = world.pair()!
    addDelta(world)
    await world.pull()
    const files = new ResultFiles(world.into, 'locations')
    const fresh = world.pair()!
    const place = (pair: { result: string; state: object }) => {
      writeFileSync(files.result, pair.result)
      writeFileSync(join(world.into, 'locations.state.json'), JSON.stringify(pair.state))
    }
    return { world, files, old, fresh, place }
  }

  test('before it was decided: the old pair, and the new result dropped', async () => {
    const { files, old, place, world } = await decided()
    place(old)
    writeFileSync(files.next, 'half a res')
    files.recover()
    expect(world.pair()).toEqual(old)
    expect(existsSync(files.next)).toBe(false)
  })

  test.each([false, true])('after it was decided, the result renamed: %s', async renamed => {
    const { files, old, fresh, place, world } = await decided()
    place({ result: renamed ? fresh.result : old.result, state: old.state })
    if (!renamed) writeFileSync(files.next, fresh.result)
    writeFileSync(join(files.work, 'next.json'), JSON.stringify(fresh.state))
    files.recover()
    expect(world.pair()).toEqual(fresh)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged' }])
  })
})

test('a record whose id does not stand first', async () => {
  const world = await withFull()
  world.edition.model.set('77', '{"names":[],"id":77}')
  world.edition.model.set('78', placeLine('78', 'x'))
  world.edition.delta()
  await world.pull()
  expectNewest(world)
})
