import { expect, test } from 'vitest'
import type { Id } from '../../../src/domain/id.ts'
import type { LocationWrite, ReviewWrite } from '../../../src/domain/record-write.ts'
import type { Review } from '../../../src/domain/review.ts'
import type { ReviewQuery } from '../../../src/domain/review-query.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { createRandom } from '../../../src/kit/random.ts'
import { settableClock } from '../../clock.ts'
import { describeEngines, openAgain, put, store, storeReviews } from './engines.ts'

const writeOf = (id: number, more: Partial<Review> = {}): ReviewWrite => ({
  op: 'put',
  review: { id: BigInt(id), locationId: 1n, ...more },
})
const idsOf = (reviews: readonly { readonly id: Id }[]) => reviews.map(({ id }) => Number(id))
const merge = (id: bigint, into: bigint): LocationWrite => ({ op: 'merge', id, into })

describeEngines('locations', ({ open }) => {
  test('are found by id, in the order of the ids', async () => {
    const clock = settableClock(5000)
    const engine = await open(clock)
    const scoped = { ...put(1n, 'First'), country: 'ES', source: 'osm' } as LocationWrite
    await store(engine, scoped, put(2n), put(3n))
    const entry = await engine.locations.get(1n)
    expect(entry).toMatchObject({ id: 1n, source: 'osm', country: 'ES', category: 'RESTAURANT', updatedMs: 5000 })
    expect(entry?.location().names).toEqual([{ value: 'First', primary: true }])
    expect((await engine.locations.get(2n))?.country).toBeUndefined()
    const many = await engine.locations.getMany([3n, 9n, 1n, 3n])
    expect(many.map(found => found?.id)).toEqual([3n, undefined, 1n, 3n])
    expect([await engine.locations.get(9n), await engine.locations.getMany([])]).toEqual([undefined, []])
  })

  test('a change of the record or of its reviews changes the time of the location', async () => {
    const clock = settableClock(1000)
    const engine = await open(clock)
    const updated = async () => (await engine.locations.get(1n))?.updatedMs
    await store(engine, put(1n))
    clock.ms = 2000
    await store(engine, put(1n))
    expect(await updated()).toBe(1000)
    await store(engine, put(1n, 'Renamed'))
    expect(await updated()).toBe(2000)
    clock.ms = 3000
    await storeReviews(engine, writeOf(1, { rating: 4 }))
    expect(await updated()).toBe(3000)
  })

  test('an entry stays as it was read, and keeps what is derived from it', async () => {
    const engine = await open()
    await store(engine, put(1n, 'Before'))
    const entry = (await engine.locations.get(1n))!
    await store(engine, put(1n, 'After'))
    expect(entry.location().names[0]?.value).toBe('Before')
    let made = 0
    for (const variant of ['v1', 'v2', 'v1', 'v2']) entry.derive(variant, () => ++made)
    expect([made, entry.derive('v1', () => 0), entry.derive('v2', () => 0)]).toEqual([2, 1, 2])
  })

  test('merged ids lead to the last survivor, until that is removed (R-24)', async () => {
    const engine = await open()
    await store(engine, put(1n), put(2n), put(3n))
    await store(engine, merge(1n, 2n))
    await store(engine, merge(2n, 3n))
    expect((await engine.locations.getMany([1n, 2n, 3n])).map(found => found?.id)).toEqual([3n, 3n, 3n])
    await store(engine, { op: 'delete', id: 3n })
    expect(await engine.locations.getMany([1n, 2n, 3n])).toEqual([undefined, undefined, undefined])
  })

  test('ratings follow the reviews (R-23)', async () => {
    const engine = await open()
    await store(engine, put(1n))
    const ratings = async () => (await engine.locations.get(1n))?.ratings()
    expect(await ratings()).toBeUndefined()
    await storeReviews(engine, writeOf(1, { rating: 5, language: 'en' }), writeOf(2, { rating: 4, language: 'es' }))
    await storeReviews(engine, writeOf(3, { language: 'en' }), writeOf(4, { rating: 1 }))
    await storeReviews(engine, { op: 'delete', id: 4n })
    const languageCounts = [
      { language: 'en', count: 2 },
      { language: 'es', count: 1 },
    ]
    expect(await ratings()).toMatchObject({ overall: { rating: 4.5, count: 2 }, languageCounts })
  })
})

describeEngines('reviews', ({ open }) => {
  const all: ReviewQuery = { locationId: 1n, sortBy: 'MOST_RECENT', offset: 0, limit: 100 }

  async function withReviews(...writes: ReviewWrite[]): Promise<Engine> {
    const engine = await open()
    await store(engine, put(1n), put(2n))
    await storeReviews(engine, ...writes)
    return engine
  }
  const listed = async (engine: Engine, more: Partial<ReviewQuery>) => {
    const { reviews, total } = await engine.reviews.list({ ...all, ...more })
    expect(total).toBe(reviews.length)
    return idsOf(reviews)
  }

  test('are found by id with all members', async () => {
    const review: Omit<Review, 'userKey'> = {
      id: 7n,
      locationId: 1n,
      publishedMs: 1_700_000_000_000,
      rating: 3.5,
      tripType: 'SOLO',
      language: 'pt-BR',
      title: [{ language: 'pt-BR', value: 'Bom' }],
      text: [{ value: 'Muito bom.' }],
      user: { username: 'Ana' },
      subratings: [{ type: 'SERVICE', rating: 4 }],
      ownerResponse: { text: [{ value: 'Obrigado.' }], publishDate: '2026-01-01' },
    }
    const engine = await withReviews({ op: 'put', review: { ...review, userKey: 's:ana' } }, writeOf(8))
    expect(await engine.reviews.get(7n)).toEqual(review)
    expect(await engine.reviews.get(8n)).toEqual({ id: 8n, locationId: 1n })
    expect(await engine.reviews.get(9n)).toBeUndefined()
  })

  test('are selected by language and its variants, rating, trip type and time', async () => {
    const engine = await withReviews(
      writeOf(1, { language: 'en', rating: 5, publishedMs: 10, tripType: 'SOLO' }),
      writeOf(2, { language: 'en-GB', rating: 3.99, publishedMs: 20 }),
      writeOf(3, { language: 'enm', rating: 4, publishedMs: 30, tripType: 'FAMILY' }),
      writeOf(4, { language: 'es', publishedMs: 30 }),
      writeOf(5, { tripType: 'SOLO' }),
      writeOf(6, { locationId: 2n, language: 'en', rating: 5, publishedMs: 30, tripType: 'SOLO' }),
    )
    expect(await listed(engine, {})).toEqual([4, 3, 2, 1, 5])
    expect(await listed(engine, { language: 'en' })).toEqual([2, 1])
    expect(await listed(engine, { language: 'en-GB' })).toEqual([2])
    expect(await listed(engine, { ratingMin: 4 })).toEqual([3, 1])
    expect(await listed(engine, { tripType: 'SOLO' })).toEqual([1, 5])
    expect(await listed(engine, { publishedAfterMs: 10 })).toEqual([4, 3, 2])
    expect(await listed(engine, { publishedAfter: { publishedMs: 30, id: 3n } })).toEqual([4])
    expect(await listed(engine, { publishedAfter: { id: 5n } })).toEqual([4, 3, 2, 1])
    expect(await listed(engine, { language: 'en', ratingMin: 5, tripType: 'SOLO' })).toEqual([1])
    expect(await listed(engine, { locationId: 9n })).toEqual([])
  })

  test('of a region that the location lacks are those of the language (R-36)', async () => {
    const engine = await withReviews(
      writeOf(1, { language: 'en', rating: 5, publishedMs: 10 }),
      writeOf(2, { language: 'en-US', rating: 2, publishedMs: 20 }),
      writeOf(3, { language: 'zh-Hant-TW', publishedMs: 30 }),
      writeOf(4, { language: 'zh', publishedMs: 40 }),
      writeOf(5, { publishedMs: 50 }),
      writeOf(6, { locationId: 2n, language: 'en-GB', publishedMs: 60 }),
    )
    expect(await listed(engine, { language: 'en-US' })).toEqual([2])
    expect(await listed(engine, { language: 'en-GB' })).toEqual([2, 1])
    expect(await listed(engine, { language: 'en-GB', ratingMin: 3 })).toEqual([1])
    // A filter that leaves no review of the region does not widen the language.
    expect(await listed(engine, { language: 'en-US', ratingMin: 3 })).toEqual([])
    expect(await listed(engine, { language: 'zh-Hant-HK' })).toEqual([3])
    expect(await listed(engine, { language: 'zh-CN' })).toEqual([4, 3])
    expect(await listed(engine, { language: 'fr-CA' })).toEqual([])
    expect(await listed(engine, { locationId: 9n, language: 'en-GB' })).toEqual([])
    // The review of that region is gone: the language applies again.
    await storeReviews(engine, { op: 'delete', id: 2n })
    expect(await listed(engine, { language: 'en-US' })).toEqual([1])
  })

  test('have an order without ties; the best come first, reviews without a rating last', async () => {
    const engine = await withReviews(
      writeOf(1, { rating: 4, publishedMs: 10 }),
      writeOf(2, { rating: 5, publishedMs: 10 }),
      writeOf(3, { rating: 4, publishedMs: 20 }),
      writeOf(4, { rating: 4, publishedMs: 20 }),
      writeOf(5, { publishedMs: 90 }),
      writeOf(6, { rating: 5 }),
    )
    expect(await listed(engine, {})).toEqual([5, 4, 3, 2, 1, 6])
    expect(await listed(engine, { sortBy: 'HIGHEST_RATED' })).toEqual([2, 6, 4, 3, 1, 5])
  })

  test.each([30, 1300])('pages of a place with %i reviews neither repeat nor omit one', async count => {
    const next = createRandom(3)
    const reviews = Array.from({ length: count }, (_, i) => {
      const [rating, publishedMs] = [1 + Math.floor(next() * 5), Math.floor(next() * 50)]
      return { id: i + 1, rating, publishedMs, language: i % 3 === 0 ? 'en' : 'es' }
    })
    const engine = await withReviews(...reviews.map(({ id, ...more }) => writeOf(id, more)))
    for (const sortBy of ['MOST_RECENT', 'HIGHEST_RATED'] as const) {
      for (const language of [undefined, 'en']) {
        const expected = reviews
          .filter(one => language === undefined || one.language === language)
          .sort(
            (a, b) =>
              (sortBy === 'HIGHEST_RATED' ? b.rating - a.rating : 0) || b.publishedMs - a.publishedMs || b.id - a.id,
          )
        const found: number[] = []
        const limit = Math.ceil(expected.length / 7)
        for (let offset = 0; offset < expected.length + limit; offset += limit) {
          const page = await engine.reviews.list({ ...all, ...(language && { language }), sortBy, offset, limit })
          expect(page.total).toBe(expected.length)
          found.push(...idsOf(page.reviews))
        }
        expect(found).toEqual(expected.map(({ id }) => id))
      }
    }
  })

  test('a count that was asked for before follows the writes of another process', async () => {
    const engine = await withReviews(writeOf(1, { rating: 5 }), writeOf(2, { rating: 1 }))
    const good = { ratingMin: 4 }
    expect(await listed(engine, good)).toEqual([1])
    await storeReviews(openAgain(engine), writeOf(3, { rating: 5 }), writeOf(1, { rating: 2 }))
    expect(await listed(engine, good)).toEqual([3])
  })

  test('move with a merged place and are removed with their place', async () => {
    const engine = await withReviews(writeOf(1, { rating: 5 }), writeOf(2, { locationId: 2n, rating: 4 }))
    await store(engine, merge(1n, 2n))
    expect(await listed(engine, { locationId: 2n, sortBy: 'HIGHEST_RATED' })).toEqual([1, 2])
    expect((await engine.reviews.get(1n))?.locationId).toBe(2n)
    expect((await engine.locations.get(2n))?.ratings()).toMatchObject({ overall: { rating: 4.5, count: 2 } })
    await store(engine, { op: 'delete', id: 2n })
    expect([await engine.reviews.get(1n), await listed(engine, { locationId: 2n })]).toEqual([undefined, []])
  })
})

describeEngines('texts of places', ({ open }) => {
  const sample = { most: 2, languages: [] }

  test('are the place, its ratings and its newest reviews, the preferred ones first', async () => {
    const engine = await open()
    await store(engine, put(1n, 'Reviewed'), put(2n))
    await storeReviews(
      engine,
      ...[1, 2, 3, 4, 5].map(id => writeOf(id, { rating: 4, publishedMs: id, language: id === 2 ? 'es-MX' : 'en' })),
      writeOf(6, { rating: 4, publishedMs: 1, language: 'de', tripType: 'FAMILY' }),
    )
    const read = (more = {}, id = 1n) => engine.texts.readConsistently(texts => texts.read(id, { ...sample, ...more }))
    const plain = await read()
    expect(plain?.location.names[0]?.value).toBe('Reviewed')
    expect(plain?.ratings).toMatchObject({ overall: { rating: 4, count: 6 } })
    expect(idsOf(plain!.reviews)).toEqual([5, 4])
    expect(idsOf((await read({ tripType: 'FAMILY', most: 3 }))!.reviews)).toEqual([6, 5, 4])
    expect(idsOf((await read({ languages: ['es-ES'] }))!.reviews)).toEqual([2, 5])
    expect(idsOf((await read({}, 2n))!.reviews)).toEqual([])
    expect(await read({}, 9n)).toBeUndefined()
  })

  test('a merged place has none of its own', async () => {
    const engine = await open()
    await store(engine, put(1n), put(2n))
    await storeReviews(engine, writeOf(1))
    await store(engine, merge(1n, 2n))
    const [merged, survivor] = await engine.texts.readConsistently(texts =>
      Promise.all([texts.read(1n, sample), texts.read(2n, sample)]),
    )
    expect([merged, idsOf(survivor!.reviews)]).toEqual([undefined, [1]])
  })

  test('one call reads one state; calls run one at a time, also after a failure', async () => {
    const engine = await open()
    await store(engine, put(1n, 'Before'))
    const name = async () =>
      (await engine.texts.readConsistently(texts => texts.read(1n, sample)))?.location.names[0]?.value
    const order: string[] = []
    const first = engine.texts.readConsistently(async texts => {
      await texts.read(1n, sample)
      await store(engine, put(1n, 'After'))
      order.push('first')
      return (await texts.read(1n, sample))?.location.names[0]?.value
    })
    const failing = engine.texts.readConsistently(async () => {
      order.push('failing')
      throw new Error('failed')
    })
    const second = name()
    expect(await first).toBe('Before')
    await expect(failing).rejects.toThrow('failed')
    expect([await second, order]).toEqual(['After', ['first', 'failing']])
  })
})
