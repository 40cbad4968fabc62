import { expect, test } from 'vitest'
import type { ReviewWrite } from '../../../src/domain/record-write.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { record } from '../../record.ts'
import { describeEngines, openAgain, put, store, storeReviews } from './engines.ts'

const photoOf = (id: number) => ({ url: `https://a.example/${id}.jpg` })
const review = (id: number, locationId: bigint, photos: readonly number[] = [id]): ReviewWrite => ({
  op: 'put',
  review: {
    id: BigInt(id),
    locationId,
    publishedMs: id * 1000,
    title: [{ value: 'Not a member: "photos":[' }],
    ...(photos.length > 0 && { photos: photos.map(photoOf) }),
  },
})
const photographed = async (engine: Engine, locationId: bigint, limit = 100) =>
  (await engine.reviews.withPhotos(locationId, limit)).map(({ id }) => Number(id))

describeEngines('photos', ({ open }) => {
  test('the newest reviews with photos follow each write, move, decision and removal', async () => {
    const engine = await open()
    await store(engine, put(1n), put(2n))
    await storeReviews(engine, review(1, 1n), review(2, 1n, []), review(3, 1n), review(4, 2n), review(5, 1n, []))
    expect(await photographed(engine, 1n)).toEqual([3, 1])
    expect(await photographed(engine, 1n, 1)).toEqual([3])
    expect((await engine.reviews.withPhotos(1n, 1))[0]?.photos).toEqual([photoOf(3)])
    await storeReviews(engine, review(3, 1n, []), review(5, 1n))
    expect(await photographed(engine, 1n)).toEqual([5, 1])
    await engine.moderation.hide(5n, record())
    expect(await photographed(engine, 1n)).toEqual([1])
    await engine.moderation.show(5n, record())
    expect(await photographed(engine, 1n)).toEqual([5, 1])
    await store(engine, { op: 'merge', id: 2n, into: 1n })
    expect([await photographed(engine, 1n), await photographed(engine, 2n)]).toEqual([[5, 4, 1], []])
    await engine.moderation.erase(4n, record())
    await storeReviews(engine, { op: 'delete', id: 5n })
    expect(await photographed(engine, 1n)).toEqual([1])
    await store(engine, { op: 'delete', id: 1n })
    expect(await photographed(engine, 1n)).toEqual([])
  })

  test('a hidden photo is hidden for every process until it is shown', async () => {
    const { photos } = openAgain(await open())
    expect(await photos.hide('l1-b', record('photo.hide'), 'blurred')).toBe(true)
    expect(await photos.hide('l1-b', record('photo.hide'), 'another')).toBe(false)
    expect(await photos.hide('l1-a', record('photo.hide'))).toBe(true)
    expect([...(await photos.findHidden(['l1-a', 'l1-b', 'l1-c'])).values()]).toEqual([
      { photoId: 'l1-a', atMs: expect.any(Number) },
      { photoId: 'l1-b', reason: 'blurred', atMs: expect.any(Number) },
    ])
    expect((await photos.listHidden({ limit: 1 })).map(({ photoId }) => photoId)).toEqual(['l1-a'])
    expect((await photos.listHidden({ limit: 9, after: 'l1-a' })).map(({ photoId }) => photoId)).toEqual(['l1-b'])
    expect([await photos.show('l1-a', record()), await photos.show('l1-a', record())]).toEqual([true, false])
    expect((await photos.findHidden(['l1-a'])).size).toBe(0)
  })
})
