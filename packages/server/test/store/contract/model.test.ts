import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Change } from '../../../src/domain/change.ts'
import type { LocationEntry } from '../../../src/domain/location.ts'
import type { LocationWrite, ReviewWrite } from '../../../src/domain/record-write.ts'
import type { Review } from '../../../src/domain/review.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { settableClock } from '../../clock.ts'
import { record } from '../../record.ts'
import { DataModel, histories, placeCount, type ReviewStep, reviewCount, type Step, toPlain } from './data-model.ts'
import { describeEngines, gather, locationNamed, openAgain, put, withWriter } from './engines.ts'

/** Number of histories; `npm run soak -- histories` sets a greater one. */
const numRuns = Number(process.env.PERIPLUS_HISTORIES ?? 8)
const seed = Number(process.env.PERIPLUS_SEED ?? 7)
const all = Number.MAX_SAFE_INTEGER
/** Ids of a history are above those of earlier ones. */
const idsPerHistory = 100n

describeEngines('records and their model', ({ open }) => {
  test('every history leaves what the model says, and the log names each difference', async () => {
    const engine = await open(settableClock(1000))
    let base = 0n
    await fc.assert(
      fc.asyncProperty(histories, async steps => {
        base += idsPerHistory
        await new History(engine, base).run(steps)
      }),
      { numRuns, seed },
    )
  })

  test('readers next to writers see whole batches, and each number of the log once', async () => {
    const engine = await open(settableClock(1000))
    const [writers, batches, reviews] = [8, 6, 5]
    await withWriter(engine, writer =>
      writer.writeLocations(Array.from({ length: writers }, (_, i) => put(BigInt(i + 1)))),
    )
    const write = async (place: bigint) => {
      await withWriter(openAgain(engine), async writer => {
        for (let rating = 1; rating <= batches; rating++)
          await writer.writeReviews(Array.from({ length: reviews }, (_, i) => ratedReview(place, i, rating)))
      })
    }
    let isDone = false
    const writing = Promise.all(Array.from({ length: writers }, (_, i) => write(BigInt(i + 1)))).finally(() => {
      isDone = true
    })
    const lines: Change[] = []
    for (let last = false; !last; ) {
      last = isDone
      for (let place = 1n; place <= writers; place++) await expectWholeBatch(engine, place, reviews)
      const next = (await engine.changes.after(lines.at(-1)?.seq ?? writers, 7))!
      lines.push(...next)
      last &&= next.length === 0
    }
    await writing
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, i) => writers + 1 + i))
    expect(lines).toHaveLength(writers * batches * (reviews + 1))
  })
})

const ratedReview = (place: bigint, no: number, rating: number): ReviewWrite => ({
  op: 'put',
  review: { id: place * 100n + BigInt(no), locationId: place, rating: rating / 2, publishedMs: no },
})

/** Expects no reviews of a place, or all of one batch. */
async function expectWholeBatch(engine: Engine, locationId: bigint, count: number): Promise<void> {
  const query = { locationId, sortBy: 'HIGHEST_RATED', offset: 0, limit: 100 } as const
  const { reviews, total } = await engine.reviews.list(query)
  expect([reviews.length, new Set(reviews.map(({ rating }) => rating)).size]).toEqual(total === 0 ? [0, 0] : [count, 1])
  const ratings = (await engine.locations.get(locationId))?.ratings()?.overall
  expect(ratings === undefined || (ratings.rating! * 2) % 1 === 0).toBe(true)
}

/** Returns what a follower of the log has of a place. */
const toPlace = (entry: LocationEntry | undefined) =>
  entry && {
    name: entry.location().names[0]!.value,
    languages: entry.ratings()?.languageCounts,
    all: entry.ratings()?.overall,
  }

/** A history on the stores and on the model, and a follower that knows the stores by the change log alone. */
class History {
  readonly #engine: Engine
  readonly #base: bigint
  readonly #model = new DataModel()
  readonly #places: readonly bigint[]
  readonly #reviews: readonly bigint[]
  /** The records as a follower of the log last read them. */
  readonly #followed = new Map<string, unknown>()
  #seq = 0

  constructor(engine: Engine, base: bigint) {
    this.#engine = engine
    this.#base = base
    this.#places = Array.from({ length: placeCount }, (_, i) => base + BigInt(i + 1))
    this.#reviews = Array.from({ length: reviewCount }, (_, i) => base + BigInt(i + 1))
  }

  async run(steps: readonly Step[]): Promise<void> {
    this.#seq = await this.#engine.changes.lastSeq()
    await this.#follow(true)
    for (const [i, step] of steps.entries()) {
      await this.#do(step)
      await this.#follow(step.do === 'prune')
      await this.#expectPlaces()
      await this.#expectReviews()
      await this.#expectLists(i)
    }
    await this.#expectFeed()
  }

  async #do(step: Step): Promise<void> {
    const { moderation } = this.#engine
    if (step.do === 'places') await this.#writePlaces(step.writes)
    else if (step.do === 'reviews') await this.#writeReviews(step.writes)
    else if (step.do === 'prune') {
      const keepFromSeq = (await this.#engine.changes.lastSeq()) - step.keep
      await this.#engine.changes.prune({ beforeMs: all, keepFromSeq, limit: 1000 })
    } else if (step.do === 'eraseUser') {
      const user = this.#userKey(step.user)
      const erased = await moderation.eraseUser(user, () => [], record())
      expect([...erased.ids].sort((a, b) => Number(a - b))).toEqual(this.#model.eraseUser(user))
    } else {
      const id = this.#base + BigInt(step.review)
      if (step.do === 'erase') {
        const expected = this.#model.erase(id)
        // A hidden review is erased by its user only: its id is not registered.
        if (expected !== undefined) expect((await moderation.erase(id, record()))?.removed).toBe(expected)
      } else expect(await moderation[step.do](id, record())).toBe(this.#model[step.do](id))
    }
  }

  async #writePlaces(steps: Extract<Step, { do: 'places' }>['writes']): Promise<void> {
    const writes: LocationWrite[] = []
    const expected: string[] = []
    for (const { op, id: no, name, into } of steps) {
      const id = this.#base + BigInt(no)
      const target = this.#model.resolve(this.#base + BigInt(into))
      // Imports merge into places that exist only.
      const plain: LocationWrite =
        op === 'delete'
          ? { op, id }
          : { op: 'put', id, location: locationNamed(name), source: 's', category: 'RESTAURANT' }
      const write = op === 'merge' && target !== undefined ? { op, id, into: target } : plain
      writes.push(write)
      expected.push(this.#model.writePlace(write))
    }
    expect(await withWriter(this.#engine, writer => writer.writeLocations(writes))).toEqual(expected)
  }

  async #writeReviews(steps: readonly ReviewStep[]): Promise<void> {
    const writes = steps.flatMap((step): ReviewWrite[] => {
      const id = this.#base + BigInt(step.id)
      if (step.op === 'delete') return [{ op: 'delete', id }]
      const locationId = this.#model.resolve(this.#base + BigInt(step.place))
      return locationId === undefined ? [] : [{ op: 'put', review: this.#reviewOf(step, id, locationId) }]
    })
    const expected = writes.map(write => this.#model.writeReview(write))
    expect(await withWriter(this.#engine, writer => writer.writeReviews(writes))).toEqual(expected)
  }

  #reviewOf({ rating, day, language, user, text }: ReviewStep, id: bigint, locationId: bigint) {
    const more = { ...(rating > 0 && { rating }), ...(language !== undefined && { language }) }
    return { id, locationId, publishedMs: day, ...more, userKey: this.#userKey(user), text: [{ value: text }] }
  }

  #userKey(user: number): string {
    return `s:${this.#base}-${user}`
  }

  /** Reads the records that the log names again, or all. */
  async #follow(isAll: boolean): Promise<void> {
    const lines = isAll ? [] : (await this.#engine.changes.after(this.#seq, all))!
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, i) => this.#seq + 1 + i))
    this.#seq = await this.#engine.changes.lastSeq()
    const idsOf = (kind: Change['kind'], known: readonly bigint[]) =>
      isAll ? known : [...new Set(lines.filter(line => line.kind === kind).map(({ id }) => id))]
    for (const id of idsOf('location', this.#places)) this.#followed.set(`location ${id}`, await this.#readPlace(id))
    for (const id of idsOf('review', this.#reviews)) this.#followed.set(`review ${id}`, await this.#readReview(id))
  }

  async #readPlace(id: bigint) {
    const entry = await this.#engine.locations.get(id)
    // A merged place changes under the id of its survivor.
    return entry?.id === id ? toPlace(entry) : undefined
  }

  async #readReview(id: bigint) {
    const found = await this.#engine.reviews.get(id)
    return found && toPlain(found)
  }

  async #expectPlaces(): Promise<void> {
    const entries = await this.#engine.locations.getMany(this.#places)
    expect(entries.map(entry => entry?.id)).toEqual(this.#places.map(id => this.#model.resolve(id)))
    for (const id of this.#places) {
      const followed = this.#followed.get(`location ${id}`)
      expect(followed).toEqual(toPlace(entries.find(entry => entry?.id === id)))
      expect(followed === undefined).toBe(!this.#model.names.has(id))
      if (followed === undefined) continue
      const rated = this.#model.shownOf(id).flatMap(({ rating }) => rating ?? [])
      const mean = Math.round((100 * rated.reduce((sum, one) => sum + one, 0)) / rated.length) / 100
      expect(followed).toMatchObject({ name: this.#model.names.get(id) })
      expect((followed as { all?: { rating: number; count: number } }).all).toEqual(
        rated.length === 0 ? undefined : { rating: mean, count: rated.length },
      )
    }
  }

  async #expectReviews(): Promise<void> {
    for (const id of this.#reviews) {
      const stored = this.#model.reviews.get(id)
      const { userKey: _, ...served } = stored?.review ?? { userKey: '' }
      const expected = stored && !stored.isHidden ? toPlain(served as Review) : undefined
      expect(await this.#readReview(id)).toEqual(expected)
      expect(this.#followed.get(`review ${id}`)).toEqual(expected)
    }
  }

  /** Compares a page of each place, under other conditions in each step. */
  async #expectLists(step: number): Promise<void> {
    const conditions = [{}, { language: 'en' }, { ratingMin: 3 }, { sortBy: 'HIGHEST_RATED' }] as const
    for (const [i, locationId] of this.#places.entries()) {
      const more = conditions[(step + i) % conditions.length]
      const query = { locationId, sortBy: 'MOST_RECENT', offset: 1, limit: 2, ...more } as const
      const { reviews, total } = await this.#engine.reviews.list(query)
      const expected = this.#model.select(query)
      expect([total, reviews.map(({ id }) => id)]).toEqual([expected.length, expected.slice(1, 3).map(({ id }) => id)])
    }
  }

  async #expectFeed(): Promise<void> {
    const source = await this.#engine.openFeedSource()
    try {
      const own = (ids: readonly bigint[]) => ids.filter(id => id > this.#base)
      const places = (await gather(source.locations.all())).map(({ id }) => id)
      expect(own(places)).toEqual([...this.#model.names.keys()].sort((a, b) => Number(a - b)))
      const shown = [...this.#model.reviews].filter(([, { isHidden }]) => !isHidden).map(([id]) => id)
      const reviews = await gather(source.reviews.all())
      expect(own(reviews.map(({ review }) => review.id))).toEqual(shown.sort((a, b) => Number(a - b)))
      for (const id of this.#places) {
        const ending = await source.locations.ending(id)
        expect(ending?.mergedInto).toBe(this.#model.merges.get(id))
        expect(this.#model.names.has(id) && ending !== undefined).toBe(false)
      }
    } finally {
      await source.close()
    }
  }
}
