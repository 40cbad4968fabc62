/**
 * A folder of an operator's size: the import of reviews by the million, bytes a review, pages of reviews, reads beside
 * an import, and reads beside a backup.
 *   npm run bench -- scale [--places FILE] [--reviews 5000000] [--data DIR] [--seconds 10]
 * Places are the bundled sample unless a file is named. With --data the folder stays, and is not filled again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { flag, seededRandom } from './load/figures.ts'
import { boundlessKey, folderWith, periplus, runJson, samplePlaces } from './load/folder.ts'
import { generateLoad } from './load/generate.ts'
import { startServer } from './load/processes.ts'

const million = 1_000_000
const file = flag('places', samplePlaces)
const reviews = Number(flag('reviews', String(5 * million)))
const seconds = Number(flag('seconds', '10'))
const scratch = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
const random = seededRandom(1)

const kept = flag('data', '')
const isFilled = existsSync(join(kept, 'control.sqlite'))
const { folder, places } = folderWith(file, kept)
const store = join(folder, 'data/g1/data.sqlite')
if (!isFilled) await fill()

const beside = await generated(million / 4, 2)
const server = await startServer([...periplus, 'serve', '--data', folder, '--port', '0'], { quietLog: true })
const headers = { 'X-API-Key': boundlessKey(folder) }
const some = (make: (id: number) => string) =>
  Array.from({ length: 50_000 }, () => make(1 + Math.floor(random() * places)))
const byId = some(id => `/locations/${id}?version=1`)
const load = (paths: readonly string[], connections = 8) =>
  generateLoad({ url: server.url, paths, headers, seconds, connections })

await load(byId)
const reviewPages = some(id => `/locations/${id}/reviews?version=1&sort_by=${id % 2 ? 'MOST_RECENT' : 'HIGHEST_RATED'}`)
console.table([{ what: 'pages of reviews', ...(await load(reviewPages, 1)) }])
await readsBesideImport()
await readsBesideBackup()
await server.stop()
rmSync(scratch, { recursive: true })
if (kept === '') rmSync(folder, { recursive: true })

/** A million at a time, each by a process of its own. */
async function fill(): Promise<void> {
  const before = bytesOf(folder)
  const rows = []
  for (let from = 0; from < reviews; from += million) {
    const part = await generated(Math.min(million, reviews - from), 1, from)
    const report = await imported(part)
    rows.push({
      million: from / million + 1,
      seconds: report.seconds,
      'rows/s': Math.round(report.read / report.seconds),
    })
    rmSync(part)
    console.table(rows.slice(-1))
  }
  const ratio = rows.at(-1)!.seconds / rows[0]!.seconds
  console.log(
    `last million / first: ${ratio.toFixed(2)}; bytes a review: ${Math.round((bytesOf(folder) - before) / reviews)}`,
  )
}

/** Reviews `from` up to `from + count` of a generated set. */
async function generated(count: number, seed: number, from = 0): Promise<string> {
  const path = join(scratch, `reviews-${seed}-${from}.ndjson`)
  const generator = fileURLToPath(new URL('load/gen-reviews.ts', import.meta.url))
  const args = [generator, String(count), file, '--seed', String(seed + from), '--from', String(seed * 1e9 + from)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const written = createWriteStream(path)
  child.stdout.pipe(written)
  await once(written, 'close')
  return path
}

async function imported(path: string): Promise<{ read: number; seconds: number }> {
  const [program, ...args] = periplus
  const child = spawn(program!, [...args, 'import', path, '--data', folder, '--no-index', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.on('data', part => {
    text += part
  })
  await once(child, 'close')
  return JSON.parse(text) as { read: number; seconds: number }
}

async function readsBesideImport(): Promise<void> {
  const calm = await load(byId)
  const stop = new AbortController()
  const lags = watchLag(stop.signal)
  const running = imported(beside)
  const busy = await load(byId)
  stop.abort()
  const { read, seconds: took } = await running
  console.table([
    { what: 'reads alone', ...calm },
    { what: 'reads beside an import', ...busy },
  ])
  console.log(
    `ratio: ${(busy.perSecond / calm.perSecond).toFixed(2)}; import beside: ${Math.round(read / took)} rows/s`,
  )
  console.log(`committed ratings were served after at most ${Math.max(...(await lags)).toFixed(0)} ms`)
}

/** How long after its commit a place's new count of reviews was served, milliseconds, again and again. */
async function watchLag(signal: AbortSignal): Promise<number[]> {
  const db = new Database(store, { readonly: true })
  const hot = db.prepare('SELECT location_id FROM ranked_locations LIMIT 1').pluck().get() as number
  const committed = db.prepare("SELECT totals ->> 'reviews' FROM review_totals WHERE location_id = ?").pluck()
  const lags: number[] = [0]
  let waiting: { count: number; sinceMs: number }[] = []
  while (!signal.aborted) {
    const count = committed.get(hot) as number
    if (waiting.at(-1)?.count !== count) waiting.push({ count, sinceMs: performance.now() })
    const reply = await fetch(`${server.url}/locations/${hot}/reviews?version=1&size=1`, { headers })
    const { data } = (await (await fetch(`${server.url}/locations/${hot}?version=1`, { headers })).json()) as {
      data: { traveler_ratings: { overall: { count: number } } }
    }
    await reply.arrayBuffer()
    const nowMs = performance.now()
    const served = data.traveler_ratings.overall.count
    lags.push(...waiting.filter(one => one.count <= served).map(one => nowMs - one.sinceMs))
    waiting = waiting.filter(one => one.count > served)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  db.close()
  return lags
}

async function readsBesideBackup(): Promise<void> {
  const target = join(scratch, 'backup')
  const calm = await load(byId)
  const [program, ...args] = periplus
  const child = spawn(program!, [...args, 'backup', target, '--data', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  const startMs = performance.now()
  const rows: object[] = [{ what: 'reads alone', ...calm }]
  let running = true
  void ended.then(() => {
    running = false
  })
  while (running) rows.push({ what: 'reads beside a backup', ...(await load(byId)) })
  console.table(rows)
  const gigabytes = bytesOf(target) / 1e9
  console.log(`backup: ${gigabytes.toFixed(2)} GB in about ${Math.round((performance.now() - startMs) / 1000)} s`)
  const restored = join(scratch, 'restored')
  const restoring = performance.now()
  runJson('restore', target, '--data', restored)
  console.log(`restore: ${Math.round((performance.now() - restoring) / 1000)} s`)
}

function bytesOf(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names.reduce((sum, name) => {
    const found = statSync(join(path, name))
    return sum + (found.isFile() ? found.size : 0)
  }, 0)
}
