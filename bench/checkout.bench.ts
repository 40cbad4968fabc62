/**
 * Compares this checkout with another one (the parent commit, a release) in alternating rounds: requests per second and
 * CPU time per request of reads and searches, and wall time and CPU time of an import. Each checkout serves its own
 * data folder.
 *   npm run bench -- checkout --other DIR [--places FILE] [--seconds 4] [--rounds 7] [--connections 16]
 *                             [--only single,single-coded,hot,multi,search,nearby,import]
 * DIR is a checkout with its dependencies installed. Prints medians, and the median of the ratios of each pair of
 * rounds.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag, median } from './load/figures.ts'
import { samplePlaces } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startServer } from './load/processes.ts'
import { findFreePort } from './load/service.ts'

const other = flag('other', '')
if (other === '') {
  console.error('The other checkout is missing. Run npm run bench -- checkout --other DIR.')
  process.exit(2)
}
const seconds = Number(flag('seconds', '4'))
const rounds = Number(flag('rounds', '7'))
const connections = Number(flag('connections', '16'))
const places = resolve(flag('places', samplePlaces))
const only = flag('only', 'single,single-coded,hot,multi,search,nearby,import').split(',')

/** A checkout and its command line. */
class Checkout {
  readonly command: readonly string[]
  readonly folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  readonly port: number
  /** Packed bodies hold the address of the service: imports make them for the one that is measured. */
  readonly env: NodeJS.ProcessEnv

  constructor(root: string, port: number) {
    this.port = port
    this.env = { ...process.env, PERIPLUS_SERVER_PUBLIC_URL: `http://127.0.0.1:${port}` }
    this.command = [process.execPath, join(root, 'packages/server/src/cli/main.ts')]
  }

  /** Runs a command with `--json` and returns its result. */
  run<T>(...args: string[]): T {
    const [program, ...first] = this.command
    const { status, stdout, stderr } = spawnSync(program!, [...first, ...args, '--json'], {
      encoding: 'utf8',
      env: this.env,
    })
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout) as T
  }

  /** Imports the places into an empty folder; returns wall time and CPU time in milliseconds. */
  timeImport(): { wallMs: number; cpuMs: number } {
    const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
    const startMs = performance.now()
    const [program, ...first] = this.command
    const timed = spawnSync(
      '/bin/sh',
      ['-c', '"$@" >/dev/null 2>&1; times', 'sh', program!, ...first, 'import', places, '--data', folder],
      { encoding: 'utf8', env: this.env },
    )
    const wallMs = performance.now() - startMs
    rmSync(folder, { recursive: true })
    return { wallMs, cpuMs: cpuOfChildren(timed.stdout) }
  }
}

/** Reads the second line of the shell's `times`: user and system time of its children, in milliseconds. */
function cpuOfChildren(times: string): number {
  const [user = 0, system = 0] = [...(times.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, secs]) => (Number(minutes) * 60 + Number(secs)) * 1000,
  )
  return user + system
}

const checkouts = {
  this: new Checkout(join(import.meta.dirname, '..'), await findFreePort()),
  other: new Checkout(resolve(other), await findFreePort()),
}
type Side = keyof typeof checkouts
const sides = ['this', 'other'] as const

const limits = ['--rate', '1000000', '--burst', '1000000', '--search-rate', '1000000', '--search-burst', '1000000']
const unlimited = ['--package', 'transform', '--quota', 'unlimited', '--search-quota', 'unlimited', ...limits]

/** Imports the places, creates a key without limits, and starts the service. */
async function serve(side: Side) {
  const checkout = checkouts[side]
  const { added } = checkout.run<{ added: number }>('import', places, '--data', checkout.folder)
  const { key } = checkout.run<{ key: string }>('keys', 'create', '--data', checkout.folder, ...unlimited)
  const command = [...checkout.command, 'serve', '--data', checkout.folder, '--port', String(checkout.port)]
  return {
    added,
    headers: { 'X-API-Key': key },
    server: await startServer(command, { quietLog: true, env: checkout.env }),
  }
}

const services = { this: await serve('this'), other: await serve('other') }
const count = Math.min(services.this.added, services.other.added)
const random = createRandom(1)
const anyId = () => 1 + Math.floor(random() * count)
const paths = (make: () => string) => Array.from({ length: 10_000 }, make)
const words = [
  'museum',
  'hotel roma',
  'prado',
  'restaurants in paris',
  'berlin hauptbahnhof',
  'tokyo',
  'starbucks',
  'louvr',
]
const mixes: Record<string, string[]> = {
  single: paths(() => `/locations/${anyId()}?version=1`),
  'single-coded': paths(() => `/locations/${anyId()}?version=1`),
  hot: ['/locations/1?version=1'],
  multi: paths(() => `/locations?ids=${Array.from({ length: 20 }, anyId).join(',')}&version=1`),
  search: paths(
    () => `/locations/search?query=${encodeURIComponent(words[Math.floor(random() * words.length)]!)}&version=1`,
  ),
  nearby: paths(
    () =>
      `/locations/nearby?lat=${(30 + random() * 25).toFixed(3)}&lon=${(random() * 60 - 10).toFixed(3)}&radius=20&version=1`,
  ),
}

async function measure(side: Side, name: string, forSeconds = seconds) {
  const { server, headers: key } = services[side]
  const headers = name === 'single-coded' ? { ...key, ...clientCodings } : key
  const before = server.cpuMs()
  const load = await generateLoad({ url: server.url, paths: mixes[name]!, headers, seconds: forSeconds, connections })
  // The fold of these calls runs within the next second and belongs to them.
  await new Promise(done => setTimeout(done, 1200))
  return { perSecond: load.perSecond, cpuUs: ((server.cpuMs() - before) * 1000) / load.requests }
}

/** Measures both sides in each round; the side that goes first alternates. */
async function alternate<T>(measureOne: (side: Side) => Promise<T> | T): Promise<Record<Side, T>[]> {
  const pairs: Record<Side, T>[] = []
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? sides : [...sides].reverse()
    const pair: Partial<Record<Side, T>> = {}
    for (const side of order) pair[side] = await measureOne(side)
    pairs.push(pair as Record<Side, T>)
  }
  return pairs
}

const rows: Record<string, string | number>[] = []
for (const name of Object.keys(mixes).filter(name => only.includes(name))) {
  for (const side of sides) await measure(side, name, 2)
  const pairs = await alternate(side => measure(side, name))
  const medianOf = (pick: (pair: (typeof pairs)[number]) => number, digits = 0) =>
    Number(median(pairs.map(pick)).toFixed(digits))
  rows.push({
    mix: name,
    'this req/s': medianOf(p => p.this.perSecond),
    'other req/s': medianOf(p => p.other.perSecond),
    ratio: medianOf(p => p.this.perSecond / p.other.perSecond, 3),
    'this CPU µs': medianOf(p => p.this.cpuUs, 1),
    'other CPU µs': medianOf(p => p.other.cpuUs, 1),
    'CPU ratio': medianOf(p => p.this.cpuUs / p.other.cpuUs, 3),
  })
}
if (only.includes('import')) {
  const pairs = await alternate(side => checkouts[side].timeImport())
  const medianOf = (pick: (pair: (typeof pairs)[number]) => number, digits = 0) =>
    Number(median(pairs.map(pick)).toFixed(digits))
  rows.push({
    mix: 'import (ms)',
    'this req/s': medianOf(p => p.this.wallMs),
    'other req/s': medianOf(p => p.other.wallMs),
    ratio: medianOf(p => p.other.wallMs / p.this.wallMs, 3),
    'this CPU µs': medianOf(p => p.this.cpuMs * 1000),
    'other CPU µs': medianOf(p => p.other.cpuMs * 1000),
    'CPU ratio': medianOf(p => p.this.cpuMs / p.other.cpuMs, 3),
  })
}
console.table(rows)
for (const side of sides) {
  await services[side].server.stop()
  rmSync(checkouts[side].folder, { recursive: true })
}
