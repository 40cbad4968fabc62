import { expect, test } from 'vitest'
import type { FeedSource } from '../../../src/domain/feed-stores.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { record } from '../../record.ts'
import { describeEngines, gather, put, putReview, store, storeReviews } from './engines.ts'

const all = Number.MAX_SAFE_INTEGER

async function withSource<T>(engine: Engine, work: (source: FeedSource) => Promise<T>): Promise<T> {
  const source = await engine.openFeedSource()
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

describeEngines('feed source', ({ open }) => {
  test('reads one consistent state during writes', async () => {
    const engine = await open()
    await store(engine, put(1n), put(2n), { ...put(3n), category: 'GEO' } as never)
    await storeReviews(engine, putReview(1n, 1n))
    await withSource(engine, async source => {
      await store(engine, { op: 'delete', id: 1n }, put(4n))
      expect(source.position.seq).toBe(5)
      expect((await gather(source.locations.all())).map(({ id }) => id)).toEqual([1n, 2n, 3n])
      expect(await source.locations.count()).toBe(3)
      expect((await gather(source.geos.all())).map(({ id }) => id)).toEqual([3n])
      expect((await gather(source.reviews.all())).map(({ review, of }) => [review.id, of.id])).toEqual([[1n, 1n]])
      expect((await source.locations.getMany([4n, 2n])).map(found => found?.id)).toEqual([undefined, 2n])
      expect(await source.locations.ending(1n)).toBeUndefined()
    })
    await withSource(engine, async source => {
      expect(await source.locations.ending(1n)).toMatchObject({ reason: 'removed' })
      expect(await gather(source.reviews.all())).toEqual([])
    })
  })

  test('lists the changes after a position of the change log', async () => {
    const engine = await open()
    await store(engine, put(1n), put(2n))
    const then = await withSource(engine, async ({ position }) => position)
    await store(engine, put(2n, 'Renamed'), put(3n))
    await storeReviews(engine, putReview(1n, 1n))
    await withSource(engine, async source => {
      expect(await source.follows(then)).toBe(true)
      expect(await gather(source.locations.changedAfter(then.seq))).toEqual([1n, 2n, 3n])
      expect(await gather(source.reviews.changedAfter(then.seq))).toEqual([1n])
      expect(await source.follows({ seq: then.seq, mark: 'another history' })).toBe(false)
      expect(await source.follows({ seq: source.position.seq + 1, mark: '' })).toBe(false)
    })
  })

  test('lists no changes after a position whose later changes were pruned', async () => {
    const engine = await open()
    await store(engine, put(1n))
    const [nothing, then] = [{ seq: 0, mark: '' }, await withSource(engine, async ({ position }) => position)]
    await store(engine, put(2n))
    const later = await withSource(engine, async ({ position }) => position)
    await store(engine, put(3n))
    await engine.changes.prune({ beforeMs: all, keepFromSeq: later.seq, limit: 10 })
    await withSource(engine, async source => {
      expect(await Promise.all([nothing, then, later].map(one => source.follows(one)))).toEqual([false, false, true])
      expect(await Promise.all([0, 1, 2].map(seq => source.hasChangesSince(seq)))).toEqual([false, true, true])
    })
  })

  test('lists erased records even if the lines of the log were pruned', async () => {
    const engine = await open()
    await store(engine, put(1n))
    await storeReviews(engine, putReview(1n, 1n), putReview(2n, 1n), putReview(3n, 1n))
    await engine.moderation.erase(1n, record())
    const then = await withSource(engine, async ({ position }) => position)
    await engine.moderation.erase(2n, record())
    const erasedSince = (seq: number) => withSource(engine, source => gather(source.erasedAfter(seq)))
    expect(await erasedSince(0)).toEqual([1n, 2n].map(id => ({ kind: 'review', id })))
    expect(await erasedSince(then.seq)).toEqual([{ kind: 'review', id: 2n }])
    await engine.changes.prune({ beforeMs: all, keepFromSeq: all, limit: 100 })
    expect(await erasedSince(then.seq)).toEqual([1n, 2n].map(id => ({ kind: 'review', id })))
  })
})
