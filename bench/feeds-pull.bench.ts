/**
 * A verified pull of `locations` from a real service on this machine: the whole of it, and the download alone; the peak
 * of the pulling process's resident memory. 287k places come with --places FILE, a million with a larger file.
 *   npm run bench -- feeds-pull [--places FILE] [--data DIR]
 * With --data, a folder that was imported before is used, and its newest full, if it has one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag } from './load/figures.ts'
import { boundlessKey, folderWith, periplus, runJson, samplePlaces } from './load/folder.ts'
import { startServer } from './load/processes.ts'

interface Snapshot {
  readonly feed: string
  readonly kind: string
  readonly version: string
  readonly snapshot_id: string
}

const given = flag('data', '')
const { folder } = folderWith(flag('places', samplePlaces), given)
const key = boundlessKey(folder)
const isFull = ({ feed, kind }: Snapshot) => feed === 'locations' && kind === 'full'
const listed = () => runJson<{ snapshots: Snapshot[] }>('feeds', 'list', '--data', folder).snapshots.findLast(isFull)
if (!listed()) {
  console.error('building the feed …')
  runJson('feeds', 'build', '--full', '--feed', 'locations', '--data', folder)
}
const server = await startServer([...periplus, 'serve', '--data', folder, '--port', '0'], { quietLog: true })
const into = mkdtempSync(join(tmpdir(), 'periplus-bench-pull-'))
try {
  await downloadAlone(listed()!)
  await wholePull('full')
  await wholePull('unchanged')
} finally {
  await server.stop()
  rmSync(into, { recursive: true, force: true })
  if (given === '') rmSync(folder, { recursive: true, force: true })
}

async function downloadAlone({ snapshot_id }: Snapshot): Promise<void> {
  const address = `${server.url}/feeds/locations/snapshots/${snapshot_id}`
  const headers = { 'X-API-Key': key }
  const manifest = (await (await fetch(`${address}/manifest.json`, { headers })).json()) as {
    files: { name: string }[]
  }
  const startMs = performance.now()
  let bytes = 0
  for (const { name } of manifest.files) bytes += await bytesAt(`${address}/files/${name}`, headers)
  const seconds = (performance.now() - startMs) / 1000
  console.log(`download alone  ${mb(bytes)} MB in ${seconds.toFixed(2)} s: ${mb(bytes / seconds)} MB/s`)
}

async function bytesAt(url: string, headers: Record<string, string>): Promise<number> {
  const call = request(url, { headers }).end()
  const [reply] = await once(call, 'response')
  let bytes = 0
  for await (const piece of reply) bytes += piece.length
  return bytes
}

async function wholePull(kind: string): Promise<void> {
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
    peakKb = Math.max(peakKb, peakOf(child.pid!))
  }, 20)
  const startMs = performance.now()
  const [code] = await once(child, 'close')
  clearInterval(reading)
  if (code !== 0) throw new Error(stderr)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(2)
  const { pulled } = JSON.parse(stdout) as { pulled: { kind: string; records: number; bytes: number }[] }
  const { records, bytes } = pulled[0]!
  if (pulled[0]!.kind !== kind) throw new Error(`a pull that was to be ${kind}: ${stdout}`)
  const result = mb(statSync(join(into, 'locations.ndjson')).size)
  console.log(
    `pull (${kind})  ${records} records, ${mb(bytes)} MB packed, ${result} MB of NDJSON in ${seconds} s, RSS at most ${Math.round(peakKb / 1024)} MB`,
  )
}

/** VmHWM: the kernel's own mark, so that nothing is missed between two readings. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
