/** `periplus feeds pull` against a service that conforms to R-45, and against services that do not. */
import { appendFileSync, existsSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { FeedClient } from '../../src/feeds/pull/client.ts'
import { ResultFiles } from '../../src/feeds/pull/result-state.ts'
import { createRandom } from '../../src/kit/random.ts'
import { applyRandomChanges, type PublisherOptions, placeLine } from './pull-publisher.ts'
import { cutAfter, problem, sendFile, testKey } from './pull-server.ts'
import { PullWorld } from './pull-world.ts'

const worlds: PullWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

/** Opens a world with a full snapshot of about 300 records. */
async function withFull(options: PublisherOptions = {}, base = ''): Promise<PullWorld> {
  const world = await PullWorld.open({ partRecords: 100, ...options }, base)
  worlds.push(world)
  applyRandomChanges(world.edition, 300, next)
  world.edition.full()
  return world
}
const next = createRandom(20_261_120)

function addDelta(world: PullWorld, changes = 20): string {
  applyRandomChanges(world.edition, changes, next)
  return world.edition.delta()
}

/** Expects result and state to equal the edition's current records, and no working files. */
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
  test('downloads a full, then nothing, then only the changes', async () => {
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
    expect(world.messages).toEqual([])
  })

  test('applies all deltas after the newest full in one run, with several parts, gzip and a base path', async () => {
    const world = await withFull({ encoding: 'gzip', partRecords: 30 }, '/base')
    addDelta(world)
    world.edition.full()
    addDelta(world)
    addDelta(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full', sequence: 5 }])
    expectNewest(world)
  })

  test('continues with deltas past a newer full', async () => {
    const world = await withFull()
    addDelta(world)
    await world.pull()
    world.edition.full()
    addDelta(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'delta', sequence: 4 }])
    expectNewest(world)
  })

  test('applies an empty delta, a feed that becomes empty, and a feed that was empty', async () => {
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

  test('applies more deltas than it reads in parallel', async () => {
    const world = await withFull()
    await world.pull()
    for (let i = 0; i < 19; i++) addDelta(world, 5)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'delta', sequence: 20 }])
    expectNewest(world)
  })

  test('pulls all feeds of a key; a feed that fails does not affect the others', async () => {
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
        message: 'The service currently has no full snapshot of this feed. Try again later.',
      },
    ])
    expect(world.result('reviews')).toBe(reviews.result())
    expect(world.result('enums')).toBe(enums.result())
    await expect(world.pull({ feed: 'reviews' })).resolves.toMatchObject({ pulled: [{ feed: 'reviews' }], failed: [] })
  })

  test('lists the available feeds if the requested feed is not among them', async () => {
    const world = await withFull()
    await expect(world.pull({ feed: 'geos' })).rejects.toThrow(
      'does not offer the feed geos to this key. It offers: locations',
    )
  })
})

describe('starts over with a full and reports the reason', () => {
  test('a changed pin', async () => {
    const world = await withFull()
    await world.pull()
    const newer = world.publisher({ version: '2', key: world.edition.key })
    applyRandomChanges(newer, 50, next)
    newer.full()
    newer.delta()
    newer.delta()
    world.server.editions = [newer]
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full', version: '2', sequence: 3 }])
    expect(world.messages).toEqual([expect.stringMatching(/now pinned to version 2.*Starting over with a full/)])
    expectNewest(world)
  })

  test.each<[string, (world: PullWorld) => void, RegExp]>([
    ['deltas that are no longer complete', withdrawDeltas, /no longer complete/],
    ['a gap in the sequence', world => void world.edition.snapshots.splice(1, 1), /do not continue/],
    ['a service that was set up again', resetService, /no longer has snapshots up to/],
    ['a snapshot that is unknown to the service', forgetSnapshots, /newest result of the service differs/],
    [
      'a service that was restored and then published different snapshots',
      divergeFromResult,
      /another snapshot with the name/,
    ],
  ])('%s', async (_, disturb, message) => {
    const world = await withFull()
    await world.pull()
    addDelta(world)
    addDelta(world)
    world.edition.full()
    disturb(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full' }])
    expect(world.messages).toEqual([expect.stringMatching(message)])
    expectNewest(world)
  })

  test('not if no full exists but the result is up to date', async () => {
    const world = await withFull()
    addDelta(world)
    await world.pull()
    // The full was withdrawn because it held an erased record, which the delta removes.
    world.edition.snapshots.shift()
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged', sequence: 2 }])
    expectNewest(world)
  })

  test('a snapshot that is withdrawn during its download', async () => {
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
    expect(world.messages).toEqual([expect.stringMatching(/410: It held an erased record.*full/)])
    expectNewest(world)
  })

  test.each<[string, (world: PullWorld) => void]>([
    ['is missing', world => rmSync(world.resultFile())],
    ['is longer', world => appendFileSync(world.resultFile(), '{"id":1}\n')],
    ['is shorter', world => truncateSync(world.resultFile(), 1000)],
    [
      'has other bytes',
      world => {
        writeFileSync(world.resultFile(), world.result().replace('Name', 'Mane'))
        // A file system may give two writes of the same few milliseconds the same time.
        utimesSync(world.resultFile(), 1, 1)
      },
    ],
    ['has a broken state file', world => writeFileSync(join(world.into, 'locations.state.json'), '{"feed":')],
  ])('a result that %s', async (_, disturb) => {
    const world = await withFull()
    await world.pull()
    disturb(world)
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'full' }])
    expect(world.messages).toEqual([expect.stringContaining('does not match its state file')])
    expectNewest(world)
  })

  test('not for a result with another modification time; the next delta detects silently corrupted bytes', async () => {
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

function withdrawDeltas(world: PullWorld): void {
  world.server.intercept = (_, reply, path) => {
    if (!path.includes('/deltas?after=1')) return false
    problem(reply, 410, 'Deltas after 1 are no longer complete.')
    return true
  }
}

function resetService(world: PullWorld): void {
  const { edition } = world
  writeFileSync(
    join(world.into, 'locations.state.json'),
    JSON.stringify({ ...world.state(), sequence: edition.snapshots.length + 9 }),
  )
}

/** Makes the state file's checksum differ from that of the service's snapshot with the same name. */
function divergeFromResult(world: PullWorld): void {
  writeFileSync(
    join(world.into, 'locations.state.json'),
    JSON.stringify({ ...world.state(), checksum_of_result: '0'.repeat(64) }),
  )
}

function forgetSnapshots(world: PullWorld): void {
  // Keep only the full, without the deltas that lead to it.
  const { snapshots } = world.edition
  const full = snapshots.pop()!
  snapshots.splice(0, snapshots.length, full)
}

describe('a download that does not match the manifest leaves the result unchanged', () => {
  const flip = (bytes: Buffer) => {
    const changed = Buffer.from(bytes)
    changed[changed.length >> 1]! ^= 1
    return changed
  }

  test.each<[string, (world: PullWorld) => void, RegExp]>([
    ['a tampered part', world => world.changePart(addDelta(world), flip), /has the SHA-256/],
    [
      'a truncated part',
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
      'a modified manifest',
      world => rewriteManifest(world, m => m.replace('"upserts":', '"upserts":1')),
      /no valid signature/,
    ],
    [
      'a manifest without a signature',
      world => rewriteManifest(world, m => m.replace(/,"signature.*"/, '')),
      /no valid signature/,
    ],
    [
      'a different checksum',
      world => void world.edition.delta(m => ({ ...m, checksum_of_result: '0'.repeat(64) })),
      /the checksum .* were expected/,
    ],
    [
      'a different number of records in the result',
      world => void world.edition.delta(m => ({ ...m, records_of_result: 3 })),
      /and the checksum/,
    ],
    [
      'a different number of tombstones',
      world => void world.edition.delta(m => ({ ...m, tombstones: 7 })),
      /0 of them tombstones/,
    ],
    [
      'a different number of lines',
      world => void world.edition.delta(m => ({ ...m, records: 7 })),
      /total number of records that differs/,
    ],
    [
      'a manifest of a different version',
      world => void world.edition.delta(m => ({ ...m, version: '2' })),
      /is for locations in version 2/,
    ],
    [
      'a name with a path out of the folder',
      world => void world.edition.delta(m => ({ ...m, files: [], snapshot_id: '../x' })),
      /instead of 2026|not safe as file names/,
    ],
  ])('%s', async (_, disturb, message) => {
    const world = await withFull()
    await world.pull()
    const before = world.pair()
    disturb(world)
    expect(await world.pull()).toMatchObject({
      pulled: [],
      failed: [{ mismatch: true, message: expect.stringMatching(message) }],
    })
    expect(world.pair()).toEqual(before)
    expect(world.leftovers().filter(name => name.startsWith('next'))).toEqual([])
  })

  test.each<[string, string, RegExp]>([
    ['with ids out of order', '{"id":2}\n{"id":1}\n', /not in ascending order of id: 1 comes after 2/],
    ['with a repeated id', '{"id":1}\n{"id":1}\n', /not in ascending order/],
    ['with a line that is not a record', '{"id":1}\nhello\n', /no valid record id in line 2/],
    ['with fewer lines', '{"id":1}\n', /has 1 records, but its manifest lists 2/],
    ['with different ids', '{"id":1}\n{"id":3}\n', /ids from 1 to 3, but its manifest lists 1 to 2/],
    ['with a tombstone in a full', '{"id":1}\n{"op":"delete","id":2}\n', /tombstones/],
  ])('a part with a valid checksum but %s', async (_, text, message) => {
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
    expect((await world.pull()).failed).toMatchObject([{ mismatch: true, message: expect.stringMatching(message) }])
    expect(world.pair()).toBeUndefined()
  })

  test('a signing key that differs from the stored one or from --public-key', async () => {
    const world = await withFull()
    await world.pull()
    const before = world.pair()
    const stranger = world.publisher({})
    applyRandomChanges(stranger, 10, next)
    stranger.full()
    world.server.editions = [stranger]
    await expect(world.pull()).rejects.toThrow(
      /signs with the key .*, stored by the first pull.* delete that file, or pass/,
    )
    expect(world.pair()).toEqual(before)
    const { createPublicKey } = await import('node:crypto')
    const pem = createPublicKey(stranger.key).export({ type: 'spki', format: 'pem' }).toString()
    expect((await world.pull({ publicKey: pem })).pulled).toMatchObject([{ kind: 'full' }])
    expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged' }])
    world.server.editions = [world.publisher({})]
    await expect(world.pull({ publicKey: pem })).rejects.toThrow(/the one passed with --public-key/)
  })

  test('downloads a corrupted part again once it is repaired', async () => {
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

/** Adds a delta and serves its manifest with changes made after signing. */
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

describe('network failures', () => {
  test('resumes an interrupted download, within a run and across runs', async () => {
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

  test('keeps the received bytes for the next run when the connection fails permanently', async () => {
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

  test('handles a server that ignores ranges, and a file that has changed', async () => {
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

  test('reports a mismatch for a part that is always truncated', async () => {
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
      { mismatch: true, message: expect.stringMatching(/ends after 800 of \d+ bytes on every attempt/) },
    ])
  })

  test('discards a partial file with different bytes', async () => {
    const world = await withFull({ partRecords: 1000 })
    const files = new ResultFiles(world.into, 'locations')
    writeFileSync(`${files.createPartPath('2026-11-20.0-v1', 'part-00000.ndjson.zst')}.partial`, 'some other bytes')
    await world.pull()
    expectNewest(world)
  })

  test('waits as long as 429 and 503 answers request, and reports it', async () => {
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
    expect(world.messages[0]).toMatch(/429: Too many downloads.*Waiting 7 s/)
  })

  test('fails instead of waiting for hours', async () => {
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
  ])('%i is reported with the message of the service and not retried', async (status, message) => {
    const world = await withFull()
    world.server.intercept = (_, reply, path) => {
      if (path === '/feeds') problem(reply, status, message)
      return path === '/feeds'
    }
    await expect(world.pull()).rejects.toThrow(`${status}: ${message}`)
    expect(world.server.paths(/^\/feeds$/)).toHaveLength(1)
  })

  test('reports an unreachable service and a server that is not Periplus', async () => {
    const world = await withFull()
    world.server.intercept = (_, reply, path) => {
      if (path === '/feeds') reply.end('<html>')
      return path === '/feeds'
    }
    await expect(world.pull()).rejects.toThrow('Check that --url is the address of Periplus.')
    world.server.intercept = (_, reply) => {
      reply.destroy()
      return true
    }
    await expect(world.pull()).rejects.toThrow(/cannot be reached.*Gave up after 6 attempts/)
    expect(world.waits).toEqual([250, 500, 1000, 2000, 4000])
  })

  test('sends the key neither to another host after a redirect nor in a URL', async () => {
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

  test('sends the user name and password of the URL but does not print them', async () => {
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
      `${new URL(world.server.url).href}feeds/public-key.pem returned 403: No.`,
    )
    expect(authorization).toBe(`Basic ${Buffer.from('user:secret').toString('base64')}`)
  })

  test('reports endless redirects', async () => {
    const world = await withFull()
    world.server.intercept = (_, reply, path) => {
      reply.writeHead(307, { Location: path }).end()
      return true
    }
    await expect(world.pull()).rejects.toThrow('redirects more than 5 times')
  })
})

describe('killed between the two renames (the journal of result-state.ts)', () => {
  /** Returns the files before and after the pull of a delta; `place` puts a pair of them in place. */
  async function pulledDelta() {
    const world = await withFull()
    await world.pull()
    const old = world.pair()!
    addDelta(world)
    await world.pull()
    const files = new ResultFiles(world.into, 'locations')
    const updated = world.pair()!
    const place = (pair: { result: string; state: object }) => {
      writeFileSync(files.result, pair.result)
      writeFileSync(join(world.into, 'locations.state.json'), JSON.stringify(pair.state))
    }
    return { world, files, old, updated, place }
  }

  test('killed before the journal was written: keeps the old pair and removes the new result', async () => {
    const { files, old, place, world } = await pulledDelta()
    place(old)
    writeFileSync(files.next, 'half a res')
    files.recover()
    expect(world.pair()).toEqual(old)
    expect(existsSync(files.next)).toBe(false)
  })

  test.each([false, true])(
    'killed after the journal was written, with the result renamed: %s: completes the new pair',
    async renamed => {
      const { files, old, updated, place, world } = await pulledDelta()
      place({ result: renamed ? updated.result : old.result, state: old.state })
      if (!renamed) writeFileSync(files.next, updated.result)
      writeFileSync(join(files.work, 'next.json'), JSON.stringify(updated.state))
      files.recover()
      expect(world.pair()).toEqual(updated)
      expect((await world.pull()).pulled).toMatchObject([{ kind: 'unchanged' }])
    },
  )
})

test('accepts a record whose id is not its first member', async () => {
  const world = await withFull()
  world.edition.model.set('77', '{"names":[],"id":77}')
  world.edition.model.set('78', placeLine('78', 'x'))
  world.edition.delta()
  await world.pull()
  expectNewest(world)
})
