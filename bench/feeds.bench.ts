/**
 * Building feeds: a full of each file in one feed and version, and a delta of 1,000 changes, each as a process of its own
 * (seconds as built and from start to end, CPU, peak memory); with --beside also GETs a second beside a build that goes on
 * all the time against none, in turns.
 *   npm run bench -- feeds [FILE …] [--feed locations] [--beside]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag, hasFlag, median } from './load/figures.ts'
import { boundlessKey, folderWith, periplus, runJson, samplePlaces } from './load/folder.ts'
import { generateLoad, type LoadOptions } from './load/generate.ts'
import { type Server, startServer } from './load/processes.ts'

const changes = 1000
const turns = 7
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

/** Field 14 to 17 of /proc/PID/stat are in ticks of 10 ms. */
const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

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
    ...{ kind: last.kind, lines: last.records, mb: Math.round(last.bytes / 1e5) / 10 },
    ...{ built_s: Number(last.seconds.toFixed(2)), wall_s: Number(((performance.now() - start) / 1000).toFixed(2)) },
    ...{ cpu_s: Number(cpu.toFixed(1)), peak_mb: Math.round(peakKb / 1024) },
  }
}

/** New names for places from all over the ids. */
function change(folder: string, places: number): void {
  const file = join(folder, 'changes.ndjson')
  const step = Math.max(1, Math.floor(places / changes))
  const rows = Array.from({ length: Math.min(changes, places) }, (_, i) =>
    JSON.stringify({ id: 1 + i * step, name: `Changed ${Date.now()} ${i}`, lat: 1, lon: 1, category: 'museum' }),
  )
  writeFileSync(file, `${rows.join('\n')}\n`)
  runJson('import', file, '--no-index', '--force', '--source', 'changes', '--data', folder)
}

/** A stretch of GETs: how many a second, and what each took of the server's CPU, which other programs disturb less. */
async function stretch(server: Server, options: Omit<LoadOptions, 'url' | 'seconds' | 'connections'>) {
  const before = server.cpuMs()
  const { requests, perSecond } = await generateLoad({ ...options, url: server.url, seconds: 5, connections: 16 })
  return { perSecond: Math.round(perSecond), cpuUs: Math.round((1e4 * (server.cpuMs() - before)) / requests) / 10 }
}

/** GETs in turns: calm, then beside builds of fulls one after the other. */
async function beside(folder: string, places: number) {
  const headers = { 'X-API-Key': boundlessKey(folder) }
  const paths = Array.from({ length: 100_000 }, () => `/locations/${1 + Math.floor(Math.random() * places)}?version=1`)
  const server = await startServer([...periplus, 'serve', '--data', folder, '--port', '0'], { quietLog: true })
  const load = () => stretch(server, { paths, headers })
  await load()
  const ratios: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const calm = await load()
    let on = true
    const builds = (async () => {
      while (on) await build(folder, '--full')
    })()
    // The process starts with the priority of any other; what it costs then is not what is asked for.
    await new Promise(resolve => setTimeout(resolve, 1500))
    const building = await load()
    on = false
    await builds
    ratios.push(building.perSecond / calm.perSecond)
    console.log(
      `calm ${calm.perSecond}/s (${calm.cpuUs} µs CPU each), beside a build ${building.perSecond}/s ` +
        `(${building.cpuUs} µs): ${ratios.at(-1)!.toFixed(2)}`,
    )
  }
  await server.stop()
  console.log(`median ratio: ${median(ratios).toFixed(2)}`)
}

for (const file of files.length > 0 ? files : [samplePlaces]) {
  const { folder, places } = folderWith(file, mkdtempSync(join(tmpdir(), 'periplus-bench-')))
  const rows = [{ what: 'first full', ...(await build(folder, '--full')) }]
  change(folder, places)
  rows.push({ what: `${changes} changes`, ...(await build(folder, '--delta')) })
  rows.push({ what: 'no change', ...(await build(folder, '--delta')) })
  change(folder, places)
  rows.push({ what: 'next full, with its delta', ...(await build(folder, '--full')) })
  console.log(`${file}: ${places} places, feed ${feed}`)
  console.table(rows)
  if (hasFlag('beside')) await beside(folder, places)
  rmSync(folder, { recursive: true })
}
