import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start } from '../cli.ts'
import { dump } from '../dump.ts'
import { random } from '../random.ts'
import { configFor, importRows, ndjson, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

/** The rows of one transaction. */
const batch = 1000

const places = Array.from({ length: 4 * batch }, (_, i) => ({
  source: 's',
  source_id: `p${i}`,
  name: `Place ${i}`,
  lat: (i % 180) - 90,
  lon: (i % 360) - 180,
  country: ['ES', 'FR', 'DE'][i % 3],
  rating: 3,
  review_count: i % 4,
}))
const reviews = Array.from({ length: 3 * batch }, (_, i) => ({
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

const startImport = (data: string) => start(['import', '--data', data, '--json', placesFile, reviewsFile])

/** Runs an import, kills it after `ms`; false when it had ended before. */
async function killed(data: string, ms: number): Promise<boolean> {
  const child = startImport(data)
  const closed = once(child, 'exit')
  const ended = await Promise.race([closed.then(() => true), wait(ms).then(() => false)])
  child.kill('SIGKILL')
  await closed
  return !ended
}

describe('kill -9 of an import (rulings: Import format)', () => {
  let undisturbed: ReturnType<typeof dump>
  let wholeMs: number
  beforeAll(async () => {
    writeFileSync(placesFile, ndjson(places))
    writeFileSync(reviewsFile, ndjson(reviews))
    const data = join(folder.path, 'undisturbed')
    await once(startImport(join(folder.path, 'warm-up')), 'exit')
    const begin = performance.now()
    await once(startImport(data), 'exit')
    wholeMs = performance.now() - begin
    undisturbed = dump(configFor(data))
    expect(undisturbed.tables).toMatchObject({
      locations: { length: places.length },
      reviews: { length: reviews.length },
    })
  })

  test('at 20 random moments: whole batches, and the same end', { timeout: 120_000 }, async () => {
    const next = random(20_260_131)
    // The first part of the time is the start of the process.
    const moments = Array.from({ length: 20 }, () => wholeMs * (0.3 + 0.7 * next()))
    const found: number[] = []
    const lane = async (from: number) => {
      for (let i = from; i < moments.length; i += 2) {
        const data = join(folder.path, `run-${i}`)
        const config = configFor(data)
        await killed(data, moments[i]!)
        // Opening the stores is what the next run does: it finds what the kill has left.
        await importRows(config, 'location', [])
        const { integrity, tables } = dump(config)
        expect(integrity).toEqual(['ok', 'ok'])
        const [stored, written] = [tables.locations!.length, tables.reviews!.length]
        expect([stored % batch, written % batch]).toEqual([0, 0])
        if (written > 0) expect(stored).toBe(places.length)
        const totals = tables.review_totals as { totals: string }[]
        expect(totals.reduce((sum, row) => sum + (JSON.parse(row.totals) as { reviews: number }).reviews, 0)).toBe(
          written,
        )
        found.push(stored + written)
        const again = await importRows(config, 'location', places)
        expect(again.report).toMatchObject({
          added: places.length - stored,
          unchanged: stored,
          changed: 0,
          rejected: 0,
        })
        await importRows(config, 'review', reviews)
        expect(dump(config)).toEqual(undisturbed)
      }
    }
    await Promise.all([lane(0), lane(1)])
    // The moments were worth something: some fell into the work itself.
    expect(found.filter(rows => rows > 0 && rows < places.length + reviews.length).length).toBeGreaterThan(2)
  })
})
