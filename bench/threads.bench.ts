/**
 * Measures the CPU time of a request with one and with two serving threads (server.threads), in alternating rounds over
 * copies of one data folder. With idle cores, two threads serve more requests per second; the load generator needs a
 * core of its own. Each thread compiles its own code, so that the warm-up is long: with two seconds, compiling is a
 * tenth of what is measured with two threads.
 *   npm run bench -- threads [--places FILE] [--data DIR] [--seconds 4] [--rounds 5] [--connections 32] [--threads 2]
 *                          [--warm-up 12]
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag, median } from './load/figures.ts'
import { folderWith, periplus, samplePlaces, unlimitedKey } from './load/folder.ts'
import { generateLoad } from './load/generate.ts'
import { type Server, startServer } from './load/processes.ts'
import { findFreePort } from './load/service.ts'

const seconds = Number(flag('seconds', '4'))
const rounds = Number(flag('rounds', '5'))
const connections = Number(flag('connections', '32'))
const threads = flag('threads', '2')
const warmUpSeconds = Number(flag('warm-up', '12'))

const { folder, places } = folderWith(flag('places', samplePlaces), flag('data', ''))
const headers = { 'X-API-Key': unlimitedKey(folder) }
const random = createRandom(1)
const paths = Array.from({ length: 20_000 }, () => `/locations/${1 + Math.floor(random() * places)}?version=1`)
const copy = mkdtempSync(join(tmpdir(), 'periplus-bench-threads-'))
cpSync(folder, copy, { recursive: true })

async function start(data: string, count: string): Promise<Server> {
  const port = String(await findFreePort())
  return startServer([...periplus, 'serve', '--data', data, '--port', port, '--threads', count], { quietLog: true })
}

const services = [await start(folder, '1'), await start(copy, threads)] as const

async function measure(server: Server, forSeconds = seconds) {
  const before = server.cpuMs()
  const load = await generateLoad({ url: server.url, paths, headers, seconds: forSeconds, connections })
  // The fold of these calls runs within the next second and belongs to them.
  await new Promise(resolve => setTimeout(resolve, 1200))
  return { ...load, cpuUs: ((server.cpuMs() - before) * 1000) / load.requests }
}

for (const server of services) await measure(server, warmUpSeconds)
const measured = services.map((): Awaited<ReturnType<typeof measure>>[] => [])
for (let round = 0; round < rounds; round++) {
  // The service that is measured first alternates.
  for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) measured[i]!.push(await measure(services[i]!))
}
console.table(
  measured.map((loads, i) => ({
    threads: i === 0 ? 1 : Number(threads),
    'req/s': Math.round(median(loads.map(({ perSecond }) => perSecond))),
    'cpu µs': Number(median(loads.map(({ cpuUs }) => cpuUs)).toFixed(1)),
    'best cpu µs': Number(Math.min(...loads.map(({ cpuUs }) => cpuUs)).toFixed(1)),
    'p99 ms': Number(median(loads.map(({ p99Ms }) => p99Ms)).toFixed(2)),
    errors: loads.reduce((sum, { errors }) => sum + errors, 0),
  })),
)
await Promise.all(services.map(server => server.stop()))
rmSync(copy, { recursive: true, force: true })
