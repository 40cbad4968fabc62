import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createRandom } from '../../src/kit/random.ts'
import { buildSegment } from '../../src/search/index/build.ts'
import { loadIndex, saveIndex } from '../../src/search/index/file.ts'
import { singlePart } from '../../src/search/index/index-data.ts'
import { viewOfIndex } from '../../src/search/index/index-view.ts'
import { indexVersion, prepareFile, writePrepared } from '../../src/search/index/stored-file.ts'
import { randomPlaces, search } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'periplus-index-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'places.index')
const built = singlePart(await buildSegment(randomPlaces(500, 2), { revision: 41, nowMs: 7 }))
const size = saveIndex(path, built)
const saved = readFileSync(path)

test('a saved index loads and returns the same results', () => {
  expect(saved.length).toBe(size)
  const loaded = loadIndex(path)
  if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
  expect(loaded.index.facts).toEqual(built.facts)
  expect(loaded.index.facts.revision).toBe(41)
  expect(loaded.index.parts[0]!.arrays.texts.buffer).toBeInstanceOf(SharedArrayBuffer)
  const [before, after] = [built, loaded.index].map(viewOfIndex)
  for (const text of ['hotel', 'museum madrid', 'kalo', 'grnd'])
    expect(search(after!, text)).toEqual(search(before!, text))
  expect(readdirSync(folder)).toEqual(['places.index'])
})

test('leaves the temporary file of another thread of the process, and deletes those of killed processes', () => {
  const home = mkdtempSync(join(folder, 'temporary-'))
  const index = join(home, 'places.index')
  const [ofThread, abandoned] = [`${index}.${process.pid}.new`, `${index}.0123456789abcdef.new`]
  for (const file of [ofThread, abandoned]) writeFileSync(file, 'another index')
  utimesSync(abandoned, 0, 0)
  const { facts, arrays } = built.parts[0]!
  saveIndex(index, singlePart({ facts: { ...facts, builtMs: Date.now() }, arrays }))
  expect(readdirSync(home).sort()).toEqual(['places.index', `places.index.${process.pid}.new`])
  expect(readFileSync(ofThread, 'utf8')).toBe('another index')
})

test('rejects a file truncated anywhere', () => {
  const random = createRandom(5)
  for (let i = 0; i < 200; i++) {
    writeFileSync(path, saved.subarray(0, Math.floor(random() * saved.length)))
    expect(loadIndex(path).outcome).toMatch(/^(damaged|unrecognized)$/)
  }
})

test('rejects a file with a changed bit anywhere', () => {
  const random = createRandom(6)
  for (let i = 0; i < 300; i++) {
    const damaged = Buffer.from(saved)
    const at = i < 40 ? i : Math.floor(random() * saved.length)
    damaged[at]! ^= 1 << Math.floor(random() * 8)
    writeFileSync(path, damaged)
    expect(loadIndex(path).outcome).not.toBe('loaded')
  }
})

test('rejects a file that lacks an array, or has an unknown one', () => {
  const { facts, arrays } = built.parts[0]!
  const { id, ...others } = arrays
  writePrepared(path, prepareFile(facts, others), 7)
  expect(loadIndex(path)).toEqual({ outcome: 'damaged', reason: 'the array id is missing' })
  writePrepared(path, prepareFile(facts, { ...arrays, removed: id }), 7)
  expect(loadIndex(path)).toEqual({ outcome: 'damaged', reason: 'the array removed is unknown' })
})

test('distinguishes trailing bytes, other versions and other files', () => {
  writeFileSync(path, Buffer.concat([saved, Buffer.from('x')]))
  expect(loadIndex(path).outcome).toBe('damaged')
  const newer = Buffer.from(saved)
  newer.writeUInt32LE(indexVersion + 1, 8)
  writeFileSync(path, newer)
  expect(loadIndex(path)).toEqual({ outcome: 'other_version', version: indexVersion + 1 })
  writeFileSync(path, 'SQLite format 3')
  expect(loadIndex(path).outcome).toBe('unrecognized')
  writeFileSync(path, '')
  expect(loadIndex(path).outcome).toBe('unrecognized')
  expect(loadIndex(join(folder, 'none')).outcome).toBe('missing')
})
