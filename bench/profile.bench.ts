/**
 * Shows which part of the service spends the CPU time of a request, for each operation of the benchmark of peers, next
 * to a bare node:http server that sends a static body. Parts are folders of packages/server/src, with the native
 * functions that they call. Profiling itself costs a few percent.
 *   npm run bench -- profile [--places FILE] [--data DIR] [--seconds 8] [--connections 16]
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { generateLoad } from './load/generate.ts'
import { type Server, startServer } from './load/processes.ts'
import { startService } from './load/service.ts'
import { createMixes } from './peers/paths.ts'
import { type CpuProfile, hasRun, type Span, splitProfile } from './profile/cpu-profile.ts'

const seconds = Number(flag('seconds', '8'))
const connections = Number(flag('connections', '16'))
const file = flag('places', samplePlaces)
const { folder } = folderWith(file, flag('data', ''))
const headers = { 'X-API-Key': unlimitedKey(folder) }
const mixes = await createMixes(file, 50_000)

/** A load on a server. */
interface Measured extends Span {
  readonly mix: string
  readonly requests: number
  readonly cpuUs: number
}

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)

async function measure(server: Server, mix: string, paths: readonly string[]): Promise<Measured> {
  await generateLoad({ url: server.url, paths, headers, seconds: 2, connections })
  const [fromUs, fromMs] = [nowUs(), server.cpuMs()]
  const { requests } = await generateLoad({ url: server.url, paths, headers, seconds, connections })
  // The fold of these calls runs within the next second and belongs to them.
  await new Promise(resolve => setTimeout(resolve, 1200))
  return { mix, requests, fromUs, toUs: nowUs(), cpuUs: (server.cpuMs() - fromMs) * 1000 }
}

/** Profiles a server under loads, and returns the microseconds per request by part. */
async function profile(
  start: (nodeOptions: readonly string[]) => Promise<Server>,
  loads: readonly { readonly mix: string; readonly paths: readonly string[] }[],
): Promise<Map<string, Map<string, number>>> {
  const target = mkdtempSync(join(tmpdir(), 'periplus-profile-'))
  const server = await start(['--cpu-prof', '--cpu-prof-dir', target])
  const measured: Measured[] = []
  for (const { mix, paths } of loads) measured.push(await measure(server, mix, paths))
  await server.stop()
  const threads = globSync(join(target, '*.cpuprofile')).map(
    path => JSON.parse(readFileSync(path, 'utf8')) as CpuProfile,
  )
  rmSync(target, { recursive: true })
  return new Map(measured.map(one => [one.mix, toParts(one, threads)]))
}

/** Returns the microseconds per request by part; the ledger thread and other threads are one part each. */
function toParts(measured: Measured, threads: readonly CpuProfile[]): Map<string, number> {
  const parts = new Map<string, number>()
  const add = (part: string, us: number) => parts.set(part, (parts.get(part) ?? 0) + us / measured.requests)
  for (const thread of threads) {
    const isServing = hasRun(thread, '/http/') || hasRun(thread, 'bare-http')
    for (const [part, us] of splitProfile(thread, measured))
      add(isServing ? part : hasRun(thread, '/usage/fold') ? 'thread of the ledger' : 'other threads', us)
  }
  const sampled = [...parts.values()].reduce((sum, us) => sum + us, 0)
  add('threads of V8 and libuv, and errors of sampling', measured.cpuUs - sampled * measured.requests)
  parts.set('sum', measured.cpuUs / measured.requests)
  return parts
}

const bare = await profile(
  options => startServer([process.execPath, ...options, join(import.meta.dirname, 'peers/bare-http.ts')]),
  [{ mix: 'bare', paths: ['/'] }],
)
const ours = await profile(
  options => startService(folder, options),
  mixes.map(({ name, ours: paths }) => ({ mix: name, paths })),
)
const columns = [...bare, ...ours]
const total = (part: string) => columns.reduce((sum, [, parts]) => sum + (parts.get(part) ?? 0), 0)
const names = [...new Set(columns.flatMap(([, parts]) => [...parts.keys()]))].toSorted((a, b) => total(b) - total(a))
console.log('Microseconds of CPU per request:')
console.table(
  Object.fromEntries(
    names.map(name => [
      name,
      Object.fromEntries(columns.map(([mix, parts]) => [mix, Number((parts.get(name) ?? 0).toFixed(1))])),
    ]),
  ),
)
