/**
 * Measures builds of a feed: a full snapshot of each file and a delta of 1,000 changes, each in a process of its own
 * (time of the build and of the process, CPU time, peak memory). With --reads, also measures GET requests per second
 * during continuous builds and without builds, in alternating rounds.
 *   npm run bench -- feeds [FILE …] [--feed locations] [--reads]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag, hasFlag, median } from './load/figures.ts'
import { folderWith, periplus, runJson, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad, type LoadOptions } from './load/generate.ts'
import type { Server } from './load/processes.ts'
import { startService } from './load/service.ts'

const changes = 1000
const rounds = 7
const feed = flag('feed', 'locations')
const files = process.argv.slice(2).filter((one, i, all) => !one.startsWith('--') && all[i - 1] !== '--feed')

interface Built {
  readonly kind: string
  readonly records: number
  readonly bytes: number
  readonly seconds: number
}

const buildCommand = (folder: string, kind: string) => [
  ...periplus,
  'feeds',
  'build',
  kind,
  '--feed',
  feed,
  '--data',
  folder,
  '--json',
]

/** Returns the CPU time of a process. Fields 14 and 15 of /proc/PID/stat count ticks of 10 ms. */
const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Runs `periplus feeds build` and measures the process. */
async function build(folder: string, kind: '--full' | '--delta') {
  const start = performance.now()
  const [program, ...args] = buildCommand(folder, kind)
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let [peakKb, cpu, output] = [0, 0, '']
  const watch = setInterval(() => {
    try {
      peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? peakKb)
      cpu = cpuSeconds(child.pid!)
    } catch {}
  }, 20)
  child.stdout.on('data', chunk => {
    output += chunk
  })
  await once(child, 'close')
  clearInterval(watch)
  const { built } = JSON.parse(output) as { built: Built[] }
  const last = built.at(-1)!
  return {
    kind: last.kind,
    lines: last.records,
    mb: Math.round(last.bytes / 1e5) / 10,
    built_s: Number(last.seconds.toFixed(2)),
    wall_s: Number(((performance.now() - start) / 1000).toFixed(2)),
    cpu_s: Number(cpu.toFixed(1)),
    peak_mb: Math.round(peakKb / 1024),
  }
}

/** Renames places, evenly distributed over all ids. */
function renamePlaces(folder: string, places: number): void {
  const file = join(folder, 'changes.ndjson')
  const step = Math.max(1, Math.floor(places / changes))
  const rows = Array.from({ length: Math.min(changes, places) }, (_, i) =>
    JSON.stringify({ id: 1 + i * step, name: `Changed ${Date.now()} ${i}`, lat: 1, lon: 1, category: 'museum' }),
  )
  writeFileSync(file, `${rows.join('\n')}\n`)
  runJson('import', file, '--no-index', '--force', '--source', 'changes', '--data', folder)
}

/** Measures requests per second, and CPU time per request, which other programs disturb less. */
async function measureReads(server: Server, options: Omit<LoadOptions, 'url' | 'seconds' | 'connections'>) {
  const before = server.cpuMs()
  const { requests, perSecond } = await generateLoad({ ...options, url: server.url, seconds: 5, connections: 16 })
  return { perSecond: Math.round(perSecond), cpuUs: Math.round((1e4 * (server.cpuMs() - before)) / requests) / 10 }
}

/** Measures reads without builds and during builds of full snapshots, in alternating rounds. */
async function compareReads(folder: string, places: number) {
  const headers = { 'X-API-Key': unlimitedKey(folder), ...clientCodings }
  const paths = Array.from({ length: 100_000 }, () => `/locations/${1 + Math.floor(Math.random() * places)}?version=1`)
  const server = await startService(folder)
  const load = () => measureReads(server, { paths, headers })
  await load()
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const idle = await load()
    let continues = true
    const builds = (async () => {
      while (continues) await build(folder, '--full')
    })()
    // A build process lowers its priority only after it has started; its start is not to be measured.
    await new Promise(resolve => setTimeout(resolve, 1500))
    const building = await load()
    continues = false
    await builds
    ratios.push(building.perSecond / idle.perSecond)
    console.log(
      `without a build ${idle.perSecond}/s (${idle.cpuUs} µs of CPU each), during a build ${building.perSecond}/s ` +
        `(${building.cpuUs} µs): ${ratios.at(-1)!.toFixed(2)}`,
    )
  }
  await server.stop()
  console.log(`median ratio: ${median(ratios).toFixed(2)}`)
}

for (const file of files.length > 0 ? files : [samplePlaces]) {
  const { folder, places } = folderWith(file, mkdtempSync(join(tmpdir(), 'periplus-bench-')))
  const rows = [{ build: 'first full', ...(await build(folder, '--full')) }]
  renamePlaces(folder, places)
  rows.push({ build: `delta of ${changes} changes`, ...(await build(folder, '--delta')) })
  rows.push({ build: 'delta without changes', ...(await build(folder, '--delta')) })
  renamePlaces(folder, places)
  rows.push({ build: 'next full, with its delta', ...(await build(folder, '--full')) })
  console.log(`${file}: ${places} places, feed ${feed}`)
  console.table(rows)
  if (hasFlag('reads')) await compareReads(folder, places)
  rmSync(folder, { recursive: true })
}
