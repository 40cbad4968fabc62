import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildReviewsIndex } from '../../src/compose/build-reviews-index.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { loadTextVectors } from '../../src/compose/load-text-vectors.ts'
import { composeServer } from '../../src/compose/server.ts'
import { eventually } from '../eventually.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeKey, scratch, startWorld, type World } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

const writeModule = (name: string, text: string): string => {
  const path = `${folder.path}/${name}.mjs`
  writeFileSync(path, text)
  return path
}

/** A trivial embedding: one element for each meaning. */
const trivial = () =>
  writeModule(
    'trivial',
    `const meanings = [/karaoke|sing/i, /swim|lake/i]
     export const dimensions = 2
     export const embed = async texts => texts.map(text => Int8Array.from(meanings, one => (one.test(text) ? 100 : 0)))`,
  )

describe('the module of vectors (R-158)', () => {
  test.each<[name: string, text: string, sentence: string]>([
    ['throws', `throw new Error('no weights')`, 'cannot be loaded: no weights.'],
    ['no-message', 'throw new Error()', 'cannot be loaded: Error.'],
    ['syntax', 'export const', 'cannot be loaded:'],
    ['nothing', '', 'must export dimensions, a number from 1 to 4096.'],
    ['words', 'export const dimensions = "three"', 'must export dimensions'],
    ['no-embed', 'export const dimensions = 3', 'must export the function embed(texts).'],
    [
      'rejects',
      `export const dimensions = 3; export const embed = async () => { throw new Error('no model') }`,
      'cannot be used: no model.',
    ],
    ['text', `export const dimensions = 3; export const embed = async () => 'a'`, 'a vector for each text.'],
    ['few', 'export const dimensions = 3; export const embed = async () => []', 'a vector for each text.'],
    [
      'short',
      'export const dimensions = 3; export const embed = async texts => texts.map(() => new Int8Array(2))',
      'Int8Array of 3 elements',
    ],
    [
      'floats',
      'export const dimensions = 3; export const embed = async texts => texts.map(() => new Float32Array(3))',
      'Int8Array of 3 elements',
    ],
  ])('%s', async (name, text, sentence) => {
    const path = writeModule(name, text)
    const error = await loadTextVectors(path).catch((reason: Error) => reason)
    expect(error).toMatchObject({ errors: [expect.stringContaining(sentence)] })
    expect(String((error as Error).message)).toContain(`recommendations.vectors: The module ${path}`)
  })

  test.each([
    ['never-loaded', 'await new Promise(() => {})'],
    ['no-answer', 'export const dimensions = 3; export const embed = () => new Promise(() => {})'],
  ])('%s', async (name, text) => {
    const loading = loadTextVectors(writeModule(name, text), { startWithinMs: 50 })
    await expect(loading).rejects.toThrow('It has not answered within 0.05 s.')
  })

  test('a module that stops answering fails its query alone', async () => {
    const path = writeModule(
      'stops',
      `export const dimensions = 1
       export const embed = async texts =>
         texts.length > 1 ? texts.map(() => new Int8Array(1)) : new Promise(() => {})`,
    )
    const vectors = await loadTextVectors(path, { answerWithinMs: 1 })
    await expect(vectors.embed(['a'])).rejects.toThrow('It has not answered within 0.001 s.')
  })

  test('a service with a missing module does not start', async () => {
    const config = configFor(`${folder.path}/missing`, { 'recommendations.vectors': `${folder.path}/missing.mjs` })
    await importRows(config, 'location', [])
    await expect(composeServer(config, { demo: false })).rejects.toThrow('missing.mjs does not exist.')
  })
})

const inn = (id: number) => ({
  ...{ id, name: `Inn ${id}`, source: 's', source_id: `p${id}`, category: 'hotel', city: 'Madrid', country: 'ES' },
  ...{ lat: 40.41, lon: -3.7 + id / 1000 },
})
const city = {
  ...{ id: 1, source: 's', source_id: 'madrid', name: 'Madrid', category: 'geo:city', population: 3_000_000 },
  ...{ lat: 40.4168, lon: -3.7038, country: 'ES' },
}
const stored = (id: number, place: number, text: string) => ({
  ...{ id, source: 's', source_id: `v${id}`, location_id: place, text, rating: 5, published_date: '2026-01-01' },
})

describe('recommendations with vectors', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ 'recommendations.vectors': trivial() }, 'empty')
    await importRows(world.config, 'location', [city, inn(10), inn(11)])
    await importRows(world.config, 'review', [
      stored(100, 10, 'The staff were kind.'),
      stored(101, 11, 'We could sing all night. The staff were kind.'),
    ])
  })
  afterAll(() => world.close())

  test('sentences with other words support a place', async () => {
    const { secret: key } = await makeKey(world.config, { packageName: 'innovate' })
    const recommended = async () => {
      const reply = await world.get('/recommendations/search?query=karaoke+hotel+in+Madrid', { key })
      expect(reply.status).toBe(200)
      const { data } = reply.json() as { data: { location: { id: number }; review_sources?: { snippet: string }[] }[] }
      return data.map(({ location, review_sources: [first] = [] }) => [location.id, first?.snippet])
    }
    await eventually(async () => expect(await recommended()).toHaveLength(2))
    const engine = openConfiguredEngine(world.config, { create: false })
    const vectors = world.config.recommendations.vectors
    await buildReviewsIndex(engine, filesOf(world.config.data).reviewsIndex, { minReviews: 1, nowMs: 0, vectors })
    await engine.close()
    expect(await recommended()).toEqual([
      [11, 'We could sing all night.'],
      [10, undefined],
    ])
  })
})
