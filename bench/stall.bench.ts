/**
 * Measures how long hostile searches hold up the serving thread: the CPU time of the longest turn of its event loop,
 * which does not depend on the load of the machine, and the latency of GET /locations/{id} at a fixed pace meanwhile,
 * alternated with a floor of ordinary reads.
 *   npm run bench -- stall [--places FILE] [--data DIR] [--rounds 5] [--seconds 4] [--rate 200]
 * Each query is sent `rounds` times, sequentially, first by a process whose code V8 has not optimised yet. FILE is as
 * for `search`; with DIR, the service uses the places of that data folder.
 */
import { get } from 'node:http'
import { Worker } from 'node:worker_threads'
import { findConfigErrors } from '../packages/server/src/compose/configuration.ts'
import { composeServer } from '../packages/server/src/compose/server.ts'
import { loadConfig } from '../packages/server/src/config/load.ts'
import { flag, median } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings } from './load/generate.ts'
import type { Paced, PacedOptions } from './load/paced.ts'
import { hostileQueries } from './search/hostile-queries.ts'

const rounds = Number(flag('rounds', '5'))
const seconds = Number(flag('seconds', '4'))
const perSecond = Number(flag('rate', '200'))

const folder = flag('data', '') || folderWith(flag('places', samplePlaces)).folder
/** Places that are read have the ids from 1 up to this number. */
const ids = 1000
const headers = { 'X-API-Key': unlimitedKey(folder, ['recommendations']), ...clientCodings }
const { config } = loadConfig({
  defaultFile: '',
  env: {},
  flags: { data: folder, 'server.port': 0, 'server.logLevel': 'silent', 'feeds.schedule': 'manual' },
  check: findConfigErrors,
})
const service = await composeServer(config, { demo: false })
const url = new URL(await service.listen()).origin

/** Longest turn of the event loop since the last call, in milliseconds of CPU time of this thread. */
const longestTurn = (() => {
  const cpuUs = () => {
    const { user, system } = process.threadCpuUsage()
    return user + system
  }
  let [last, longest] = [cpuUs(), 0]
  const measure = () => {
    const now = cpuUs()
    longest = Math.max(longest, now - last)
    last = now
    setImmediate(measure).unref()
  }
  measure()
  return () => {
    const ms = longest / 1000
    longest = 0
    return ms
  }
})()

/** Sends a request and returns its status, without reading more of the body than necessary. */
const statusOf = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url + path, { headers }, response => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    }).on('error', reject)
  })

while ((await statusOf(hostileQueries[0]![1])) === 503) await new Promise(done => setTimeout(done, 100))

const toMs = (ms: number) => Number(ms.toFixed(1))
const floors: number[] = []
const rows: object[] = []
for (const [name, path] of hostileQueries) {
  const turns: number[] = []
  const times: number[] = []
  let status = 0
  for (let i = 0; i < rounds; i++) {
    await statusOf(`/locations/${1 + ((i * 7919) % ids)}`)
    floors.push(longestTurn())
    const startMs = performance.now()
    status = await statusOf(path)
    times.push(performance.now() - startMs)
    turns.push(longestTurn())
  }
  rows.push({
    query: name,
    status,
    'first turn, ms': toMs(turns[0]!),
    'longest turn, ms': toMs(Math.max(...turns)),
    'median turn, ms': toMs(median(turns)),
    'answered in, ms': toMs(median(times)),
  })
}
console.table(rows)
console.table([
  {
    'longest turn of a read, ms': toMs(Math.max(...floors.slice(rounds))),
    'longest turn of a query, ms': Math.max(...rows.map(row => (row as Record<string, number>)['longest turn, ms']!)),
  },
])

// --- Reads from another thread at a fixed pace, while hostile queries run and while they do not

const readPaths = Array.from({ length: 2000 }, (_, i) => `/locations/${1 + ((i * 7919) % ids)}?version=1`)
const readsInThread = (options: PacedOptions): Promise<Paced> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./search/paced-thread.ts', import.meta.url), { workerData: options })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
const reads: object[] = []
for (let round = 0; round < 6; round++) {
  const state = { ended: false }
  const hostile = async () => {
    for (let i = 0; !state.ended; i++) await statusOf(hostileQueries[i % hostileQueries.length]![1])
  }
  const isHostile = round % 2 === 1
  const load = isHostile ? [hostile(), hostile()] : []
  const { p50Ms, p99Ms, maxMs, errors } = await readsInThread({ url, paths: readPaths, headers, seconds, perSecond })
  state.ended = true
  await Promise.all(load)
  reads.push({ 'locations/{id}': isHostile ? 'during hostile queries' : 'alone', p50Ms, p99Ms, maxMs, errors })
}
console.table(reads)
await service.drain()
