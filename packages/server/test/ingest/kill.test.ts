import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dump } from '../dump.ts'
import { killedAt } from '../kills.ts'
import { configFor, importRows, ndjson, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

/** Number of rows per transaction. */
const batch = 1000

const places = Array.from({ length: 2 * batch }, (_, i) => ({
  source: 's',
  source_id: `p${i}`,
  name: `Place ${i}`,
  lat: (i % 180) - 90,
  lon: (i % 360) - 180,
  country: ['ES', 'FR', 'DE'][i % 3],
  rating: 3,
  review_count: i % 4,
}))
const reviews = Array.from({ length: 2 * batch }, (_, i) => ({
  source: 's',
  source_id: `r${i}`,
  place_source_id: `p${(i * 7) % 500}`,
  rating: (i % 5) + 1,
  text: `Text ${i}`,
  lang: ['en', 'de'][i % 2],
  subratings: { value: (i % 5) + 1 },
}))

const placesFile = join(folder.path, 'places.ndjson')
const reviewsFile = join(folder.path, 'reviews.ndjson')

const args = (data: string) => ['import', '--data', data, '--json', '--no-index', placesFile, reviewsFile]

/** Steps before which an import is killed, with the numbers of rows that are stored by then. */
const steps: [step: string, places: number, reviews: number][] = [
  // The first commits of both stores create their tables; the second one of control.sqlite lists the made parts,
  // and the third one records the job.
  ['commit control.sqlite#4', 0, 0],
  ['commit data.sqlite#2', 0, 0],
  ['commit control.sqlite#5', batch, 0],
  ['commit data.sqlite#3', batch, 0],
  ['commit data.sqlite#4', 2 * batch, 0],
  ['commit data.sqlite#5', 2 * batch, batch],
]

describe('kill -9 of an import (rulings: Import format)', () => {
  const undisturbed = configFor(join(folder.path, 'undisturbed'))
  beforeAll(async () => {
    writeFileSync(placesFile, ndjson(places))
    writeFileSync(reviewsFile, ndjson(reviews))
    await importRows(undisturbed, 'location', places)
    await importRows(undisturbed, 'review', reviews)
  })

  test.each(steps)(
    'before the step %s: %i places and %i reviews are stored, and the next run stores the rest',
    async (...row) => {
      const [step, stored, written] = row
      const data = join(folder.path, step)
      const config = configFor(data)
      await killedAt(step, args(data))
      // Open the stores as the next run does, to see what the kill has left.
      await importRows(config, 'location', [])
      const { integrity, tables } = dump(config)
      expect(integrity).toEqual(['ok', 'ok'])
      expect([tables.locations!.length, tables.reviews!.length]).toEqual([stored, written])
      const totals = tables.review_totals as { totals: string }[]
      expect(totals.reduce((sum, { totals: text }) => sum + (JSON.parse(text) as { reviews: number }).reviews, 0)).toBe(
        written,
      )
      const again = await importRows(config, 'location', places)
      expect(again.report).toMatchObject({ added: places.length - stored, unchanged: stored, changed: 0, rejected: 0 })
      await importRows(config, 'review', reviews)
      expect(dump(config)).toEqual(dump(undisturbed))
    },
  )
})
