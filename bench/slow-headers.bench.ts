/**
 * Measures the effect of 5,000 connections that send their headers slowly (slowhttptest -H) on regular requests:
 * latencies of GET /locations/{id} at a fixed pace, without and during the attack. Needs slowhttptest.
 *   npm run bench -- slow-headers [--connections 5000] [--seconds 15] [--rounds 3] [--pace 200]
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag, median } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings } from './load/generate.ts'
import { type Paced, pacedLoad } from './load/paced.ts'
import { onCore } from './load/processes.ts'
import { startService } from './load/service.ts'

if (spawnSync('slowhttptest', ['-h']).error !== undefined) {
  console.log('slowhttptest is not installed (Debian: apt-get install slowhttptest). The benchmark is skipped.')
  process.exit(0)
}

const connections = Number(flag('connections', '5000'))
const seconds = Number(flag('seconds', '15'))
const rounds = Number(flag('rounds', '3'))
/** Regular requests per second. */
const pace = Number(flag('pace', '200'))
/** New slow connections per second. */
const newPerSecond = 500
/** Time until about 2,000 of them are open. */
const rampUpMs = 4000

const { folder, places } = folderWith(samplePlaces)
const headers = { 'X-API-Key': unlimitedKey(folder), ...clientCodings }
const random = createRandom(1)
const paths = Array.from({ length: 20_000 }, () => `/locations/${1 + Math.floor(random() * places)}?version=1`)
const server = await startService(folder)
const regularLoad = () => pacedLoad({ url: server.url, paths, headers, seconds, perSecond: pace })

interface Attacked extends Paced {
  /** Maximum number of slow connections open at once. */
  readonly open: number
  /** Number of slow connections that the server had closed by the end. */
  readonly closed: number
}

/** Measures the regular load during an attack. */
async function measureAttacked(): Promise<Attacked> {
  const durationSeconds = String(Math.ceil(rampUpMs / 1000) + seconds)
  const args = [
    '-c',
    connections,
    '-H',
    '-r',
    newPerSecond,
    '-l',
    durationSeconds,
    '-i',
    10,
    '-p',
    3,
    '-u',
    `${server.url}/locations/1`,
  ]
  const slow = onCore(1, ['slowhttptest', ...args.map(String)])
  const child = spawn(slow[0]!, slow.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', part => {
    output += part
  })
  const ended = once(child, 'close')
  await wait(rampUpMs)
  const load = await regularLoad()
  await ended
  const figures = (name: string) =>
    [...output.matchAll(new RegExp(`${name}:\\D*?(?:\\x1b\\[[\\d;]*m)*\\s*(\\d+)`, 'g'))].map(match => Number(match[1]))
  return { ...load, open: Math.max(0, ...figures('connected')), closed: Math.max(0, ...figures('closed')) }
}

await regularLoad()
const rows = []
for (let round = 0; round < rounds; round++) {
  const idle = await regularLoad()
  const under = await measureAttacked()
  rows.push({
    'idle p50 ms': idle.p50Ms,
    'p50 ms': under.p50Ms,
    'idle p99 ms': idle.p99Ms,
    'p99 ms': under.p99Ms,
    ratio: Number((under.p99Ms / idle.p99Ms).toFixed(2)),
    'slow connections open': under.open,
    closed: under.closed,
    errors: idle.errors + under.errors,
  })
}
console.table(rows)
console.log(
  `p99 with slow clients: ${median(rows.map(row => row.ratio))} times the p99 without them (should be at most 2)`,
)
await server.stop()
