import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecret } from '../../src/access/key-format.ts'
import { makeKey, startWorld, type World } from '../world.ts'
import { largest } from '../world-rows.ts'
import { expectGolden, type Recorded, recorded } from './recorded.ts'

/** Folder of the recorded responses. `npm run bless` rewrites them, and a reviewer reads the diff. */
const folder = fileURLToPath(new URL('./v1/', import.meta.url))

const requests: Record<string, [target: string, more?: Recorded]> = {
  'location-full': ['/locations/1?version=1'],
  'location-bare': ['/locations/5'],
  'location-full-v2': ['/locations/1?version=2'],
  'reviews-page-v2': ['/locations/2/reviews?size=2&version=2'],
  'location-flat': ['/locations/2'],
  'location-temporarily-closed': ['/locations/3'],
  'location-closed': ['/locations/4'],
  'location-largest-id': [`/locations/${largest}`],
  'location-merged': ['/locations/20'],
  'location-without-rating': ['/locations/40'],
  'location-languages-only': ['/locations/50'],
  'location-locales': ['/locations/1?locale=ja&locale=pt'],
  'location-head': ['/locations/1', { method: 'HEAD' }],
  'locations-several': [`/locations?ids=4,70,99,${largest},20`],
  'locations-none': ['/locations?ids=99'],
  'reviews-page': ['/locations/2/reviews?size=2'],
  'reviews-texts': ['/locations/1/reviews'],
  'reviews-undated': ['/locations/50/reviews'],
  'reviews-none': ['/locations/60/reviews'],
  'catalog-full': ['/catalog/locations/1'],
  'catalog-bare': ['/catalog/locations/5'],
  'error-400-path': ['/locations/abc'],
  'error-400-parameters': [
    '/locations/1/reviews?page=0&size=101&rating_min=6&trip_type=X&sort_by=X&published_after_ts=2026-02-31',
  ],
  'error-400-ids': ['/locations?ids=1,x'],
  'error-400-recommendations': ['/recommendations/search?query=a&geo_id=1&geo_name=Madrid&lat=1'],
  'error-400-version': ['/locations/1?version=9'],
  'error-401-missing': ['/locations/1', { key: 'none' }],
  'error-401-malformed': ['/locations/1', { key: 'malformed' }],
  'error-401-unknown': ['/locations/1', { key: 'unknown' }],
  'error-403': ['/recommendations/search?query=a', { key: 'discover' }],
  'error-404-location': ['/locations/99'],
  'error-404-path': ['/nowhere'],
  'error-405': ['/locations/1', { method: 'POST' }],
  'error-410': ['/locations/1?version=0'],
  'error-414': [`/locations/1?q=${'x'.repeat(17_000)}`],
  'error-404-feed': ['/feeds/hotels/latest'],
  'error-404-snapshot': ['/feeds/locations/snapshots/2026-01-01.0-v1/manifest.json'],
  feeds: ['/feeds'],
  health: ['/healthz', { key: 'none' }],
}

let world: World
const keys: Record<string, string | null> = { none: null, malformed: 'nonsense', unknown: createSecret('live') }
beforeAll(async () => {
  world = await startWorld({ 'server.publicUrl': 'https://places.example' })
  keys.discover = (await makeKey(world.config)).secret
})
afterAll(() => world.close())

describe('golden responses', () => {
  test.each(Object.entries(requests))('%s', async (name, [target, more = {}]) => {
    const key = more.key === undefined ? {} : { key: keys[more.key]! }
    const reply = await world.get(target, { ...key, ...(more.method && { method: more.method }) })
    const text = recorded(reply, target, more)
    expectGolden(folder, name, text)
    // The short way answers reads of cached places, and leaves requests that announce a body to the ordinary way.
    for (const headers of [{}, {}, { 'Content-Length': '0' }]) {
      const again = await world.get(target, { ...key, headers, ...(more.method && { method: more.method }) })
      expect(recorded(again, target, more)).toBe(text)
    }
  })

  test('every golden file belongs to a request', () => {
    const known = Object.keys(requests).map(name => `${name}.json`)
    expect(readdirSync(folder).filter(file => !known.includes(file))).toEqual([])
  })
})
