/**
 * Compares this checkout with another one (the parent commit, a release) in alternating rounds: requests per second and
 * CPU time per request of reads and searches, and wall time and CPU time of an import. Each checkout serves its own
 * data folder.
 *   npm run bench -- checkout --other DIR [--places FILE] [--seconds 2] [--rounds 6] [--connections 16]
 *                             [--only single,single-coded,hot,multi,search,nearby,import]
 * DIR is a checkout with its dependencies installed. Prints medians over the rounds.
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
const seconds = Number(flag('seconds', '2'))
const rounds = Number(flag('rounds', '6'))
if (rounds % 2 !== 0) {
  console.error(`An even number of rounds is needed, so that each checkout goes first equally often, not ${rounds}.`)
  process.exit(2)
}
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

/** Imports the places and creates a key without limits. */
function prepare(side: Side) {
  const checkout = checkouts[side]
  const { added } = checkout.run<{ added: number }>('import', places, '--data', checkout.folder)
  const { key } = checkout.run<{ key: string }>('keys', 'create', '--data', checkout.folder, ...unlimited)
  return { added, key }
}

/** Starts the service over its prepared folder. */
async function serve(side: Side, { key }: ReturnType<typeof prepare>) {
  const checkout = checkouts[side]
  const command = [...checkout.command, 'serve', '--data', checkout.folder, '--port', String(checkout.port)]
  return {
    headers: { 'X-API-Key': key },
    server: await startServer(command, { quietLog: true, env: checkout.env }),
  }
}

const prepared = { this: prepare('this'), other: prepare('other') }
const count = Math.min(prepared.this.added, prepared.other.added)
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

type Services = Record<Side, Awaited<ReturnType<typeof serve>>>

async function measure({ server, headers: key }: Services[Side], name: string, forSeconds = seconds) {
  const headers = name === 'single-coded' ? { ...key, ...clientCodings } : key
  const before = server.cpuMs()
  const load = await generateLoad({ url: server.url, paths: mixes[name]!, headers, seconds: forSeconds, connections })
  // The fold of these calls runs within the next second and belongs to them.
  await new Promise(done => setTimeout(done, 1200))
  return { perSecond: load.perSecond, cpuUs: ((server.cpuMs() - before) * 1000) / load.requests }
}

/** Figures of both sides by name. */
type Pair = Record<Side, Record<string, number>>
const pairs: Record<string, Pair[]> = {}
const keep = (name: string, pair: Pair) => {
  pairs[name] = [...(pairs[name] ?? []), pair]
}

/** Measures each side twice, in the order A B B A, so that neither has the better place. */
async function measureBoth(order: readonly Side[], measureOne: (side: Side) => unknown): Promise<Pair> {
  const found: Record<Side, Record<string, number>[]> = { this: [], other: [] }
  for (const side of [...order, ...[...order].reverse()])
    found[side].push((await measureOne(side)) as Record<string, number>)
  const meanOf = (side: Side) => {
    const [first, second] = found[side] as [Record<string, number>, Record<string, number>]
    return Object.fromEntries(Object.keys(first).map(name => [name, Math.sqrt(first[name]! * second[name]!)]))
  }
  return { this: meanOf('this'), other: meanOf('other') }
}

// Each round starts the services again: two processes of the same code differ by up to 15 % in CPU for as long as they
// run, by what their compiler optimised first and the addresses of their memory.
for (let round = 0; round < rounds; round++) {
  const order = round % 2 === 0 ? sides : [...sides].reverse()
  const services: Partial<Services> = {}
  for (const side of order) services[side] = await serve(side, prepared[side])
  for (const name of Object.keys(mixes).filter(name => only.includes(name))) {
    for (const side of order) await measure(services[side]!, name, 2)
    keep(name, await measureBoth(order, side => measure(services[side]!, name)))
  }
  for (const side of order) await services[side]!.server.stop()
  if (only.includes('import')) keep('import (ms)', await measureBoth(order, side => checkouts[side].timeImport()))
  process.stderr.write(`round ${round + 1} of ${rounds}\n`)
}

const rows = Object.entries(pairs).map(([mix, found]) => {
  const isImport = mix.startsWith('import')
  const medianOf = (pick: (pair: Pair) => number, digits: number) => Number(median(found.map(pick)).toFixed(digits))
  const [speed, cpu] = isImport ? ['wallMs', 'cpuMs'] : ['perSecond', 'cpuUs']
  const ratio = isImport ? (p: Pair) => p.other[speed]! / p.this[speed]! : (p: Pair) => p.this[speed]! / p.other[speed]!
  const cpuRatios = found.map(p => p.this[cpu]! / p.other[cpu]!).sort((a, b) => a - b)
  return {
    mix,
    [isImport ? 'this ms' : 'this req/s']: medianOf(p => p.this[speed]!, 0),
    [isImport ? 'other ms' : 'other req/s']: medianOf(p => p.other[speed]!, 0),
    ratio: medianOf(ratio, 3),
    [isImport ? 'this CPU ms' : 'this CPU µs']: medianOf(p => p.this[cpu]!, 1),
    [isImport ? 'other CPU ms' : 'other CPU µs']: medianOf(p => p.other[cpu]!, 1),
    'CPU ratio': Number(median(cpuRatios).toFixed(3)),
    'of rounds': `${cpuRatios[0]!.toFixed(2)} to ${cpuRatios.at(-1)!.toFixed(2)}`,
  }
})
console.table(rows)
for (const side of sides) rmSync(checkouts[side].folder, { recursive: true })
