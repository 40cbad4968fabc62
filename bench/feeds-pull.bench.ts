/**
 * Measures a verified pull of the feed `locations` from a service on this machine: the time of the download alone, of a
 * complete pull and of a pull without changes, and the peak resident memory of the pulling process.
 *   npm run bench -- feeds-pull [--places FILE] [--data DIR]
 * The places are the bundled sample unless a file is named. With --data, the folder is used with its data and its
 * latest full snapshot; missing data is imported, and a missing snapshot built.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag } from './load/figures.ts'
import { folderWith, periplus, runJson, samplePlaces, unlimitedKey } from './load/folder.ts'
import { startService } from './load/service.ts'

interface Snapshot {
  readonly feed: string
  readonly kind: string
  readonly version: string
  readonly snapshot_id: string
}

const given = flag('data', '')
const { folder } = folderWith(flag('places', samplePlaces), given)
const key = unlimitedKey(folder)
const isFullOfLocations = ({ feed, kind }: Snapshot) => feed === 'locations' && kind === 'full'
const latestFull = () =>
  runJson<{ snapshots: Snapshot[] }>('feeds', 'list', '--data', folder).snapshots.findLast(isFullOfLocations)
if (!latestFull()) {
  console.error('Building the feed.')
  runJson('feeds', 'build', '--full', '--feed', 'locations', '--data', folder)
}
const server = await startService(folder)
const into = mkdtempSync(join(tmpdir(), 'periplus-bench-pull-'))
try {
  await measureDownload(latestFull()!)
  await measurePull('full')
  await measurePull('unchanged')
} finally {
  await server.stop()
  rmSync(into, { recursive: true, force: true })
}

/** Downloads all parts of a snapshot without verifying them. */
async function measureDownload({ snapshot_id }: Snapshot): Promise<void> {
  const address = `${server.url}/feeds/locations/snapshots/${snapshot_id}`
  const headers = { 'X-API-Key': key }
  const manifest = (await (await fetch(`${address}/manifest.json`, { headers })).json()) as {
    files: { name: string }[]
  }
  const startMs = performance.now()
  let bytes = 0
  for (const { name } of manifest.files) bytes += await downloadedBytes(`${address}/files/${name}`, headers)
  const seconds = (performance.now() - startMs) / 1000
  console.log(`download alone  ${mb(bytes)} MB in ${seconds.toFixed(2)} s: ${mb(bytes / seconds)} MB/s`)
}

async function downloadedBytes(url: string, headers: Record<string, string>): Promise<number> {
  const call = request(url, { headers }).end()
  const [reply] = await once(call, 'response')
  let bytes = 0
  for await (const piece of reply) bytes += piece.length
  return bytes
}

/** Runs `periplus feeds pull`; fails if the pull is not of the expected kind. */
async function measurePull(kind: string): Promise<void> {
  const [program, ...first] = periplus
  const args = ['feeds', 'pull', 'locations', '--url', server.url, '--into', into, '--json']
  const child = spawn(program!, [...first, ...args], { env: { ...process.env, PERIPLUS_KEY: key } })
  let [stdout, stderr, peakKb] = ['', '', 0]
  child.stdout.on('data', text => {
    stdout += text
  })
  child.stderr.on('data', text => {
    stderr += text
  })
  const reading = setInterval(() => {
    peakKb = Math.max(peakKb, peakMemoryKb(child.pid!))
  }, 20)
  const startMs = performance.now()
  const [code] = await once(child, 'close')
  clearInterval(reading)
  if (code !== 0) throw new Error(stderr)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(2)
  const { pulled } = JSON.parse(stdout) as { pulled: { kind: string; records: number; bytes: number }[] }
  const { records, bytes } = pulled[0]!
  if (pulled[0]!.kind !== kind) throw new Error(`The pull is not ${kind}: ${stdout}`)
  const result = mb(statSync(join(into, 'locations.ndjson')).size)
  console.log(
    `pull (${kind})  ${records} records, ${mb(bytes)} MB compressed, ${result} MB of NDJSON in ${seconds} s, peak RSS ${Math.round(peakKb / 1024)} MB`,
  )
}

/** Reads the peak resident memory in KB. The kernel records it (VmHWM), so no peak between two readings is missed. */
function peakMemoryKb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
