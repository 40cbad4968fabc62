/**
 * What 5,000 connections that send their headers slowly (slowhttptest -H) do to good requests: GET /locations/{id} at a
 * steady pace, calm and under them.
 *   npm run bench -- slow-headers [--connections 5000] [--seconds 15] [--rounds 3] [--pace 200]
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { flag, median, seededRandom } from './load/figures.ts'
import { boundlessKey, folderWith, periplus, samplePlaces } from './load/folder.ts'
import { type Paced, pacedLoad } from './load/paced.ts'
import { onCore, startServer } from './load/processes.ts'

if (spawnSync('slowhttptest', ['-h']).error !== undefined) {
  console.log('slowhttptest is not installed (Debian: apt-get install slowhttptest): this benchmark is left out.')
  process.exit(0)
}

const connections = Number(flag('connections', '5000'))
const seconds = Number(flag('seconds', '15'))
const rounds = Number(flag('rounds', '3'))
/** Good requests a second. */
const pace = Number(flag('pace', '200'))
/** New slow connections a second. */
const perSecond = 500
/** Until about 2,000 of them stand. */
const risingMs = 4000

const { folder, places } = folderWith(samplePlaces)
const headers = { 'X-API-Key': boundlessKey(folder) }
const random = seededRandom(1)
const paths = Array.from({ length: 20_000 }, () => `/locations/${1 + Math.floor(random() * places)}?version=1`)
const server = await startServer([...periplus, 'serve', '--data', folder, '--port', '0'], { quietLog: true })
const good = () => pacedLoad({ url: server.url, paths, headers, seconds, perSecond: pace })

interface Attacked extends Paced {
  /** The most that were open at once, and how many the server had closed by the end. */
  readonly open: number
  readonly closed: number
}

async function attacked(): Promise<Attacked> {
  const lasting = String(Math.ceil(risingMs / 1000) + seconds)
  const args = [
    '-c',
    connections,
    '-H',
    '-r',
    perSecond,
    '-l',
    lasting,
    '-i',
    10,
    '-p',
    3,
    '-u',
    `${server.url}/locations/1`,
  ]
  const slow = onCore(1, ['slowhttptest', ...args.map(String)])
  const child = spawn(slow[0]!, slow.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = ''
  child.stdout.on('data', part => {
    told += part
  })
  const ended = once(child, 'close')
  await wait(risingMs)
  const load = await good()
  await ended
  const figures = (name: string) =>
    [...told.matchAll(new RegExp(`${name}:\\D*?(?:\\x1b\\[[\\d;]*m)*\\s*(\\d+)`, 'g'))].map(match => Number(match[1]))
  return { ...load, open: Math.max(0, ...figures('connected')), closed: Math.max(0, ...figures('closed')) }
}

await good()
const rows = []
for (let round = 0; round < rounds; round++) {
  const calm = await good()
  const under = await attacked()
  rows.push({
    'calm p50 ms': calm.p50Ms,
    'p50 ms': under.p50Ms,
    'calm p99 ms': calm.p99Ms,
    'p99 ms': under.p99Ms,
    ratio: Number((under.p99Ms / calm.p99Ms).toFixed(2)),
    'slow ones open': under.open,
    closed: under.closed,
    errors: calm.errors + under.errors,
  })
}
console.table(rows)
console.log(`p99 under slow clients: ${median(rows.map(row => row.ratio))} times the calm one (at most 2)`)
await server.stop()
