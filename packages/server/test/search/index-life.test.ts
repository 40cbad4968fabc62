import { copyFileSync, cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/compose/build-index.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { buildSegment } from '../../src/search/index/build.ts'
import { loadIndex, saveIndex } from '../../src/search/index/file.ts'
import { singlePart } from '../../src/search/index/index-data.ts'
import { indexVersion } from '../../src/search/index/stored-file.ts'
import { periplus, periplusProcess, type Served, serve } from '../cli.ts'
import { verifyFolder } from '../composed.ts'
import { send } from '../http-client.ts'
import { killedAt } from '../kills.ts'
import { searchable } from '../searchable.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeKey, ndjson, scratch, startWorld, type World } from '../world.ts'
import { place } from './world.ts'

const folder = scratch()
afterAll(folder.remove)

const row = (i: number, name: string) => ({ source: 's', source_id: `p${i}`, name, lat: 40, lon: i / 1000 })
/** More changes than a service adds to its overlay: an import of so many rows builds an index. */
const bulkCount = 5500
const writeRows = (name: string, rows: readonly object[]) => {
  const path = join(folder.path, name)
  writeFileSync(path, ndjson(rows))
  return path
}
const smallFile = writeRows(
  'few.ndjson',
  Array.from({ length: 20 }, (_, i) => row(i, `Alpha ${i}`)),
)
const bulkFile = writeRows(
  'bulk.ndjson',
  Array.from({ length: bulkCount }, (_, i) => row(i, `Omega ${i}`)),
)

const folders = { count: 0 }
const newFolder = () => join(folder.path, `data-${++folders.count}`)
const indexOf = (data: string) => filesOf(data).index
const total = async (url: string, key: string, query: string): Promise<number> => {
  const reply = await send(url, `/locations/search?query=${query}&size=1`, { headers: { 'X-API-Key': key } })
  if (reply.status !== 200) return -reply.status
  return (reply.json() as { pagination: { total_elements: number } }).pagination.total_elements
}
const indexProblems = async (data: string): Promise<string[]> => {
  const found: string[] = []
  found.push(...(await verifyFolder(configFor(data))))
  return found
}

const indexAhead = join(folder.path, 'ahead.index')
saveIndex(indexAhead, singlePart(await buildSegment([place(1, 'Alpha')], { revision: 999, nowMs: 0 })))

describe('kill -9 while an index is built', () => {
  const [small, large] = [newFolder(), newFolder()]
  beforeAll(async () => {
    await periplus(['import', '--data', small, smallFile])
    await periplus(['import', '--data', large, '--no-index', bulkFile])
  })
  const copyOf = (stored: string): string => {
    const data = newFolder()
    cpSync(stored, data, { recursive: true })
    return data
  }
  /** Serves the folder until its index contains all places. */
  async function serveAndIndex(data: string): Promise<void> {
    const { secret } = await makeKey(configFor(data))
    const server = await serve(data)
    try {
      await expect.poll(() => total(server.url, secret, 'omega')).toBe(bulkCount)
      expect(await total(server.url, secret, 'alpha')).toBe(0)
    } finally {
      await server.stop()
    }
    expect(loadedFacts(data).count).toBe(bulkCount)
    expect(await indexProblems(data)).toEqual([])
  }

  test.each(['write search.index.new', 'rename search.index'])(
    'by an import, before the step %s: keeps the old index intact, and the next start builds the new one',
    async step => {
      const data = copyOf(small)
      const { revision } = loadedFacts(data)
      await killedAt(step, ['import', '--data', data, bulkFile])
      expect(loadedFacts(data)).toMatchObject({ count: 20, revision })
      if (step.startsWith('rename')) await serveAndIndex(data)
    },
  )

  test('by an import, before packed bodies are in place: leaves the new index intact and no file of bodies', async () => {
    const data = copyOf(small)
    const packed = { PERIPLUS_CACHE_PACKED: 'always' }
    await killedAt('sync bodies-1.packed.new', ['import', '--data', data, bulkFile], packed)
    expect(loadedFacts(data).count).toBe(bulkCount)
    expect(existsSync(join(data, 'data/g1/bodies-1.packed'))).toBe(false)
    expect(await indexProblems(data)).toEqual([])
  })

  test.each(['write search.index.new in a thread', 'rename search.index in a thread'])(
    'by the service, before the step %s: leaves no partial index, and the next start builds one',
    async step => {
      const data = copyOf(large)
      await killedAt(step, ['serve', '--data', data, '--port', '0'])
      expect(loadIndex(indexOf(data)).outcome).toBe('missing')
      if (step.startsWith('rename')) await serveAndIndex(data)
    },
  )
})

const loadedFacts = (data: string) => {
  const loaded = loadIndex(indexOf(data))
  if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
  return loaded.index.facts
}

describe('an index file that does not match the store', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({}, [row(1, 'Gamma'), row(2, 'Quixote')])
    await searchable(world, 'gamma', 1)
  })
  afterAll(() => world.close())

  test.each<[string, (index: string) => void, RegExp]>([
    ['truncated', index => writeFileSync(index, readFileSync(index).subarray(0, -100)), /is damaged/],
    [
      'a changed byte',
      index => {
        const bytes = readFileSync(index)
        bytes[bytes.length >> 1]! ^= 1
        writeFileSync(index, bytes)
      },
      /is damaged/,
    ],
    ['empty', index => writeFileSync(index, ''), /is not an index/],
    ['another file', index => copyFileSync(bulkFile, index), /is not an index/],
    [
      'from another release',
      index => {
        const bytes = readFileSync(index)
        bytes.writeUInt32LE(indexVersion - 1, 8)
        writeFileSync(index, bytes)
      },
      /another release uses/,
    ],
    ['ahead of the store', index => copyFileSync(indexAhead, index), /belongs to another store/],
  ])('%s: verify reports it, and the next start rebuilds it', async (_name, damage, problem) => {
    const { data } = world.config
    damage(indexOf(data))
    expect(await indexProblems(data)).toEqual([expect.stringMatching(problem)])
    await world.restart()
    await searchable(world, 'gamma', 1)
    await searchable(world, 'omega', 0)
    expect(loadedFacts(data).count).toBe(2)
    expect(await indexProblems(data)).toEqual([])
  })

  test('with as many changes, but different ones: verify names the places', async () => {
    const [one, other] = [newFolder(), newFolder()]
    const theta = { ...row(4, 'Theta'), id: 77 }
    await importRows(configFor(one), 'location', [row(1, 'Gamma'), row(2, 'Quixote'), row(3, 'Eta')])
    await importRows(configFor(other), 'location', [
      { ...row(1, 'Gamma'), rating: 3, review_count: 2 },
      row(2, 'Quixote'),
      theta,
    ])
    const engine = openConfiguredEngine(configFor(other), { create: false })
    await buildIndex(engine, indexOf(one), { nowMs: 0 })
    await engine.close()
    expect(await indexProblems(one)).toEqual([
      'Location 1 differs between the search index and the store.',
      'Location 3 is not in the search index.',
      'Location 77 is in the search index, but not in the store.',
    ])
    const ran = await periplus(['verify', '--data', one, '--json'])
    expect([ran.code, ran.json()]).toMatchObject([1, { ok: false, problems: { length: 3 } }])
  })

  test('replaced while the service runs: the service keeps its index', async () => {
    writeFileSync(indexOf(world.config.data), 'nonsense')
    await importRows(world.config, 'location', [row(3, 'Epsilon')])
    await searchable(world, 'epsilon', 1)
    await searchable(world, 'gamma', 1)
  })
})

describe('changes while the service runs', () => {
  test('finds changed and new places, and no removed ones, after their import', async () => {
    const world = await startWorld({}, [row(1, 'Gamma'), row(2, 'Quixote')])
    try {
      await searchable(world, 'gamma', 1)
      await importRows(world.config, 'location', [
        { ...row(1, 'Zeta'), lat: 10, lon: 10 },
        row(3, 'Gamma Nova'),
        { source: 's', source_id: 'p2', deleted: true },
      ])
      await searchable(world, 'zeta', 1)
      await searchable(world, 'nova', 1)
      await searchable(world, 'quixote', 0)
      const near = async (at: string) =>
        ((await world.get(`/locations/nearby?${at}`)).json() as { data: unknown[] }).data.length
      expect([await near('lat=10&lon=10'), await near('lat=40&lon=0')]).toEqual([1, 1])
      expect(await indexProblems(world.config.data)).toEqual([])
      await world.restart()
      await searchable(world, 'zeta', 1)
      await searchable(world, 'quixote', 0)
    } finally {
      await world.close()
    }
  })

  test('serves searches during a bulk import and then swaps its index in', async () => {
    const data = newFolder()
    await periplus(['import', '--data', data, smallFile])
    const { secret } = await makeKey(configFor(data))
    let server: Served | undefined
    try {
      server = await serve(data)
      const { url } = server
      await expect.poll(() => total(url, secret, 'alpha')).toBe(20)
      const before = statSync(indexOf(data)).ino
      const seen: number[] = []
      let running = true
      const polling = (async () => {
        while (running) seen.push((await total(url, secret, 'alpha')) + (await total(url, secret, 'omega')))
      })()
      expect((await periplusProcess(['import', '--data', data, bulkFile])).code).toBe(0)
      await expect.poll(() => total(url, secret, 'omega')).toBe(bulkCount)
      running = false
      await polling
      expect(await total(url, secret, 'alpha')).toBe(0)
      // No search was refused during the import.
      expect(Math.min(...seen)).toBeGreaterThanOrEqual(0)
      expect(statSync(indexOf(data)).ino).not.toBe(before)
    } finally {
      await server?.stop()
    }
  })
})
