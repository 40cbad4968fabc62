/**
 * Measures recommendations for generated queries: in process (index, ranking thread and reads of the recommended
 * places), and over HTTP, one call at a time.
 *   npm run bench -- recommendations --data DIR [--queries 300] [--rounds 3] [--seed 1]
 * DIR is a data folder with places and reviews.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildIndex } from '../packages/server/src/compose/build-index.ts'
import { createRankingThread } from '../packages/server/src/compose/ranking-thread.ts'
import type { DestinationQuery } from '../packages/server/src/domain/recommendation.ts'
import { tripTypes } from '../packages/server/src/domain/review.ts'
import { fullScope } from '../packages/server/src/domain/scope.ts'
import { systemClock } from '../packages/server/src/kit/clock.ts'
import { FairQueue } from '../packages/server/src/kit/fair-queue.ts'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { Threads } from '../packages/server/src/kit/threads.ts'
import { loadIndex } from '../packages/server/src/search/index/file.ts'
import { Searcher } from '../packages/server/src/search/keep/searcher.ts'
import { createRecommender } from '../packages/server/src/search/recommend/recommender.ts'
import { openEngine } from '../packages/server/src/store/engine.ts'
import { openLayout } from '../packages/server/src/store/folder/layout.ts'
import {
  type RecommendationRequest,
  searchRecommendations,
} from '../packages/server/src/usecases/partner/search-recommendations.ts'
import { flag } from './load/figures.ts'
import { unlimitedKey } from './load/folder.ts'
import { startService } from './load/service.ts'
import { timed } from './load/timings.ts'

const dataFolder = flag('data', '')
if (dataFolder === '') {
  console.error('The data folder is missing. Run npm run bench -- recommendations --data DIR.')
  process.exit(2)
}
const layout = openLayout(dataFolder)
const engine = openEngine({ kind: 'sqlite', folder: dataFolder }, { create: false })
const random = createRandom(Number(flag('seed', '1')))
const any = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!

let loaded = loadIndex(layout.index)
if (loaded.outcome !== 'loaded') {
  console.error('Building the index.')
  await buildIndex(engine, layout.index, { nowMs: systemClock.nowMs() })
  loaded = loadIndex(layout.index)
}
if (loaded.outcome !== 'loaded') throw new Error(`The index could not be loaded: ${loaded.outcome}.`)
const searcher = new Searcher(loaded.index, {
  clock: systemClock,
  queue: new FairQueue({ running: 1, waiting: 1, waitingPerSubject: 1 }),
})
const ranking = createRankingThread(new Threads(), { engine: engine.descriptor, reviewsIndex: layout.reviewsIndex })
const stores = {
  recommender: createRecommender({
    shortlist: (query, caller) => searcher.shortlist(query, caller),
    rank: task => ranking.request(task),
  }),
  locations: engine.locations,
}

const cities =
  'Madrid,Singapore,Dublin,Albany,Edinburgh,Singapore,Hong Kong,Antwerp,Albany,Las Vegas,Honolulu,Auckland,London,Providence,Reno,Tokyo,Athens,Copenhagen,New York'
const countries = 'France,Italia,Deutschland,Ireland,Singapore,Denmark,United States,Schweiz'
const places = [...cities.split(','), ...cities.split(','), ...cities.split(','), ...countries.split(',')]
const queries = [
  'romantic dinner with a view',
  'quiet apartment with a garden',
  'family hotel close to the beach',
  'cheap vegan food',
  'rooftop bar with live music',
  'museum for kids',
  'clean and spacious room for a business trip',
  'cosy cafe with good coffee',
  'somewhere to go with friends at night',
  'hotel tranquilo con vistas',
  'cena romántica',
  'hôtel calme en famille',
  'restaurant chinois',
  'ruhiges hotel mit parkplatz',
  'easy check-in, helpful host, close to the metro',
  'romantisches abendessen',
  'sushi',
  '安静 酒店',
  'the best place to see art and then walk in a park along the river',
]

/** Returns a circle around a random place of the index. */
function randomCircle(): DestinationQuery {
  const { latitude, longitude } = loaded.outcome === 'loaded' ? loaded.index.parts[0]!.arrays : never()
  const doc = Math.floor(random() * Math.min(50_000, latitude.length))
  const centre = { latitude: latitude[doc]! / 1e7, longitude: longitude[doc]! / 1e7 }
  return { centre, radiusKm: any([1, 5, 8, 20, 50, 100]) }
}

function never(): never {
  throw new Error('The index is not loaded.')
}

/** Generates a request: about 60 % name the destination in the text. */
function randomRequest(): RecommendationRequest {
  const kind = random()
  const place = kind < 0.6 ? undefined : kind < 0.8 ? { geoName: any(places) } : randomCircle()
  return {
    text: place ? any(queries) : `${any(queries)} in ${any(places)}`,
    ...(place && { destination: place }),
    ...(random() < 0.3 && { tripType: any(tripTypes) }),
    ...(random() < 0.2 && { categories: ['HOTEL'] as const }),
    excluded: [],
    languages: random() < 0.3 ? ['en'] : [],
    limit: any([1, 5, 5, 20]),
    nowMs: systemClock.nowMs(),
  }
}

const requests = Array.from({ length: Number(flag('queries', '300')) }, randomRequest)
const outcomes = { results: 0, empty: 0, faults: 0, withReasons: 0 }
const times: number[] = []
/** Times of the calls with results, which take longest. */
const timesWithResults: number[] = []
const slowest: { ms: number; text: string }[] = []
const delay = monitorEventLoopDelay({ resolution: 1 })
for (let round = 0; round <= Number(flag('rounds', '3')); round++) {
  // The first round warms up.
  if (round === 1) delay.enable()
  for (const query of requests) {
    const from = performance.now()
    const found = await searchRecommendations(stores, fullScope, query, { subject: '', isGone: () => false })
    const ms = performance.now() - from
    if (round === 0) {
      if ('fault' in found) outcomes.faults++
      else if (found.length === 0) outcomes.empty++
      else outcomes.results++
      if (!('fault' in found) && found.some(({ hit }) => hit.reasons.length > 0)) outcomes.withReasons++
      continue
    }
    times.push(ms)
    if (!('fault' in found) && found.length > 0) timesWithResults.push(ms)
    slowest.push({ ms: Number(ms.toFixed(1)), text: `${query.text} ${JSON.stringify(query.destination ?? {})}` })
  }
}
delay.disable()
/** Returns the 99th percentile of each call's fastest round, an estimate for a machine without other load. */
const p99OfFastest = (all: readonly number[]): number =>
  quantile(
    requests.map((_, i) => Math.min(...all.filter((_, at) => at % requests.length === i))),
    0.99,
  )
const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1))
}
console.table({
  places: loaded.index.facts.count,
  calls: times.length,
  p50_ms: quantile(times, 0.5),
  p95_ms: quantile(times, 0.95),
  p99_ms: quantile(times, 0.99),
  max_ms: quantile(times, 1),
  'p99_ms of fastest rounds': p99OfFastest(times),
  'with results p50_ms': quantile(timesWithResults, 0.5),
  'with results p99_ms': quantile(timesWithResults, 0.99),
  'event loop p99_ms': Number((delay.percentile(99) / 1e6).toFixed(1)),
  'event loop max_ms': Number((delay.max / 1e6).toFixed(1)),
  ...outcomes,
})
console.table(slowest.sort((a, b) => b.ms - a.ms).slice(0, 8))
await ranking.stop()
await searcher.close()

// --- Over HTTP

const headers = { 'X-API-Key': unlimitedKey(dataFolder) }
const server = await startService(dataFolder)
const paths = requests.map(({ text, destination: place, tripType, categories, languages, limit }) => {
  const params = new URLSearchParams({ query: text, size: String(limit), version: '1' })
  if (place && 'geoName' in place) params.set('geo_name', place.geoName)
  if (place && 'centre' in place) {
    params.set('lat', String(place.centre.latitude))
    params.set('lon', String(place.centre.longitude))
    params.set('radius', String(place.radiusKm))
    params.set('unit', 'km')
  }
  if (tripType) params.set('trip_type', tripType)
  for (const category of categories ?? []) params.append('category', category)
  if (languages.length > 0) params.set('locale', languages.join())
  return `/recommendations/search?${params}`
})
while ((await fetch(server.url + paths[0]!, { headers })).status === 503)
  await new Promise(done => setTimeout(done, 100))
const rounds = Number(flag('rounds', '3'))
const statuses = new Map<number, number>()
const httpTimes: number[] = []
const overHttp = await timed(rounds * paths.length, async i => {
  const from = performance.now()
  const response = await fetch(server.url + paths[i % paths.length]!, { headers })
  await response.arrayBuffer()
  httpTimes[i] = performance.now() - from
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
})
console.table([
  {
    'over HTTP, ms': 'recommendations',
    ...overHttp,
    'p99 of fastest rounds': p99OfFastest(httpTimes),
    statuses: JSON.stringify([...statuses]),
  },
])
await server.stop()
