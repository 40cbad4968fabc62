/**
 * Measures a data folder of an operator's size: the import of each million of reviews, bytes per review, pages of
 * reviews, reads during an import and during a backup, and a restore.
 *   npm run bench -- scale [--places FILE] [--reviews 5000000] [--data DIR] [--seconds 10]
 * The places are the bundled sample unless a file is named. With --data the folder is kept, and a filled folder is used
 * as it is.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag } from './load/figures.ts'
import { folderWith, periplus, runJson, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startService } from './load/service.ts'

const million = 1_000_000
const file = flag('places', samplePlaces)
const reviews = Number(flag('reviews', String(5 * million)))
const seconds = Number(flag('seconds', '10'))
const scratch = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
const random = createRandom(1)

const kept = flag('data', '')
const isFilled = existsSync(join(kept, 'control.sqlite'))
const { folder, places } = folderWith(file, kept)
const store = join(folder, 'data/g1/data.sqlite')
if (!isFilled) await fill()

const importedDuringReads = await generateReviews(Math.min(million / 4, reviews), 2)
const server = await startService(folder)
const headers = { 'X-API-Key': unlimitedKey(folder), ...clientCodings }
const some = (make: (id: number) => string) =>
  Array.from({ length: 50_000 }, () => make(1 + Math.floor(random() * places)))
const byId = some(id => `/locations/${id}?version=1`)
const load = (paths: readonly string[], connections = 8) =>
  generateLoad({ url: server.url, paths, headers, seconds, connections })

await load(byId)
const reviewPages = some(id => `/locations/${id}/reviews?version=1&sort_by=${id % 2 ? 'MOST_RECENT' : 'HIGHEST_RATED'}`)
console.table([{ load: 'pages of reviews', ...(await load(reviewPages, 1)) }])
await measureReadsDuringImport()
await measureReadsDuringBackup()
await server.stop()
rmSync(scratch, { recursive: true })

/** Imports the reviews, a million at a time, each in a process of its own. */
async function fill(): Promise<void> {
  const before = bytesOf(folder)
  const rows = []
  for (let from = 0; from < reviews; from += million) {
    const part = await generateReviews(Math.min(million, reviews - from), 1, from)
    const report = await importFile(part)
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
    `last million / first: ${ratio.toFixed(2)}; bytes per review: ${Math.round((bytesOf(folder) - before) / reviews)}`,
  )
}

/**
 * Writes the reviews from `from` up to `from + count` (exclusive) of a generated set to a file and returns its path.
 */
async function generateReviews(count: number, seed: number, from = 0): Promise<string> {
  const path = join(scratch, `reviews-${seed}-${from}.ndjson`)
  const generator = fileURLToPath(new URL('load/gen-reviews.ts', import.meta.url))
  const args = [generator, String(count), file, '--seed', String(seed + from), '--from', String(seed * 1e9 + from)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const written = createWriteStream(path)
  child.stdout.pipe(written)
  await once(written, 'close')
  return path
}

/** Imports a file in a process of its own. */
async function importFile(path: string): Promise<{ read: number; seconds: number }> {
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

/** Measures reads without and during an import, and the delay until its ratings are served. */
async function measureReadsDuringImport(): Promise<void> {
  const alone = await load(byId)
  const stop = new AbortController()
  const lags = measureLag(stop.signal)
  const running = importFile(importedDuringReads)
  const busy = await load(byId)
  stop.abort()
  const { read, seconds: took } = await running
  console.table([
    { load: 'reads alone', ...alone },
    { load: 'reads during an import', ...busy },
  ])
  console.log(`ratio: ${(busy.perSecond / alone.perSecond).toFixed(2)}; import: ${Math.round(read / took)} rows/s`)
  console.log(`maximum delay until committed ratings were served: ${Math.max(...(await lags)).toFixed(0)} ms`)
}

/**
 * Measures the delays between the commits of a place's review count and its first response with it, in milliseconds.
 */
async function measureLag(signal: AbortSignal): Promise<number[]> {
  const db = new Database(store, { readonly: true })
  // Prefer a place with a thousand reviews or more; a small run may have none.
  const anyOf = (table: string) => db.prepare(`SELECT location_id FROM ${table} LIMIT 1`).pluck().get()
  const hot = (anyOf('ranked_locations') ?? anyOf('review_totals')) as number
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

/** Measures reads without and during a backup, and the time of the backup and of its restore. */
async function measureReadsDuringBackup(): Promise<void> {
  const target = join(scratch, 'backup')
  const alone = await load(byId)
  const [program, ...args] = periplus
  const child = spawn(program!, [...args, 'backup', target, '--data', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  const startMs = performance.now()
  const rows: object[] = [{ load: 'reads alone', ...alone }]
  let running = true
  void ended.then(() => {
    running = false
  })
  while (running) rows.push({ load: 'reads during a backup', ...(await load(byId)) })
  console.table(rows)
  const gigabytes = bytesOf(target) / 1e9
  console.log(`backup: ${gigabytes.toFixed(2)} GB in about ${Math.round((performance.now() - startMs) / 1000)} s`)
  const restored = join(scratch, 'restored')
  const restoring = performance.now()
  runJson('restore', target, '--data', restored)
  console.log(`restore: ${Math.round((performance.now() - restoring) / 1000)} s`)
}

/** Returns the size of all files in a folder. */
function bytesOf(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names.reduce((sum, name) => {
    const found = statSync(join(path, name))
    return sum + (found.isFile() ? found.size : 0)
  }, 0)
}
