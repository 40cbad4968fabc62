import { hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/compose/build-index.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import type { PackedFacts } from '../../src/packed/format.ts'
import { loadPacked } from '../../src/packed/load.ts'
import { PackedFile } from '../../src/packed/packed-file.ts'
import { PackedWriter } from '../../src/packed/writer.ts'
import { periplus } from '../cli.ts'
import { configFor, ndjson, scratch } from '../world.ts'
import { locations } from '../world-rows.ts'

const folder = scratch()
const open: PackedFile[] = []
afterAll(() => {
  for (const file of open) file.close()
  folder.remove()
})

const path = join(folder.path, 'bodies-1.packed')
const facts: Omit<PackedFacts, 'places'> = {
  version: '1',
  publicUrl: 'https://places.example',
  release: '1.0.0',
  storeId: 'store',
  position: { seq: 7, mark: 'x' },
}
/** Ids whose halves differ in both orders, up to the largest. */
const ids = [
  1n,
  2n,
  77n,
  4_294_967_295n,
  4_294_967_296n,
  4_294_967_297n,
  9_007_199_254_740_993n,
  9_223_372_036_854_775_807n,
]
const bodyOf = (id: bigint) => Buffer.from(`{"data":{"id":${id},"text":"${'é'.repeat(Number(id % 50n))}"}}`)
const etagOf = (id: bigint) => `"${hash('sha1', bodyOf(id), 'base64url')}"`

function write(): void {
  const writer = new PackedWriter(path, 0)
  for (const id of ids) {
    const coded = id % 2n === 1n && { gzip: Buffer.from(`gzip ${id}`), br: Buffer.from(`br ${id}`) }
    writer.add(id, { etag: etagOf(id), identity: bodyOf(id), ...coded })
  }
  writer.commit(facts)
}

function load(memoryBytes: number, onDamage: (reason: string) => void = () => {}, partBytes?: number): PackedFile {
  const file = openSync(path, 'r')
  const loaded = loadPacked(file, memoryBytes, partBytes)
  if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
  const packed = new PackedFile(file, loaded.contents, onDamage)
  open.push(packed)
  return packed
}

test.each([
  ['on disk', 0],
  ['in memory', 1e6],
  ['in memory, read in small parts', 1e6, 7],
])('a file with its bodies %s has every form of each body, and no other id', (_, memoryBytes, partBytes?: number) => {
  write()
  const packed = load(memoryBytes, () => {}, partBytes)
  expect(packed.facts).toEqual({ ...facts, places: ids.length })
  for (const id of ids) {
    const place = packed.find(id)
    const isCoded = id % 2n === 1n
    expect([id, packed.etag(place), packed.read(place, 'identity')?.toString()]).toEqual([
      id,
      etagOf(id),
      `${bodyOf(id)}`,
    ])
    expect(packed.read(place, 'gzip')?.toString()).toBe(isCoded ? `gzip ${id}` : undefined)
    expect(packed.read(place, 'br')?.toString()).toBe(isCoded ? `br ${id}` : undefined)
  }
  for (const id of [0n, 3n, 78n, 4_294_967_298n, 9_223_372_036_854_775_806n])
    expect([id, packed.find(id)]).toEqual([id, -1])
  packed.markChanged(77n)
  packed.markChanged(77n)
  packed.markChanged(78n)
  expect([packed.find(77n), packed.find(2n), packed.changedPlaces]).toEqual([-1, 1, 1])
})

test('an empty inventory has a file without places', () => {
  const writer = new PackedWriter(path, 0)
  writer.commit(facts)
  expect(load(0).find(1n)).toBe(-1)
})

test('each byte of a file is checked when it is loaded, and a file that lacks its end is not used', () => {
  write()
  const intact = readFileSync(path)
  const outcomes = new Set<string>()
  const file = openSync(path, 'r+')
  for (let at = 0; at < intact.length; at++) {
    writeSync(file, Buffer.of(intact[at]! ^ 0x10), 0, 1, at)
    outcomes.add(loadPacked(file, 0).outcome)
    writeSync(file, intact, at, 1, at)
  }
  for (let length = intact.length - 1; length >= 0; length -= 20) {
    ftruncateSync(file, length)
    outcomes.add(loadPacked(file, 0).outcome)
  }
  closeSync(file)
  expect(outcomes).toEqual(new Set(['unrecognized', 'damaged', 'other_format']))
  writeFileSync(path, intact)
  expect(load(0).find(77n)).toBe(2)
})

test('a body that is damaged while the file is open is reported and not returned', () => {
  write()
  const reasons: string[] = []
  const packed = load(0, reason => reasons.push(reason))
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('gzip 77')]! ^= 1
  writeFileSync(path, bytes)
  const place = packed.find(77n)
  expect([packed.read(place, 'gzip'), reasons]).toEqual([undefined, ['the body of location 77 is damaged']])
  expect(packed.read(place, 'br')?.toString()).toBe('br 77')
})

describe('an import whose bodies cannot be packed', () => {
  const data = join(folder.path, 'data')
  const rows = join(folder.path, 'places.ndjson')
  const packing = { PERIPLUS_CACHE_PACKED: 'always', PERIPLUS_SERVER_PUBLIC_URL: 'https://places.example' }
  const runImport = () => periplus(['import', rows, '--data', data, '--json'], { env: packing })
  const generation = join(data, 'data/g1')
  const packedFiles = () => readdirSync(generation).filter(name => name.startsWith('bodies-'))

  beforeAll(async () => {
    writeFileSync(rows, ndjson(locations))
    expect(await runImport()).toMatchObject({ code: 0, stderr: '' })
    expect(packedFiles()).toContain('bodies-1.packed')
  })

  /** Makes a folder where a file must be. */
  function block(name: string): void {
    mkdirSync(join(generation, name, 'inner'), { recursive: true })
    utimesSync(join(generation, name), 0, 0)
  }

  test.each([
    ['cannot be created', 'bodies-1.packed.blocked.new'],
    ['cannot be put in place', 'bodies-1.packed'],
  ])('builds its index if the file %s', async (_, name) => {
    for (const file of [...packedFiles(), 'search.index']) rmSync(join(generation, file), { recursive: true })
    block(name)
    const { code, stderr } = await runImport()
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^The file of ready bodies could not be written \(\w+\)\. .*\.\n$/),
    })
    expect(existsSync(join(generation, 'search.index'))).toBe(true)
    expect(packedFiles().filter(file => file.endsWith('.new') && file !== name)).toEqual([])
  })

  test('deletes its copies if the index has no space, and saves it again', async () => {
    const calls: string[] = []
    const parent = join(folder.path, 'parent')
    const index = join(parent, 'search.index')
    writeFileSync(parent, 'A copy where the folder of the index must be.')
    const discard = () => {
      rmSync(parent)
      mkdirSync(parent)
    }
    const engine = openConfiguredEngine(configFor(data), { create: false })
    try {
      const copies = {
        create: () => ({ add: () => {}, commit: () => calls.push('commit'), discard }),
        onFailure: () => calls.push('failure'),
      }
      await buildIndex(engine, index, { nowMs: 0, copies })
    } finally {
      await engine.close()
    }
    expect({ calls, isSaved: existsSync(index) }).toEqual({ calls: ['failure'], isSaved: true })
  })
})
