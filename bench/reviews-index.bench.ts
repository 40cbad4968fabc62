/**
 * Measures the index of reviews: the CPU of a build, its size, and queries for requests for recommendations, each over
 * 5,000 places. A build of a million reviews takes about a minute.
 *   npm run bench -- reviews-index [--reviews 1000000] [--places 200000] [--candidates 5000] [--rounds 3]
 *     [--texts FILE] [--index FILE]
 * FILE has reviews in the flat import format, and is gzipped; the default is the bundled sample. Texts are repeated,
 * each with two words of its own. `--index` keeps the index, and uses it if it is there.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { tokens } from '../packages/server/src/kit/tokens.ts'
import { isConceptWord } from '../packages/server/src/search/recommend/concepts.ts'
import { ideasIn } from '../packages/server/src/search/recommend/ideas.ts'
import { bounds } from '../packages/server/src/search/recommend/recommendation-weights.ts'
import { ReviewEvidence } from '../packages/server/src/search/recommend/review-evidence.ts'
import { ReviewsIndex } from '../packages/server/src/search/reviews/reviews-index.ts'
import { ReviewsWriter } from '../packages/server/src/search/reviews/writer.ts'
import { flag } from './load/figures.ts'
import { timed } from './load/timings.ts'
import { readRequests } from './search/judged/read-lines.ts'

const reviews = Number(flag('reviews', '1000000'))
const places = Number(flag('places', '200000'))
const candidates = Number(flag('candidates', String(bounds.pool)))
const rounds = Number(flag('rounds', '3'))
const sample = fileURLToPath(new URL('../demo/reviews.ndjson.gz', import.meta.url))
const kept = flag('index', '')

const random = createRandom(1)
const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const path = kept === '' ? join(folder, 'reviews.index') : kept
if (!existsSync(path)) build()

const index = ReviewsIndex.open(path)
if (index === undefined) throw new Error(`The index ${path} is damaged or of another format.`)
const requests = readRequests().map(({ query }) => ideasIn(tokens(query), () => false))
const asked = requests.filter(ideas => ideas.length > 0)
const timings = await timed(asked.length * rounds, i => {
  const ideas = asked[i % asked.length]!.map(idea => ({ ...idea, weight: 1 }))
  const found = new ReviewEvidence(index, { ideas, languages: ['en'] }, someIds())
  const slots = Array.from(found.scores.keys()).sort((a, b) => found.scores[b]! - found.scores[a]!)
  return found.reviewsOf(new Set(slots.slice(0, bounds.shortlist)), bounds.pickedPerPlace)
})
console.table({ [`${index.facts.reviews} reviews, ${candidates} places`]: timings })
index.close()

/** Returns the ids of distinct places. */
function someIds(): BigUint64Array {
  const ids = new Set<bigint>()
  while (ids.size < Math.min(candidates, places)) ids.add(placeOf(random()))
  return BigUint64Array.from(ids)
}

/** Returns a place; few places have many reviews. */
function placeOf(share: number): bigint {
  return BigInt(1 + Math.floor(places * share))
}

function build(): void {
  const texts = gunzipSync(readFileSync(flag('texts', sample)))
    .toString()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { readonly text: string; readonly lang?: string })
  const startedUs = process.cpuUsage()
  const startMs = performance.now()
  const writer = new ReviewsWriter(path, 0, isConceptWord)
  for (let i = 0; i < reviews; i++) {
    const { text, lang } = texts[i % texts.length]!
    const value = `${text} w${Math.floor(1e6 * random() ** 3)} w${Math.floor(1e6 * random() ** 3)}`
    writer.add({
      id: BigInt(i + 1),
      locationId: placeOf(random() ** 2),
      text: [{ value }],
      ...(lang !== undefined && { language: lang }),
    })
  }
  writer.commit({ storeId: 'bench', position: { seq: 1, mark: '' } })
  const { user, system } = process.cpuUsage(startedUs)
  console.table({
    [`build of ${reviews} reviews`]: {
      'CPU s': Number(((user + system) / 1e6).toFixed(1)),
      'elapsed s': Number(((performance.now() - startMs) / 1000).toFixed(1)),
      megabytes: Math.round(statSync(path).size / 1e6),
      'peak megabytes': Math.round(process.resourceUsage().maxRSS / 1e3),
    },
  })
}
