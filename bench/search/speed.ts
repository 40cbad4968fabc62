/**
 * Measures an index in process: mixed queries of all classes, and nearby queries. On a busy machine, compare the CPU
 * time of the thread, which other processes disturb less than the time that passes.
 *   node bench/search/speed.ts PLACES.ndjson[.gz] INDEX [--queries 6000] [--seed 1] [--slowest 0]
 *     [--by-class]
 * `--slowest` prints that many of the slowest queries, `--by-class` the times of each class with its ten slowest queries.
 * These include beginnings of names of one and two letters, and kinds, with and without a location bias.
 */
import { parseArgs } from 'node:util'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { Budget } from '../../packages/server/src/search/index/budget.ts'
import { loadIndex } from '../../packages/server/src/search/index/file.ts'
import { viewOfIndex } from '../../packages/server/src/search/index/index-view.ts'
import { nearbyPlaces } from '../../packages/server/src/search/query/nearby-places.ts'
import { searchPlaces } from '../../packages/server/src/search/query/search-places.ts'
import { type Known, known } from './classes/known.ts'
import { nameClasses } from './classes/names.ts'
import type { Makers, Trial } from './classes/trial.ts'
import { readPlaces } from './flat-places.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    queries: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    slowest: { type: 'string', default: '0' },
    'by-class': { type: 'boolean', default: false },
  },
})
const loaded = loadIndex(positionals[1]!)
if (loaded.outcome !== 'loaded') throw new Error(`The index could not be loaded: ${loaded.outcome}.`)
const view = viewOfIndex(loaded.index)
const places: Known[] = []
for await (const place of readPlaces(positionals[0]!)) if (place.source !== 'generated') places.push(known(place))

const random = createRandom(Number(values.seed))
/** Classes of queries that many places match; the classes of quality have few of them. */
const broadClasses = (): Makers => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const grade = () => ({ first: 1, five: 1 })
  const kinds = ['hotel', 'museum ', 'restaurants', 'railway station', 'cafe', 'bars', 'airport', 'beach', 'park']
  const prefix = (length: number) => () => ({ text: pick(places).folded.slice(0, length), grade })
  const near = (make: () => Trial) => () => ({ ...make(), near: pick(places) })
  const open = (make: () => Trial) => () => ({ ...make(), categories: ['GEO', 'ATTRACTION'] as const })
  const kind = () => ({ text: pick(kinds), grade })
  return {
    'one letter': prefix(1),
    'two letters': prefix(2),
    'one letter, bias': near(prefix(1)),
    'two letters, bias': near(prefix(2)),
    'one letter, filter': open(prefix(1)),
    'two letters, filter': open(prefix(2)),
    kind,
    'kind, bias': near(kind),
    'kind, filter': open(kind),
  }
}
const makers = Object.entries({ ...nameClasses(places, random), ...(values['by-class'] && broadClasses()) })
const count = Number(values.queries)
const unlimited = Budget.unlimited()
const searches = Array.from({ length: count }, (_, i) => {
  const [name, make] = makers[i % makers.length]!
  const { text, near, geoName, categories } = make()
  const options = {
    ...(near && { near }),
    ...(geoName !== undefined && { geoName }),
    ...(categories && { categories }),
  }
  return { name, query: { text, ...options, offset: 0, limit: 10 } }
})
const lookups = Array.from({ length: count }, () => {
  const { latitude, longitude } = places[Math.floor(random() * places.length)]!
  const sort = random() < 0.5 ? ('distance' as const) : ('rating' as const)
  return { within: { centre: { latitude, longitude }, radiusKm: 8.04672 }, sort, offset: 0, limit: 10 }
})

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function measure(name: string, run: (i: number) => void, label: (i: number) => string) {
  for (let i = 0; i < count; i++) run(i)
  const times: { ms: number; i: number }[] = []
  const cpuTimes: { ms: number; i: number }[] = []
  const start = performance.now()
  for (let i = 0; i < count; i++) {
    const [from, cpuFrom] = [performance.now(), cpuMs()]
    run(i)
    cpuTimes.push({ ms: cpuMs() - cpuFrom, i })
    times.push({ ms: performance.now() - from, i })
  }
  const seconds = (performance.now() - start) / 1000
  cpuTimes.sort((a, b) => b.ms - a.ms)
  for (const { ms, i } of cpuTimes.slice(0, Number(values.slowest))) console.log(ms.toFixed(2), label(i))
  if (values['by-class'] && name === 'search') {
    const classes = makers.map(([kind]) => ({ kind, ofClass: cpuTimes.filter(({ i }) => searches[i]!.name === kind) }))
    for (const { kind, ofClass } of classes)
      for (const { ms, i } of ofClass.slice(0, 10)) console.log(kind, ms.toFixed(2), label(i))
    console.table(classes.map(({ kind, ofClass }) => row(`${kind}, CPU`, ofClass)))
  }
  return [row(`${name}, time`, times, seconds), row(`${name}, CPU`, cpuTimes)]
}

function row(name: string, times: readonly { readonly ms: number }[], seconds?: number) {
  const count = times.length
  const sorted = times.map(({ ms }) => ms).sort((a, b) => b - a)
  const quantile = (share: number) => Number(sorted[Math.max(0, Math.ceil(count * (1 - share)) - 1)]!.toFixed(3))
  return {
    'queries, ms': name,
    mean: Number((sorted.reduce((sum, ms) => sum + ms, 0) / count).toFixed(3)),
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    'p99.9': quantile(0.999),
    max: quantile(1),
    ...(seconds !== undefined && { perSecond: Math.round(count / seconds) }),
  }
}
console.table([
  ...measure(
    'search',
    i => searchPlaces(view, searches[i]!.query, unlimited),
    i => JSON.stringify(searches[i]),
  ),
  ...measure(
    'nearby',
    i => nearbyPlaces(view, lookups[i]!, unlimited),
    i => JSON.stringify(lookups[i]),
  ),
])
