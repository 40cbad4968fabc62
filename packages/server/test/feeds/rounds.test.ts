/**
 * Full + deltas = next full, over rounds of random changes, in every version (R-45; issue E). `npm run soak` adds more
 * rounds: PERIPLUS_ROUNDS, PERIPLUS_SEED.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '../../src/config/load.ts'
import { createRandom } from '../../src/kit/random.ts'
import { settableClock } from '../clock.ts'
import { openModeration } from '../composed.ts'
import { record } from '../record.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { buildFeeds } from './builds.ts'
import { applied, checksumOf, editions, isTombstone, parse, pinnedKey, readSnapshot } from './snapshots.ts'

const folder = scratch()
afterAll(folder.remove)
const clock = settableClock(Date.UTC(2026, 10, 1))
let config: Config
beforeAll(async () => {
  config = configFor(folder.path, { 'server.publicUrl': 'https://places.example/api' })
  for (const version of ['0', '1', '2']) await pinnedKey(config, version)
})

const rounds = Number(process.env.PERIPLUS_ROUNDS ?? 16)
const next = createRandom(Number(process.env.PERIPLUS_SEED ?? 20_261_121))
const upTo = (n: number) => Math.floor(next() * n)
const one = <T>(list: readonly T[]): T => list[upTo(list.length)]!

const huge = 2n ** 63n - 40n
/** Returns one of a few ids, so that rounds repeat them; some exceed the precision of doubles. */
const placeId = () => (next() < 0.2 ? huge + BigInt(upTo(15)) : BigInt(1 + upTo(60)))
const reviewId = () => (next() < 0.2 ? huge + BigInt(upTo(20)) : BigInt(1 + upTo(150)))
const categories = ['hotel', 'restaurant', 'geo:city', 'geo:region', 'museum', 'odd kind', 'airport']
const words = ['Café', '東京', 'Ωmega', 'a"b\\c', '\u2028', '😀', 'plain', 'ß']

const place = (id: bigint) => ({
  id,
  name: `${one(words)} ${upTo(5)}`,
  lat: upTo(180) - 90,
  lon: upTo(360) - 180,
  category: one(categories),
  ...(next() < 0.3 && { rating: 1 + upTo(5), review_count: upTo(4), subratings: { value: 1 + upTo(5) } }),
  ...(next() < 0.3 && { description: one(words) }),
})

const review = (id: bigint) => ({
  id,
  location_id: placeId(),
  text: `${one(words)} ${upTo(3)}`,
  ...(next() < 0.8 && { rating: 1 + upTo(5) }),
  ...(next() < 0.3 && { subratings: { [one(['service', 'rooms', 'my_own'])]: 1 + upTo(5) } }),
  user_id: `u${upTo(30)}`,
  trip_type: one(['SOLO', 'FAMILY', 'NONE']),
})

/** Actions of a round. Invalid rows are rejected and change nothing. */
const actions: readonly (() => Promise<unknown>)[] = [
  () =>
    importRows(
      config,
      'location',
      Array.from({ length: 1 + upTo(6) }, () => place(placeId())),
    ),
  () => importRows(config, 'location', [{ id: placeId(), deleted: true }]),
  () => importRows(config, 'location', [{ id: placeId(), merged_into: placeId() }]),
  () =>
    importRows(
      config,
      'review',
      Array.from({ length: 1 + upTo(8) }, () => review(reviewId())),
    ),
  () => importRows(config, 'review', [{ id: reviewId(), deleted: true }]),
  () => moderated(reviews => reviews.erase(reviewId(), record())),
  () => moderated(reviews => reviews.hide(reviewId(), record())),
  () => moderated(reviews => reviews.show(reviewId(), record())),
]

async function moderated(work: (reviews: ReturnType<typeof openModeration>['reviews']) => Promise<unknown>) {
  const moderation = openModeration(config)
  await work(moderation.reviews)
  moderation.close()
}

/** Records of a client that has applied the first full and every delta since, by edition. */
const followed = new Map<string, Map<string, string>>()
const reasons = new Set<string>()
const kinds: string[] = []

/** Applies the snapshots built since the last call, and compares each full with the records so far. */
function follow(seen: Map<string, number>): void {
  for (const { edition, snapshots } of editions(config)) {
    const name = `${edition.feed} ${edition.version}`
    for (const snapshot of snapshots) {
      const { manifest } = snapshot
      if (manifest.sequence <= (seen.get(name) ?? 0)) continue
      seen.set(name, manifest.sequence)
      const lines = readSnapshot(config, snapshot)
      kinds.push(manifest.kind)
      if (manifest.kind === 'delta' || !followed.has(name)) {
        for (const line of lines.values()) if (isTombstone(line)) reasons.add(`${name}: ${parse(line).reason}`)
        followed.set(name, applied(followed.get(name) ?? new Map(), manifest, lines))
      } else
        expect(Object.fromEntries(lines), `${name}: full + deltas = next full`).toEqual(
          Object.fromEntries(followed.get(name)!),
        )
      expect(checksumOf(edition.feed, followed.get(name)!), `${name} ${manifest.snapshot_id}`).toBe(
        manifest.checksum_of_result,
      )
      expect(followed.get(name)!.size).toBe(manifest.records_of_result)
    }
  }
}

test('full + deltas = next full, line by line and by checksum', async () => {
  await importRows(
    config,
    'location',
    Array.from({ length: 40 }, (_, i) => place(BigInt(i + 1))),
  )
  await importRows(
    config,
    'review',
    Array.from({ length: 80 }, (_, i) => review(BigInt(i + 1))),
  )
  const seen = new Map<string, number>()
  await buildFeeds(config, clock, { kind: 'full' })
  follow(seen)
  expect(followed.size).toBe(12)
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 1 + upTo(4); i++) await one(actions)()
    clock.ms += 3_600_000
    // A delta uses the change log. The full compares all records and must find no further changes.
    const deltas = await buildFeeds(config, clock, { kind: 'delta' })
    follow(seen)
    if (round % 4 === 0 || deltas.some(({ manifest }) => manifest.kind === 'full')) {
      const fulls = await buildFeeds(config, clock, { kind: 'full' })
      expect(fulls.map(({ manifest }) => manifest.kind)).toEqual(Array(12).fill('full'))
      follow(seen)
    }
  }
  expect(kinds.filter(kind => kind === 'delta').length).toBeGreaterThan(10 * rounds)
  for (const version of ['0', '1', '2'])
    for (const reason of [
      ...['removed', 'merged'].map(one => `locations ${version}: ${one}`),
      ...['removed', 'erased'].map(one => `reviews ${version}: ${one}`),
      `geos ${version}: removed`,
    ])
      expect(reasons).toContain(reason)
})
