/**
 * Compares requests per second of GET /locations/{id} and GET /locations?ids= with a bare node:http server on the same
 * core.
 *   npm run bench -- http [--places FILE] [--data DIR] [--seconds 5] [--rounds 3] [--connections 16] [--version 1]
 *                         [--only hot,uniform,multi-hot,multi-uniform]
 * The ids are drawn from 20,000 places (hot) or from all (uniform); a multi request has 20. Each mix is sent without
 * Accept-Encoding and with that of browsers and HTTP libraries.
 */
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag, median } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad, type Load } from './load/generate.ts'
import { type Server, startServer } from './load/processes.ts'
import { startService } from './load/service.ts'

const seconds = Number(flag('seconds', '5'))
const rounds = Number(flag('rounds', '3'))
const connections = Number(flag('connections', '16'))
const version = flag('version', '1')

const { folder, places } = folderWith(flag('places', samplePlaces), flag('data', ''))
const key = { 'X-API-Key': unlimitedKey(folder) }
const random = createRandom(1)
const anyId = () => 1 + Math.floor(random() * places)
const hotIds = Array.from({ length: 20_000 }, anyId)
const hotId = () => hotIds[Math.floor(random() * hotIds.length)]!
const paths = (count: number, make: () => string) => Array.from({ length: count }, make)
const twenty = (id: () => number) => Array.from({ length: 20 }, id).join(',')

const mixes: Record<string, string[]> = {
  hot: hotIds.map(id => `/locations/${id}?version=${version}`),
  uniform: paths(places, () => `/locations/${anyId()}?version=${version}`),
  'multi-hot': paths(20_000, () => `/locations?ids=${twenty(hotId)}&version=${version}`),
  'multi-uniform': paths(50_000, () => `/locations?ids=${twenty(anyId)}&version=${version}`),
}
const only = flag('only', Object.keys(mixes).join(',')).split(',')

const bare = await startServer([process.execPath, new URL('peers/bare-http.ts', import.meta.url).pathname])
const ours = await startService(folder)

interface Measured extends Load {
  readonly cpuUs: number
}

async function measure(server: Server, list: readonly string[], codings: object): Promise<Measured> {
  const before = server.cpuMs()
  const headers = { ...key, ...codings }
  const load = await generateLoad({ url: server.url, paths: list, headers, seconds, connections })
  return { ...load, cpuUs: ((server.cpuMs() - before) * 1000) / load.requests }
}

const runs = only.flatMap(name => [
  { name, list: mixes[name]!, codings: {} },
  { name: `${name}, gzip or br`, list: mixes[name]!, codings: clientCodings },
])
const rows = []
for (const { name, list, codings } of runs) {
  await measure(ours, list, codings)
  const pairs: { bare: Measured; ours: Measured }[] = []
  for (let round = 0; round < rounds; round++)
    pairs.push({ bare: await measure(bare, list, codings), ours: await measure(ours, list, codings) })
  const medianOf = (pick: (pair: { bare: Measured; ours: Measured }) => number) => median(pairs.map(pick))
  rows.push({
    mix: name,
    'req/s': Math.round(medianOf(p => p.ours.perSecond)),
    'bare req/s': Math.round(medianOf(p => p.bare.perSecond)),
    ratio: Number(medianOf(p => p.ours.perSecond / p.bare.perSecond).toFixed(3)),
    'cpu µs': Number(medianOf(p => p.ours.cpuUs).toFixed(1)),
    'bare cpu µs': Number(medianOf(p => p.bare.cpuUs).toFixed(1)),
    p50_ms: Number(medianOf(p => p.ours.p50Ms).toFixed(2)),
    p99_ms: Number(medianOf(p => p.ours.p99Ms).toFixed(2)),
    errors: pairs.reduce((sum, p) => sum + p.ours.errors + p.bare.errors, 0),
    rss_mb: Math.round(ours.residentBytes() / 1e6),
  })
  console.table(rows.at(-1))
}
console.table(rows)
await Promise.all([bare.stop(), ours.stop()])
