/**
 * Compares the operations of the partner API with a baseline that a team builds in two days (Fastify, PostgreSQL with
 * PostGIS where it is installed, Redis or Valkey; see peers/baseline) and with a bare node:http server that sends a
 * static body, in alternating rounds on the same core. The CPU time of the baseline includes its stores.
 *   npm run bench -- peers [--places FILE] [--data DIR] [--seconds 4] [--rounds 3] [--connections 16] [--paths 50000]
 *                          [--only 'id, hot;20 ids, uniform;…'] [--codings both|none|clients] [--warm-up 2]
 * `--warm-up` is in seconds, before each mix: V8 optimises the code of searches during their first 100,000 or so.
 * DIR is a data folder into which the same file was imported. Installs nothing: without the programs of the baseline it
 * says what is missing and compares with the bare server only.
 */
import { flag, median } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad, type Load } from './load/generate.ts'
import { type Server, startServer } from './load/processes.ts'
import { startService } from './load/service.ts'
import { startBaseline } from './peers/baseline/baseline.ts'
import { createMixes } from './peers/paths.ts'

const seconds = Number(flag('seconds', '4'))
const rounds = Number(flag('rounds', '3'))
const connections = Number(flag('connections', '16'))
const warmUpSeconds = Number(flag('warm-up', String(Math.min(2, seconds))))
const file = flag('places', samplePlaces)
const codings = { none: {}, clients: clientCodings }
const wantedCodings = flag('codings', 'both')

const { folder } = folderWith(file, flag('data', ''))
const key = unlimitedKey(folder)
const baseline = await startBaseline(file)
if (typeof baseline === 'string') console.log(`The baseline is skipped. ${baseline}`)
else console.log(`The baseline is ${baseline.description}.`)
const bare = await startServer([process.execPath, new URL('peers/bare-http.ts', import.meta.url).pathname])
const ours = await startService(folder)

/** A server of the comparison, with the key that it expects. */
interface Side {
  readonly server: Server
  readonly key: string
}
const sides = {
  ours: { server: ours, key },
  ...(typeof baseline !== 'string' && { baseline: { server: baseline, key: baseline.key } }),
  bare: { server: bare, key },
}
type SideName = 'ours' | 'baseline' | 'bare'
const present = (Object.keys(sides) as SideName[]).map(name => [name, sides[name]!] as const)

interface Measured extends Load {
  readonly cpuUs: number
}

async function measure({ server, key }: Side, paths: readonly string[], headers: object, forSeconds = seconds) {
  const before = server.cpuMs()
  const options = { paths, headers: { 'X-API-Key': key, ...headers }, seconds: forSeconds, connections }
  const load = await generateLoad({ url: server.url, ...options })
  return { ...load, cpuUs: ((server.cpuMs() - before) * 1000) / load.requests } satisfies Measured
}

const mixes = await createMixes(file, Number(flag('paths', '50000')))
const only = flag('only', mixes.map(({ name }) => name).join(';')).split(';')

const rows: object[] = []
for (const mix of mixes.filter(({ name }) => only.includes(name))) {
  const pathsOf = (name: SideName) => (name === 'baseline' ? mix.baseline : mix.ours)
  for (const [coding, headers] of Object.entries(codings)) {
    if (wantedCodings !== 'both' && wantedCodings !== coding) continue
    for (const [name, side] of present) await measure(side, pathsOf(name), headers, warmUpSeconds)
    const found: Partial<Record<SideName, Measured>>[] = []
    for (let round = 0; round < rounds; round++) {
      const one: Partial<Record<SideName, Measured>> = {}
      // The server that is measured first alternates.
      for (const [name, side] of round % 2 === 0 ? present : present.toReversed())
        one[name] = await measure(side, pathsOf(name), headers)
      found.push(one)
    }
    rows.push(toRow(coding === 'none' ? mix.name : `${mix.name}, gzip or br`, found))
    console.error(rows.at(-1))
  }
}
console.table(rows)
await Promise.all(present.map(([, { server }]) => server.stop()))

/** Returns the medians of the rounds, and the medians of the ratios of each round. */
function toRow(mix: string, found: readonly Partial<Record<SideName, Measured>>[]): object {
  const figure = (name: SideName, field: keyof Measured, digits: number) =>
    Number(median(found.map(one => one[name]?.[field] ?? Number.NaN)).toFixed(digits))
  const ratio = (peer: SideName, field: keyof Measured) =>
    Number(median(found.map(one => one.ours![field] / (one[peer]?.[field] ?? Number.NaN))).toFixed(2))
  const columns: Record<string, string | number> = { mix }
  for (const [name] of present) columns[`${name} req/s`] = figure(name, 'perSecond', 0)
  for (const [name] of present) columns[`${name} CPU µs`] = figure(name, 'cpuUs', 0)
  columns['p99 ms'] = figure('ours', 'p99Ms', 2)
  for (const [peer] of present.slice(1)) columns[`req/s × ${peer}`] = ratio(peer, 'perSecond')
  for (const [peer] of present.slice(1)) columns[`CPU × ${peer}`] = ratio(peer, 'cpuUs')
  columns.errors = found.reduce((sum, one) => sum + present.reduce((n, [name]) => n + one[name]!.errors, 0), 0)
  return columns
}
