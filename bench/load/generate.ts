import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { onCore } from './processes.ts'

/** Result of a load. Latencies are in milliseconds. */
export interface Load {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly maxMs: number
  readonly errors: number
}

export interface LoadOptions {
  readonly url: string
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Keys that the paths are sent with in turn, in place of one in the headers. */
  readonly keys?: readonly string[]
  readonly seconds: number
  readonly connections: number
}

/** The header with which browsers and HTTP libraries accept coded responses. */
export const clientCodings = { 'Accept-Encoding': 'gzip, deflate, br' }

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/**
 * Requests random paths of the list as fast as the server answers; wrk, where it is installed, runs on the second core.
 */
export const generateLoad = (options: LoadOptions): Promise<Load> =>
  hasWrk ? withWrk(options) : withAutocannon(options)

async function withWrk({ url, paths, headers, keys = [], seconds, connections }: LoadOptions): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  const files = { paths: join(folder, 'paths.txt'), keys: join(folder, 'keys.txt') }
  writeFileSync(files.paths, paths.join('\n'))
  writeFileSync(files.keys, keys.join('\n'))
  writeFileSync(join(folder, 'load.lua'), wrkScript(files, headers))
  const command = onCore(1, ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', join(folder, 'load.lua'), url])
  const { stdout } = await run(command)
  rmSync(folder, { recursive: true })
  return JSON.parse(stdout.split('\n').find(line => line.startsWith('{')) ?? '{}') as Load
}

/** Runs a command to its end without blocking this process, so that two loads can run at once. */
async function run(command: readonly string[]): Promise<{ stdout: string }> {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  await once(child, 'close')
  return { stdout }
}

const wrkScript = (
  files: { readonly paths: string; readonly keys: string },
  headers: Readonly<Record<string, string>>,
) => `
local paths = {}
local keys = {}
for line in io.lines("${files.paths}") do paths[#paths + 1] = line end
for line in io.lines("${files.keys}") do keys[#keys + 1] = line end
math.randomseed(os.time())
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  .join('\n')}
local ready = {}
request = function()
  local at = math.random(#paths)
  local text = ready[at]
  if not text then
    if #keys > 0 then wrk.headers["X-API-Key"] = keys[at % #keys + 1] end
    text = wrk.format("GET", paths[at])
    ready[at] = text
  end
  return text
end
done = function(summary, latency)
  local e = summary.errors
  print(string.format('{"requests":%d,"perSecond":%f,"p50Ms":%f,"p95Ms":%f,"p99Ms":%f,"p999Ms":%f,"maxMs":%f,"errors":%d}', summary.requests,
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000, latency:percentile(95) / 1000,
    latency:percentile(99) / 1000, latency:percentile(99.9) / 1000,
    latency.max / 1000, e.connect + e.read + e.write + e.status + e.timeout))
end
`

async function withAutocannon(options: LoadOptions): Promise<Load> {
  const { url, paths, headers, keys = [], seconds, connections } = options
  const keyAt = (at: number) => (keys.length > 0 ? { 'X-API-Key': keys[at % keys.length]! } : {})
  const requests = paths
    .slice(0, 20_000)
    .map((path, at) => ({ method: 'GET' as const, path, headers: { ...headers, ...keyAt(at) } }))
  const result = await autocannon({ url, connections, duration: seconds, requests })
  return {
    requests: result.requests.total,
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    // autocannon has no 95th percentile.
    p95Ms: result.latency.p97_5,
    p99Ms: result.latency.p99,
    p999Ms: result.latency.p99_9,
    maxMs: result.latency.max,
    errors: result.errors + result.non2xx,
  }
}
