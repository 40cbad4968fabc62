import { expect, test } from 'vitest'
import { externalKey } from '../../../src/domain/external-id.ts'
import type { LocationWrite, ReviewWrite } from '../../../src/domain/record-write.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { settableClock } from '../../clock.ts'
import { record } from '../../record.ts'
import { describeEngines, locationNamed, put, putReview, store, storeReviews } from './engines.ts'

const actor = { kind: 'system', id: 'test', via: 'system' } as const
const names = (value: string) => [{ value, primary: true as const }]
const rename = (id: bigint, value: string, expectedRevision?: number) => ({
  ...{ id, field: 'names' as const, value: names(value), reason: 'Wrong name.', actor },
  ...(expectedRevision !== undefined && { expectedRevision }),
})
const removal = (id: bigint) => ({ id, reason: 'Closed.', actor })

const nameOf = async (engine: Engine, id: bigint) => (await engine.locations.get(id))?.location().names[0]?.value

describeEngines('decisions about places', ({ open }) => {
  test('an override wins over imports until it is lifted', async () => {
    const engine = await open(settableClock(5000))
    await store(engine, put(1n, 'Imported'), put(2n))
    const { places } = engine
    expect(await places.override(rename(9n, 'X'), record())).toBe('unknown')
    const made = await places.override(rename(1n, 'Chosen', 0), record())
    const expected = { locationId: 1n, field: 'names', value: names('Chosen'), imported: names('Imported'), atMs: 5000 }
    expect(made).toMatchObject({ ...expected, reason: 'Wrong name.', actor })
    const { revision } = made as { revision: number }
    expect(await places.override(rename(1n, 'Y', revision + 7), record())).toBe('changed')
    expect(await store(engine, put(1n, 'Imported later'))).toEqual(['unchanged'])
    expect([await nameOf(engine, 1n), await places.of(1n)]).toMatchObject([
      'Chosen',
      [{ imported: names('Imported later'), revision }],
    ])
    expect(await places.lift(1n, 'names', revision + 7, record())).toBe('changed')
    expect(await places.lift(1n, 'names', revision, record())).toMatchObject({ field: 'names' })
    expect([await nameOf(engine, 1n), await places.of(1n)]).toEqual(['Imported later', []])
    expect(await places.lift(1n, 'names', undefined, record())).toBe('unknown')
  })

  test('a merged or removed place comes back as its source has it when that is lifted', async () => {
    const engine = await open()
    await store(engine, put(1n, 'One'), put(2n, 'Two'), put(3n, 'Three'))
    await storeReviews(engine, putReview(1n, 1n), putReview(2n, 3n))
    const { places } = engine
    await places.override(rename(1n, 'Chosen'), record())
    expect(await places.merge({ ...removal(1n), into: 1n }, record())).toBe('circular')
    expect(await places.merge({ ...removal(1n), into: 9n }, record())).toBe('unknown_target')
    expect(await places.merge({ ...removal(1n), into: 2n }, record())).toMatchObject({ value: '2' })
    expect(await places.remove(removal(3n), record())).toMatchObject({ field: 'removed', value: 'removed' })
    expect(await places.remove(removal(1n), record())).toBe('merged')
    const writes: LocationWrite[] = [put(1n, 'One later'), { op: 'merge', id: 1n, into: 3n }, put(3n, 'Three later')]
    await store(engine, ...writes)
    expect((await engine.locations.getMany([1n, 2n, 3n])).map(found => found?.id)).toEqual([2n, 2n, undefined])
    expect((await engine.reviews.get(1n))?.locationId).toBe(2n)
    expect(await engine.reviews.get(2n)).toBeUndefined()
    await places.lift(1n, 'merged_into', undefined, record())
    await places.lift(3n, 'removed', undefined, record())
    expect([await nameOf(engine, 1n), await nameOf(engine, 3n)]).toEqual(['Chosen', 'Three later'])
    await places.lift(1n, 'names', undefined, record())
    expect(await nameOf(engine, 1n)).toBe('One later')
  })

  test('the ids of a merged place in other sources lead to it', async () => {
    const engine = await open()
    const location = { ...locationNamed('One'), externalIds: [{ source: 'wikidata', id: 'Q1' }] }
    await store(engine, { op: 'put', id: 1n, location, source: 's', category: 'RESTAURANT' }, put(2n))
    await engine.places.merge({ ...removal(1n), into: 2n }, record())
    expect(await engine.locations.findMerged(['wikidata:Q1', 'wikidata:Q2'].map(externalKey))).toEqual([[1n], []])
  })

  test('are listed by their revisions', async () => {
    const engine = await open()
    await store(engine, put(1n), put(2n), put(3n))
    for (const id of [2n, 3n, 1n]) await engine.places.override(rename(id, 'Chosen'), record())
    const [newest, ...others] = await engine.places.list({ limit: 10 })
    expect([newest, ...others].map(one => one?.locationId)).toEqual([1n, 3n, 2n])
    const page = { limit: 1, after: newest!.revision }
    expect((await engine.places.list(page)).map(one => one.locationId)).toEqual([3n])
    const order = { by: 'time', isDescending: false } as const
    expect((await engine.places.list({ limit: 2, order })).map(one => one.locationId)).toEqual([2n, 3n])
  })
})

describeEngines('the order by rating of places with many reviews', ({ open }) => {
  const many = 1010
  const rated = (id: number, locationId: bigint, rating: number): ReviewWrite => ({
    op: 'put',
    review: { id: BigInt(id), locationId, rating, publishedMs: id, language: 'en' },
  })
  const writes = (first: number, count: number, locationId: bigint, plus = 0) =>
    Array.from({ length: count }, (_, i) => rated(first + i, locationId, 1 + ((first + i + plus) % 5)))

  /** Expects the stored orders to be right, and the pages of a place to follow them. */
  async function expectOrder(engine: Engine, locationId: bigint, total: number): Promise<void> {
    const derived = engine.integrityChecks('everything').find(({ name }) => name === 'review totals')!
    expect(await derived.problems()).toEqual([])
    const query = { locationId, sortBy: 'HIGHEST_RATED', limit: 3 } as const
    for (const offset of [0, 2, total - 3]) {
      const page = await engine.reviews.list({ ...query, offset })
      const ratings = page.reviews.map(({ rating }) => rating)
      expect([page.total, ratings]).toEqual([total, ratings.toSorted((a, b) => b! - a!)])
      if (offset === 2) expect(ratings).toEqual([5, 5, 5])
    }
  }

  test('stays right under imports, moderation and merges', async () => {
    const engine = await open()
    await store(engine, put(1n), put(2n))
    await storeReviews(engine, ...writes(1, many, 1n), ...writes(5001, 20, 2n))
    await expectOrder(engine, 1n, many)
    await storeReviews(engine, ...writes(100, 50, 1n, 2), ...writes(200, 10, 2n))
    await expectOrder(engine, 1n, many - 10)
    await storeReviews(engine, { op: 'delete', id: 300n }, { op: 'delete', id: 301n })
    for (const id of [10n, 11n, 12n]) await engine.moderation.hide(id, record())
    await engine.moderation.show(11n, record())
    await engine.moderation.erase(13n, record())
    await expectOrder(engine, 1n, many - 15)
    await store(engine, { op: 'merge', id: 2n, into: 1n })
    await expectOrder(engine, 1n, many + 15)
    await store(engine, put(2n), { op: 'merge', id: 1n, into: 2n })
    await expectOrder(engine, 2n, many + 15)
    await store(engine, { op: 'delete', id: 2n })
    expect(
      (await engine.reviews.list({ ...{ locationId: 2n, offset: 0 }, sortBy: 'HIGHEST_RATED', limit: 3 })).total,
    ).toBe(0)
  })
})
