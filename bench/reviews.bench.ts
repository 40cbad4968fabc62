/**
 * Measures the latency over HTTP of random pages of a place with many reviews, in both orders and with random filters,
 * one call at a time.
 *   npm run bench -- reviews [--reviews 100000] [--seconds 10]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag } from './load/figures.ts'
import { runJson, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startService } from './load/service.ts'

const reviews = Number(flag('reviews', '100000'))
const seconds = Number(flag('seconds', '10'))
const random = createRandom(1)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
const place = { source: 'bench', source_id: 'p', name: 'A much reviewed place', lat: 40, lon: -3 }
const languages = ['en', 'es', 'fr', 'de', 'ja']
const trips = ['BUSINESS', 'COUPLES', 'FAMILY', 'FRIENDS', 'SOLO', 'NONE']
const rows = Array.from({ length: reviews }, (_, i) => ({
  source: 'bench',
  source_id: String(i),
  place_source_id: 'p',
  rating: 1 + Math.floor(random() * 5),
  text: 'A review of some length, as people write them after a journey. '.repeat(6),
  lang: pick(languages),
  trip_type: pick(trips),
  published_date: new Date(Date.UTC(2015, 0, 1) + Math.floor(random() * 11 * 365) * 86_400_000).toISOString(),
}))
const lines = (records: readonly object[]) => records.map(record => JSON.stringify(record)).join('\n')
writeFileSync(join(folder, 'place.ndjson'), lines([place]))
writeFileSync(join(folder, 'reviews.ndjson'), lines(rows))
runJson('import', join(folder, 'place.ndjson'), join(folder, 'reviews.ndjson'), '--data', join(folder, 'data'))

const server = await startService(join(folder, 'data'))
const key = { 'X-API-Key': unlimitedKey(join(folder, 'data')) }

const mixes: Record<string, () => string> = {
  'random page': () =>
    `page=${1 + Math.floor(random() * (reviews / 20))}&sort_by=${pick(['MOST_RECENT', 'HIGHEST_RATED'])}`,
  'random filter': () =>
    `page=${1 + Math.floor(random() * 300)}&sort_by=${pick(['MOST_RECENT', 'HIGHEST_RATED'])}` +
    pick(['', '&rating_min=3', '&rating_min=5']) +
    pick(['', `&language=${pick(languages)}`]) +
    pick(['', `&trip_type=${pick(trips)}`]) +
    pick(['', `&published_after_ts=20${16 + Math.floor(random() * 9)}-01-01`]),
}
const results = []
const runs = Object.entries(mixes).flatMap(([mix, make]) => [
  { mix, make, headers: key },
  { mix: `${mix}, gzip or br`, make, headers: { ...key, ...clientCodings } },
])
for (const { mix, make, headers } of runs) {
  const paths = Array.from({ length: 20_000 }, () => `/locations/1/reviews?version=1&${make()}`)
  const { requests, p50Ms, p95Ms, p99Ms, errors } = await generateLoad({
    url: server.url,
    paths,
    headers,
    seconds,
    connections: 1,
  })
  results.push({ mix, requests, errors, p50_ms: p50Ms, p95_ms: p95Ms, p99_ms: p99Ms })
}
console.table(results)
await server.stop()
rmSync(folder, { recursive: true })
