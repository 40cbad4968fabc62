import { expect, test } from 'vitest'
import { photoIdOf } from '../../../src/domain/photo.ts'
import type { LocationWrite, ReviewWrite } from '../../../src/domain/record-write.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { record } from '../../record.ts'
import { describeEngines, locationNamed, openAgain, put, store, storeReviews } from './engines.ts'

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

  test('an erased photo leaves its record, and no import restores it', async () => {
    const engine = await open()
    const place = (...photos: number[]): LocationWrite => ({
      ...(put(1n) as LocationWrite & { op: 'put' }),
      location: { ...locationNamed('A'), photos: { totalCount: photos.length }, photoList: photos.map(photoOf) },
    })
    await store(engine, place(1, 2))
    await storeReviews(engine, review(7, 1n, [3, 4]))
    const ofPlace = (id: number) => photoIdOf({ origin: 'operator', id: 1n }, photoOf(id))
    const ofReview = (id: number) => photoIdOf({ origin: 'review', id: 7n }, photoOf(id))
    const erase = (photo: string) => engine.moderation.erasePhoto(photo, record('photo.erase'))
    expect(await erase(ofPlace(1))).toEqual({ ids: [], removed: 1, texts: [JSON.stringify(photoOf(1))] })
    expect(await erase(ofReview(3))).toMatchObject({ removed: 1 })
    for (const gone of [ofPlace(1), ofPlace(3), ofReview(3), 'l99-000000000000000000000000', 'x'])
      expect(await erase(gone), gone).toBeUndefined()
    const stored = async () => {
      const location = (await engine.locations.get(1n))!.location()
      return [location.photoList, location.photos, (await engine.reviews.get(7n))!.photos]
    }
    const kept = [[photoOf(2)], { totalCount: 1 }, [photoOf(4)]]
    expect(await stored()).toEqual(kept)
    expect(await store(engine, place(1, 2))).toEqual(['unchanged'])
    expect(await storeReviews(engine, review(7, 1n, [3, 4]))).toEqual(['unchanged'])
    expect(await stored()).toEqual(kept)
    await erase(ofReview(4))
    expect(await photographed(engine, 1n)).toEqual([])
    await erase(ofPlace(2))
    expect(await stored()).toEqual([undefined, undefined, undefined])
    const { lines } = await engine.audit.list({ limit: 9, visibility: everything })
    expect(lines.map(({ action }) => action)).toEqual(Array.from({ length: 4 }, () => 'photo.erase'))
  })

  test('a photo of a hidden review can be erased', async () => {
    const engine = await open()
    await store(engine, put(1n))
    await storeReviews(engine, review(7, 1n, [3, 4]))
    await engine.moderation.hide(7n, record())
    const photo = photoIdOf({ origin: 'review', id: 7n }, photoOf(3))
    expect(await engine.moderation.erasePhoto(photo, record())).toMatchObject({ removed: 1 })
    expect((await engine.reviewList.find(7n))?.review.photos).toEqual([photoOf(4)])
    expect(await photographed(engine, 1n)).toEqual([])
    await engine.moderation.show(7n, record())
    expect(await photographed(engine, 1n)).toEqual([7])
  })
})
