/**
 * Measures the cost of limits, journal, fold and headers: GET /locations/{id} and GET /locations?ids= of the service,
 * compared with the same service without them (peers/unmetered.ts), in alternating rounds on the same core. The figures
 * include the fold, which runs in the same process and on the same core. The coded mixes have the Accept-Encoding of
 * real clients. Each mix begins with a warm-up: while V8 compiles, which takes seconds of load, the service with more
 * code has the higher figures.
 *   npm run bench -- limits-http [--places FILE] [--data DIR] [--seconds 4] [--rounds 5] [--connections 16]
 *                              [--warm-up 8] [--only single,multi,single-coded,multi-coded]
 */
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag, median } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad, type Load } from './load/generate.ts'
import { type Server, startServer } from './load/processes.ts'
import { startService } from './load/service.ts'

const seconds = Number(flag('seconds', '4'))
const rounds = Number(flag('rounds', '5'))
const connections = Number(flag('connections', '16'))
const warmUpSeconds = Number(flag('warm-up', '8'))

const { folder, places } = folderWith(flag('places', samplePlaces), flag('data', ''))
const key = { 'X-API-Key': unlimitedKey(folder) }
const random = createRandom(1)
const anyId = () => 1 + Math.floor(random() * places)
const list = (count: number, make: () => string) => Array.from({ length: count }, make)
const single = list(20_000, () => `/locations/${anyId()}?version=1`)
const multi = list(20_000, () => `/locations?ids=${Array.from({ length: 20 }, anyId).join(',')}&version=1`)
const mixes: Record<string, Mix> = {
  single: { paths: single, headers: key },
  multi: { paths: multi, headers: key },
  'single-coded': { paths: single, headers: { ...key, ...clientCodings } },
  'multi-coded': { paths: multi, headers: { ...key, ...clientCodings } },
}

const metered = await startService(folder)
const unmetered = await startServer(
  [process.execPath, new URL('peers/unmetered.ts', import.meta.url).pathname, folder],
  {
    quietLog: true,
  },
)

interface Measured extends Load {
  readonly cpuUs: number
}

interface Mix {
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

async function measure(server: Server, mix: Mix, forSeconds = seconds): Promise<Measured> {
  const before = server.cpuMs()
  const load = await generateLoad({ url: server.url, ...mix, seconds: forSeconds, connections })
  // The fold of these calls runs within the next second and belongs to them.
  await new Promise(resolve => setTimeout(resolve, 1200))
  return { ...load, cpuUs: ((server.cpuMs() - before) * 1000) / load.requests }
}

const rows = []
for (const name of flag('only', Object.keys(mixes).join(',')).split(',')) {
  const mix = mixes[name]!
  for (const server of [metered, unmetered]) await measure(server, mix, warmUpSeconds)
  const pairs: { metered: Measured; unmetered: Measured }[] = []
  for (let round = 0; round < rounds; round++) {
    // The service that is measured first alternates.
    const first = round % 2 === 0 ? await measure(metered, mix) : undefined
    const without = await measure(unmetered, mix)
    pairs.push({ metered: first ?? (await measure(metered, mix)), unmetered: without })
  }
  const medianOf = (pick: (pair: { metered: Measured; unmetered: Measured }) => number) => median(pairs.map(pick))
  rows.push({
    mix: name,
    'metered req/s': Math.round(medianOf(p => p.metered.perSecond)),
    'unmetered req/s': Math.round(medianOf(p => p.unmetered.perSecond)),
    'loss %': Number((100 * (1 - medianOf(p => p.metered.perSecond / p.unmetered.perSecond))).toFixed(1)),
    // CPU time is meaningful on a machine that runs other programs, too.
    'loss % of cpu': Number((100 * (1 - medianOf(p => p.unmetered.cpuUs) / medianOf(p => p.metered.cpuUs))).toFixed(1)),
    'metered cpu µs': Number(medianOf(p => p.metered.cpuUs).toFixed(1)),
    'unmetered cpu µs': Number(medianOf(p => p.unmetered.cpuUs).toFixed(1)),
    'metered p99 ms': Number(medianOf(p => p.metered.p99Ms).toFixed(2)),
    'unmetered p99 ms': Number(medianOf(p => p.unmetered.p99Ms).toFixed(2)),
    errors: pairs.reduce((sum, p) => sum + p.metered.errors + p.unmetered.errors, 0),
  })
  console.error(rows.at(-1))
}
console.table(rows)
await Promise.all([metered.stop(), unmetered.stop()])
