import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { indexFiles, loadIndex, readIndexRevision } from '../../src/search/index/file.ts'
import { viewOfIndex } from '../../src/search/index/index-view.ts'
import { prepareIndex } from '../../src/search/query/prepare-index.ts'
import { documentSetOf, indexOf, randomPlaces, search } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'periplus-parts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'search.index')
const documents = randomPlaces(500, 2)

/** Saves an index of the documents in parts of `partDocuments`. */
async function saveParts(partDocuments: number, revision: number): Promise<void> {
  const save = await prepareIndex(path, documentSetOf(documents), { revision, nowMs: 7, partDocuments })
  save()
}

describe('the files of an index of several parts (R-124)', () => {
  beforeEach(() => saveParts(200, 41))

  test('load as one index with the results of one part', async () => {
    const loaded = loadIndex(path)
    if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
    expect(loaded.index.facts).toEqual({ count: 500, revision: 41, builtMs: 7 })
    expect(loaded.index.parts.map(({ facts }) => facts.count)).toEqual([200, 200, 100])
    const one = await indexOf(documents, 41)
    for (const text of ['hotel', 'museum madrid', 'kalo', 'grnd'])
      expect(search(viewOfIndex(loaded.index), text)).toEqual(search(one, text))
  })

  test('are listed with the manifest last, and removed with the next index', async () => {
    const files = indexFiles(path)
    const part = ['search.index.part', 'search.index.part-scores']
    expect(files.map(file => basename(file).replace(/-[0-9a-f]{16}$/, ''))).toEqual([
      ...[...part, ...part, ...part],
      'search.index',
    ])
    expect(readdirSync(folder).sort()).toEqual(files.map(file => basename(file)).sort())
    expect(readIndexRevision(path)).toBe(41)
    await saveParts(1000, 42)
    expect(readdirSync(folder)).toEqual(['search.index'])
    expect([indexFiles(path), readIndexRevision(path)]).toEqual([[path], 42])
  })

  test('are refused when a part is missing, damaged or another one', () => {
    const [first, second] = indexFiles(path)
    const bytes = readFileSync(first!)
    writeFileSync(first!, readFileSync(second!))
    expect(loadIndex(path)).toMatchObject({ outcome: 'damaged', reason: expect.stringContaining('other content') })
    writeFileSync(first!, bytes.fill(0, 2000, 2004))
    expect(loadIndex(path)).toMatchObject({ outcome: 'damaged', reason: expect.stringContaining('damaged') })
    rmSync(first!)
    expect(loadIndex(path)).toMatchObject({ outcome: 'damaged', reason: expect.stringContaining('missing') })
  })
})
