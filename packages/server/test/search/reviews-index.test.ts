import { cpSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildReviewsIndex } from '../../src/compose/build-reviews-index.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { startReviewsKeeper } from '../../src/compose/serving-reviews.ts'
import type { Review } from '../../src/domain/review.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { OpenReviews } from '../../src/search/reviews/open-reviews.ts'
import { ReviewsIndex } from '../../src/search/reviews/reviews-index.ts'
import { ReviewsWriter } from '../../src/search/reviews/writer.ts'
import { openLayout } from '../../src/store/folder/layout.ts'
import { eraseReview } from '../../src/usecases/admin/erase-review.ts'
import { hideReview } from '../../src/usecases/admin/hide-review.ts'
import { openModeration } from '../composed.ts'
import { describeWith, useDatabase } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { filesOf } from '../store-files.ts'
import { actor, configFor, importRows, makeKey, scratch, startWorld, type World } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

const review = (id: number, value: string, more: Partial<Review> = {}): Review => ({
  id: BigInt(id),
  locationId: BigInt(id % 3),
  text: [{ value }],
  ...more,
})

/** Writes an index of reviews and returns its path. */
function write(name: string, reviews: readonly Review[], isKept = (_: string) => false): string {
  const path = `${folder.path}/${name}`
  const writer = new ReviewsWriter(path, 0, isKept)
  for (const one of reviews) writer.add(one)
  writer.commit({ storeId: 's', position: { seq: 1, mark: '' } })
  return path
}

const reviewsWith = (path: string, form: string): number[] => {
  const index = ReviewsIndex.open(path)!
  const found = new Set<number>()
  for (const segment of index.segments)
    for (const number of segment.reviewsWith(form)) found.add(Number(segment.arrays.reviewIds[number]!))
  index.close()
  return [...found].sort((a, b) => a - b)
}

const texts = [
  'A quiet room with splendid views.',
  'Street food next door. Very noisy!',
  'Food was fine. The street is far.',
  'とても静かな部屋でした。雨の日に最適',
  '방이 조용해요',
  'The view is nice',
]

describe('the index of reviews (R-158)', () => {
  const path = () =>
    write(
      'words',
      texts.map((text, i) => review(i + 1, text)),
      () => true,
    )

  test.each<[form: string, reviews: number[]]>([
    ['quiet', [1]],
    ['view', [1, 6]],
    ['views', [1, 6]],
    ['street food', [2, 3]],
    ['静か', [4]],
    ['雨', [4]],
    ['조용', [5]],
    ['missing', []],
    ['street missing', []],
    ['', []],
  ])('"%s" is in the reviews %j', (form, expected) => expect(reviewsWith(path(), form)).toEqual(expected))

  test('common words have no reviews, except those that are kept', () => {
    const reviews = Array.from({ length: 100 }, (_, i) => review(i + 1, i % 10 === 0 ? 'was quiet' : 'it was so'))
    const common = write('common', reviews, term => term === 'quiet')
    expect(reviewsWith(common, 'was')).toEqual([])
    expect(reviewsWith(common, 'quiet')).toHaveLength(10)
    const index = ReviewsIndex.open(common)!
    expect(index.segments[0]!.sentencesWith('was')).toBe(100)
    index.close()
  })

  test('a torn or damaged file is not used, and one with a damaged list is removed', async () => {
    const torn = path()
    truncateSync(torn, readFileSync(torn).length - 1)
    expect(ReviewsIndex.open(torn)).toBeUndefined()
    const damaged = path()
    const bytes = readFileSync(damaged)
    // The lists follow the first eight bytes.
    for (let at = 8; at < 40; at++) bytes[at]! ^= 1
    writeFileSync(damaged, bytes)
    const open = new OpenReviews(damaged)
    const count = await open.use(async index => {
      let found = 0
      for (const segment of index?.segments ?? []) found += segment.reviewsWith('quiet').length
      return index === undefined ? -1 : found
    })
    expect(count).toBe(-1)
    expect(existsSync(damaged)).toBe(false)
  })
})

const inn = (id: number, name: string) => ({
  ...{ id, name, source: 's', source_id: `p${id}`, category: 'hotel', city: 'Madrid', country: 'ES' },
  ...{ lat: 40.41, lon: -3.7 + id / 1000 },
})
const city = {
  ...{ id: 1, source: 's', source_id: 'madrid', name: 'Madrid', category: 'geo:city', population: 3_000_000 },
  ...{ lat: 40.4168, lon: -3.7038, country: 'ES' },
}
const stored = (id: number, place: number, day: number, text: string) => ({
  ...{ id, source: 's', source_id: `v${id}`, location_id: place, text, rating: 5 },
  published_date: `2026-01-${String(day).padStart(2, '0')}`,
})
/** The oldest review of each place speaks of an idea, and 20 newer ones do not. */
const many = [10, 11].flatMap(place =>
  Array.from({ length: 20 }, (_, i) => stored(place * 100 + i, place, 5 + i, 'We liked the staff.')),
)
const oldest = [stored(2000, 11, 1, 'There is a karaoke machine.'), stored(2001, 11, 2, 'Karaoke every night!')]

describe('recommendations with an index of reviews', () => {
  let world: World
  let key = ''
  const path = () => filesOf(world.config.data).reviewsIndex

  const recommended = async () => {
    const reply = await world.get('/recommendations/search?query=karaoke+hotel+in+Madrid', { key })
    expect(reply.status).toBe(200)
    const { data } = reply.json() as { data: { location: { id: number }; review_sources?: { id: number }[] }[] }
    return data.map(({ location, review_sources: reviews = [] }) => [location.id, ...reviews.map(({ id }) => id)])
  }
  const build = async () => {
    const engine = openConfiguredEngine(world.config, { create: false })
    await buildReviewsIndex(engine, path(), { minReviews: 1, nowMs: 0 })
    await engine.close()
  }

  beforeAll(async () => {
    world = await startWorld({}, 'empty')
    await importRows(world.config, 'location', [city, inn(10, 'Inn Ten'), inn(11, 'Inn Eleven')])
    await importRows(world.config, 'review', [...many, ...oldest])
    key = (await makeKey(world.config, { packageName: 'innovate' })).secret
    await eventually(async () => expect(await recommended()).toHaveLength(2))
  })
  afterAll(() => world.close())

  test('old reviews that speak of a query support a place', async () => {
    await build()
    expect(await recommended()).toEqual([[11, 2001, 2000], [10]])
  })

  test('a review that was hidden since supports nothing, and an erasure removes the words of the review', async () => {
    const moderation = openModeration(world.config)
    await hideReview(moderation, actor, { id: 2001n })
    expect(await recommended()).toEqual([[11, 2000], [10]])
    const draft = `${path()}.00.new`
    writeFileSync(draft, 'karaoke')
    await eraseReview(moderation, actor, { id: 2000n })
    await moderation.close()
    expect([existsSync(path()), existsSync(draft)]).toEqual([false, false])
    expect(await recommended()).toEqual([[10], [11]])
    await build()
    expect(reviewsWith(path(), 'karaoke')).toEqual([])
  })
})

describeWith(['pg'], 'an erasure on another node (R-47)', () => {
  test('leaves the index of reviews of a node that follows the change log', async () => {
    const store = await useDatabase(await postgresTemplate())
    const [one, other] = [configFor(useFolder(), { store }), configFor(useFolder(), { store })]
    await importRows(one, 'location', [city, inn(10, 'Inn Ten'), inn(11, 'Inn Eleven')])
    await importRows(one, 'review', [...many, ...oldest])
    cpSync(join(one.data, 'pepper'), join(other.data, 'pepper'))
    const engine = openConfiguredEngine(other, { create: true })
    const layout = openLayout(other.data)
    const path = layout.reviewsIndex
    await buildReviewsIndex(engine, path, { minReviews: 1, nowMs: 0 })
    const followed = vi.spyOn(engine.changes, 'after')
    const log = pino({ level: 'silent' })
    const keeper = startReviewsKeeper(engine, layout, { clock: systemClock, log, vectors: undefined })
    onTestFinished(async () => {
      await keeper.close()
      await engine.close()
    })
    await eventually(() => expect(followed).toHaveBeenCalled())
    expect(reviewsWith(path, 'karaoke')).toEqual([2000, 2001])
    const moderation = openModeration(one)
    await eraseReview(moderation, actor, { id: 2000n })
    await moderation.close()
    await eventually(() => expect(existsSync(path)).toBe(false))
  })

  /** Creates an empty folder for a test. */
  function useFolder(): string {
    const folder = scratch()
    onTestFinished(folder.remove)
    return folder.path
  }
})
