/**
 * What limits, journal, fold and headers cost: GET /locations/{id} and multi-GET of the service as it is beside the
 * same service without them (peers/unmetered.ts), in alternating rounds on the same core. The fold runs all the while,
 * in the same process and on the same core, and is in the figures.
 *   npm run bench -- limits-http [--places FILE] [--data DIR] [--seconds 4] [--rounds 5] [--connections 16] [--only single,multi]
 */
import { flag, median, seededRandom } from './load/figures.ts'
import { boundlessKey, folderWith, periplus, samplePlaces } from './load/folder.ts'
import { generateLoad, type Load } from './load/generate.ts'
import { type Server, startServer } from './load/processes.ts'

const seconds = Number(flag('seconds', '4'))
const rounds = Number(flag('rounds', '5'))
const connections = Number(flag('connections', '16'))

const { folder, places } = folderWith(flag('places', samplePlaces), flag('data', ''))
const headers = { 'X-API-Key': boundlessKey(folder) }
const random = seededRandom(1)
const anyId = () => 1 + Math.floor(random() * places)
const list = (count: number, make: () => string) => Array.from({ length: count }, make)
const mixes: Record<string, string[]> = {
  single: list(20_000, () => `/locations/${anyId()}?version=1`),
  multi: list(20_000, () => `/locations?ids=${Array.from({ length: 20 }, anyId).join(',')}&version=1`),
}

const on = await startServer([...periplus, 'serve', '--data', folder, '--port', '0'], { quietLog: true })
const off = await startServer([process.execPath, new URL('peers/unmetered.ts', import.meta.url).pathname, folder], {
  quietLog: true,
})

interface Measured extends Load {
  readonly cpuUs: number
}

async function measure(server: Server, paths: readonly string[], forSeconds = seconds): Promise<Measured> {
  const before = server.cpuMs()
  const load = await generateLoad({ url: server.url, paths, headers, seconds: forSeconds, connections })
  // What the fold still has to do belongs to the round, too: it runs every second.
  await new Promise(resolve => setTimeout(resolve, 1200))
  return { ...load, cpuUs: ((server.cpuMs() - before) * 1000) / load.requests }
}

const rows = []
for (const name of flag('only', Object.keys(mixes).join(',')).split(',')) {
  const paths = mixes[name]!
  for (const server of [on, off]) await measure(server, paths, 2)
  const pairs: { on: Measured; off: Measured }[] = []
  for (let round = 0; round < rounds; round++) {
    // Whoever goes first changes with every round.
    const first = round % 2 === 0 ? await measure(on, paths) : undefined
    const without = await measure(off, paths)
    pairs.push({ on: first ?? (await measure(on, paths)), off: without })
  }
  const of = (pick: (pair: { on: Measured; off: Measured }) => number) => median(pairs.map(pick))
  rows.push({
    mix: name,
    'on req/s': Math.round(of(p => p.on.perSecond)),
    'off req/s': Math.round(of(p => p.off.perSecond)),
    'lost %': Number((100 * (1 - of(p => p.on.perSecond / p.off.perSecond))).toFixed(1)),
    // By processor time: what remains true on a machine that others use, too.
    'lost % of cpu': Number((100 * (1 - of(p => p.off.cpuUs) / of(p => p.on.cpuUs))).toFixed(1)),
    'on cpu µs': Number(of(p => p.on.cpuUs).toFixed(1)),
    'off cpu µs': Number(of(p => p.off.cpuUs).toFixed(1)),
    'on p99 ms': Number(of(p => p.on.p99Ms).toFixed(2)),
    'off p99 ms': Number(of(p => p.off.p99Ms).toFixed(2)),
    errors: pairs.reduce((sum, p) => sum + p.on.errors + p.off.errors, 0),
  })
  console.error(rows.at(-1))
}
console.table(rows)
await Promise.all([on.stop(), off.stop()])
