/**
 * Measures the CPU time of rendering a location in each version, from the canonical record to the bytes that are sent
 * and their ETag.
 *   npm run bench -- versions [--rounds 15] [--ratings]      with --ratings, every location has all kinds of ratings
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { LocationEntry } from '../packages/server/src/domain/location.ts'
import type { RatingSummary } from '../packages/server/src/domain/ratings.ts'
import { render } from '../packages/server/src/http/partner/render.ts'
import { normaliseLocation } from '../packages/server/src/ingest/normalise-location.ts'
import { getBetaVersion, resolveLifecycle } from '../packages/server/src/versions/lifecycle.ts'
import { registry } from '../packages/server/src/versions/registry.ts'
import type { Version } from '../packages/server/src/versions/version.ts'
import { flag, hasFlag, median } from './load/figures.ts'

const rounds = Number(flag('rounds', '15'))
const context = { publicUrl: 'https://places.example', locales: [] }
const allRatings: RatingSummary = {
  overall: { rating: 4.27, count: 1200 },
  subratings: ['service', 'value', 'cleanliness'].map(type => ({ type, rating: 4.5, count: 800 })),
  breakdowns: [5, 4, 3, 2, 1].map(rating => ({ rating, count: 240 })),
  languageCounts: ['en', 'es-MX', 'fr'].map(language => ({ language, count: 400 })),
}
const ratings = hasFlag('ratings') ? allRatings : undefined

const sample = gunzipSync(readFileSync(new URL('../demo/places.ndjson.gz', import.meta.url)))
  .toString()
  .split('\n')
const entries = sample.slice(0, 5000).flatMap((line, i): LocationEntry[] => {
  const read =
    line && normaliseLocation(JSON.parse(line), { defaultSource: 'demo', defaultStatus: 'OPEN', thisYear: 2026 })
  if (!read || !('op' in read) || read.op !== 'put') return []
  const { location, facts } = read
  const derive = <T>(_: string, make: () => T) => make()
  return [{ ...facts, id: BigInt(i + 1), updatedMs: 0, location: () => location, ratings: () => ratings, derive }]
})

const lifecycle = resolveLifecycle({ versions: {}, endpoints: {} })
const versions = [...registry, getBetaVersion(lifecycle, Date.now())!].flatMap(({ version }) => version ?? [])
let bytes = 0

/**
 * Returns the microseconds per location of presenting it and serialising it with `serialise`, which returns the size.
 */
function microsecondsPerLocation(version: Version, serialise: (body: object) => number): number {
  const startMs = performance.now()
  for (const entry of entries) bytes += serialise({ data: version.present.location(entry, context) })
  return ((performance.now() - startMs) * 1000) / entries.length
}

const toText = (body: object) => JSON.stringify(body).length
const toBytes = (body: object) => render(body).body.length

const rows = versions.map(version => ({ version, text: [] as number[], bytes: [] as number[] }))
// Versions alternate, so that other load affects all of them alike; the first round is a warm-up.
for (let round = 0; round <= rounds; round++)
  for (const row of rows) {
    const took = {
      text: microsecondsPerLocation(row.version, toText),
      bytes: microsecondsPerLocation(row.version, toBytes),
    }
    if (round === 0) continue
    row.text.push(took.text)
    row.bytes.push(took.bytes)
  }
const v1 = rows.find(({ version }) => version.name === '1')!
console.table(
  rows.map(({ version, text, bytes: sent }) => ({
    version: version.name,
    'text µs': Number(median(text).toFixed(2)),
    'bytes and ETag µs': Number(median(sent).toFixed(2)),
    'text relative to v1': Number(median(text.map((us, i) => us / v1.text[i]!)).toFixed(3)),
  })),
)
console.error(
  `${entries.length} locations, ${Math.round(bytes / entries.length / versions.length / (rounds + 1) / 2)} characters`,
)
