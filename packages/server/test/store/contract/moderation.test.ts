import { expect, test } from 'vitest'
import type { ReviewWrite } from '../../../src/domain/record-write.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { record } from '../../record.ts'
import { describeEngines, openAgain, put, putReview, store, storeReviews, withWriter } from './engines.ts'

const query = { locationId: 1n, sortBy: 'MOST_RECENT', offset: 0, limit: 10 } as const
const reviewKey = (no: number) => ({ source: 's', sourceId: `r${no}` })

/** A write of a review by a user, with a text. */
function written(id: bigint, userKey: string, rating = 4): ReviewWrite {
  const { review } = putReview(id, 1n, rating) as Extract<ReviewWrite, { op: 'put' }>
  return { op: 'put', review: { ...review, userKey, text: [{ value: `Text ${id}.` }] } }
}

/** Stores a place, and reviews 1 to `count` with ids that were assigned for keys of the source `s`. */
async function populate(engine: Engine, count: number): Promise<void> {
  await store(engine, put(1n), put(2n))
  await withWriter(engine, async writer => {
    const assigned = await writer.assignIds(
      'review',
      Array.from({ length: count }, (_, i) => reviewKey(i + 1)),
    )
    expect(assigned).toEqual(Array.from({ length: count }, (_, i) => ({ id: BigInt(i + 1) })))
    await writer.writeReviews(assigned.map((_, i) => written(BigInt(i + 1), `s:u${i + 1}`, 1 + (i % 5))))
  })
}

const listed = async (engine: Engine) => {
  const { reviews, total } = await engine.reviews.list(query)
  expect(total).toBe(reviews.length)
  return reviews.map(({ id }) => id)
}
const overall = async (engine: Engine) => (await engine.locations.get(1n))?.ratings()?.overall

describeEngines('moderation', ({ open }) => {
  test('a hidden review is in no list, count or rating until it is shown', async () => {
    const engine = await open()
    await populate(engine, 3)
    const { moderation } = engine
    expect(await moderation.hide(3n, record())).toBe('hidden')
    expect([await listed(engine), await overall(engine)]).toEqual([[2n, 1n], { rating: 1.5, count: 2 }])
    expect(await engine.reviews.get(3n)).toBeUndefined()
    expect(await moderation.hide(3n, record())).toBe('unchanged')
    expect(await moderation.show(3n, record())).toBe('shown')
    expect([await listed(engine), await overall(engine)]).toEqual([[3n, 2n, 1n], { rating: 2, count: 3 }])
    expect(await moderation.show(3n, record())).toBe('unchanged')
    expect([await moderation.hide(99n, record()), await moderation.show(99n, record())]).toEqual(['unknown', 'unknown'])
  })

  test('each change of what is served has a line in the change log', async () => {
    const engine = await open()
    await populate(engine, 2)
    const linesOf = async (work: () => Promise<unknown>) => {
      const before = await engine.changes.lastSeq()
      await work()
      return (await engine.changes.after(before, 10))!.map(({ kind, id, op }) => `${kind} ${id} ${op}`).sort()
    }
    const place = 'location 1 upsert'
    expect(await linesOf(() => engine.moderation.hide(1n, record()))).toEqual([place, 'review 1 delete'])
    expect(await linesOf(() => engine.moderation.hide(1n, record()))).toEqual([])
    expect(await linesOf(() => engine.moderation.show(1n, record()))).toEqual([place, 'review 1 upsert'])
    expect(await linesOf(() => engine.moderation.erase(1n, record()))).toEqual([place, 'review 1 delete'])
    expect(await linesOf(() => engine.moderation.erase(1n, record()))).toEqual([])
  })

  test('no write shows a hidden review; its newest text appears when it is shown', async () => {
    const engine = await open()
    await populate(engine, 2)
    await engine.moderation.hide(2n, record())
    const changed = { ...written(2n, 's:u2', 5) }
    expect(await storeReviews(engine, changed)).toEqual(['changed'])
    expect(await storeReviews(engine, changed)).toEqual(['unchanged'])
    expect(await listed(engine)).toEqual([1n])
    await engine.moderation.show(2n, record())
    expect((await engine.reviews.get(2n))?.rating).toBe(5)
  })

  test('a hidden review moves with its place, and can be removed by its source', async () => {
    const engine = await open()
    await populate(engine, 2)
    await engine.moderation.hide(1n, record())
    await store(engine, { op: 'merge', id: 1n, into: 2n })
    await engine.moderation.show(1n, record())
    expect((await engine.reviews.get(1n))?.locationId).toBe(2n)
    await engine.moderation.hide(1n, record())
    expect(await storeReviews(engine, { op: 'delete', id: 1n })).toEqual(['removed'])
    expect(await storeReviews(engine, { op: 'delete', id: 1n })).toEqual(['unchanged'])
    expect(await engine.moderation.show(1n, record())).toBe('removed')
    expect(await engine.reviews.get(1n)).toBeUndefined()
  })

  test('an erased review is gone permanently, and its texts are returned once', async () => {
    const engine = await open()
    await populate(engine, 3)
    await engine.moderation.hide(2n, record())
    for (const id of [1n, 2n]) {
      const erased = await engine.moderation.erase(id, record())
      expect(erased).toMatchObject({ ids: [id], removed: 1 })
      expect(erased?.texts.join()).toContain(`Text ${id}.`)
      expect(await engine.moderation.erase(id, record())).toEqual({ ids: [id], removed: 0, texts: [] })
      expect([await engine.moderation.hide(id, record()), await engine.moderation.show(id, record())]).toEqual([
        'erased',
        'erased',
      ])
    }
    expect([await listed(engine), await overall(engine)]).toEqual([[3n], { rating: 3, count: 1 }])
    expect(await engine.moderation.erase(99n, record())).toBeUndefined()
    expect(await storeReviews(engine, written(1n, 's:another'))).toEqual(['erased'])
    await withWriter(engine, async writer => {
      const keys = [reviewKey(1), reviewKey(3), reviewKey(4)]
      expect(await writer.assignIds('review', keys)).toEqual([{ conflict: 'erased' }, { id: 3n }, { id: 4n }])
    })
    const known = await Promise.all([1, 3].map(no => engine.moderation.isErased('s', `r${no}`)))
    expect([...known, await engine.moderation.isErased('other', 'r1')]).toEqual([true, false, false])
  })

  test('erasing a user erases hidden reviews too, and keeps later ones out', async () => {
    const engine = await open()
    await populate(engine, 3)
    await storeReviews(engine, written(3n, 's:u1'))
    await engine.moderation.hide(3n, record())
    const erased = await engine.moderation.eraseUser('s:u1', () => [], record())
    expect({ ...erased, ids: [...erased.ids].sort(), texts: erased.texts.join() }).toMatchObject({
      ids: [1n, 3n],
      removed: 2,
      texts: expect.stringContaining('Text 3.'),
    })
    expect(await listed(engine)).toEqual([2n])
    expect(await storeReviews(engine, written(7n, 's:u1'), written(8n, 's:u2'))).toEqual(['erased', 'added'])
    expect(await engine.moderation.eraseUser('s:u1', () => [], record())).toMatchObject({ removed: 0, texts: [] })
    expect(await engine.moderation.eraseUser('s:nobody', () => [], record())).toEqual({
      ids: [],
      removed: 0,
      texts: [],
    })
  })

  test('a writer that is open obeys decisions of another process', async () => {
    const engine = await open()
    await populate(engine, 3)
    const other = openAgain(engine)
    await withWriter(engine, async writer => {
      await other.moderation.hide(1n, record())
      await other.moderation.erase(2n, record())
      await other.moderation.eraseUser('s:u3', () => [], record())
      const writes = [written(1n, 's:u1', 5), written(2n, 's:u2'), written(9n, 's:u3')]
      expect(await writer.writeReviews(writes)).toEqual(['changed', 'erased', 'erased'])
    })
    expect(await listed(engine)).toEqual([])
  })
})
