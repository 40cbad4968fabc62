import { expect, test } from 'vitest'
import { type LocationRecord, normaliseLocation } from './normalise-location.ts'
import { normaliseReview, type ReviewRecord } from './normalise-review.ts'

const options = { defaultSource: 'crm', defaultStatus: 'OPEN', thisYear: 2026 } as const

/** Returns the photos of a place with these fields, its count of photos, and the notes. */
function read(fields: object) {
  const row = { source_id: 'a', name: 'A', lat: 1, lon: 2, ...fields }
  const record = normaliseLocation(row, options) as LocationRecord & { op: 'put' }
  const { location } = record
  return { photos: location.photoList, count: location.photos?.totalCount, notes: record.notes }
}

const url = 'https://a.example/1.jpg'

test.each([
  ['a URL', url, [{ url }]],
  [
    'several in one text',
    `${url}, https://a.example/2.jpg;x|HTTP://B.example`,
    [{ url }, { url: 'https://a.example/2.jpg;x' }, { url: 'http://b.example/' }],
  ],
  ['a list of URLs, each once', [url, url], [{ url }]],
  [
    'foreign characters',
    'https://bücher.example/ä ö.jpg#top',
    [{ url: 'https://xn--bcher-kva.example/%C3%A4%20%C3%B6.jpg' }],
  ],
  [
    'an object',
    [{ url, width: '40', height: 30, caption: 'A', attribution: 'B', licence: 'C', source_url: url, x: 1 }],
    [{ url, width: 40, height: 30, caption: 'A', attribution: 'B', license: 'C', sourceUrl: url }],
  ],
  ['an unknown size', [{ url, width: 0, height: 0 }], [{ url }]],
] as [string, unknown, object[]][])('reads %s', (_name, photos, expected) => {
  expect(read({ photos })).toEqual({ photos: expected, count: expected.length, notes: [] })
})

test('captions, authors and licences of columns are those of photos without their own', () => {
  const photos = [url, { url: 'https://a.example/2.jpg', attribution: 'Zoe' }]
  expect(read({ photos, photo_attribution: 'Ann', photo_license: 'CC0' }).photos).toEqual([
    { url, attribution: 'Ann', license: 'CC0' },
    { url: 'https://a.example/2.jpg', attribution: 'Zoe', license: 'CC0' },
  ])
})

test('a number in the form of the API is a number only', () => {
  expect(read({ photos: { total_count: 7 } })).toEqual({ photos: undefined, count: 7, notes: [] })
})

test.each([
  ['data:image/png;base64,AAAA', ['photo_url_invalid']],
  ['javascript:alert(1)', ['photo_url_invalid']],
  ['//a.example/1.jpg', ['photo_url_invalid']],
  ['a.example/1.jpg', ['photo_url_invalid']],
  ['https://user:pass@a.example/1.jpg', ['photo_url_invalid']],
  [`https://a.example/${'x'.repeat(2000)}`, ['photo_url_invalid']],
  [[{ caption: 'No URL' }], ['photo_url_invalid']],
  [3, ['photos_not_a_list']],
])('drops %s, and says so', (photos, notes) => {
  expect(read({ photos })).toEqual({ photos: undefined, count: undefined, notes })
})

test.each([
  [{ width: 40 }],
  [{ width: -1, height: 3 }],
  [{ width: 1.5, height: 3 }],
  [{ width: 'wide', height: 3 }],
  [{ width: 1e9, height: 3 }],
])('keeps a photo without a wrong size: %j', size => {
  expect(read({ photos: [{ url, ...size }] })).toEqual({ photos: [{ url }], count: 1, notes: ['photo_size_invalid'] })
})

test('keeps the first hundred of a place, and twenty of a review', () => {
  const photos = Array.from({ length: 102 }, (_, i) => `https://a.example/${i}.jpg`)
  const place = read({ photos })
  expect([place.count, place.notes]).toEqual([100, ['photo_beyond_limit', 'photo_beyond_limit']])
  const row = { source_id: 'r', location_id: 1, rating: 4, photos: photos.slice(0, 21) }
  const record = normaliseReview(row, { defaultSource: 'crm' }) as ReviewRecord & { op: 'put' }
  expect(record).toMatchObject({ op: 'put', notes: ['photo_beyond_limit'] })
  expect(record.review.photos).toHaveLength(20)
})
