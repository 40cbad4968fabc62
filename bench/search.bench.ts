/**
 * Measures the search index: build, load, and speed and quality of its results, in process and over HTTP, compared with
 * SQLite FTS5 and MiniSearch on the same queries. Queries with a location bias or geo_name are left out for the peers,
 * which do not support them.
 *   npm run bench -- search [--places FILE] [--data DIR] [--queries 3000] [--seed 1] [--seconds 5] [--connections 16]
 *                           [--peers fts5,minisearch | none] [--peer-queries 300] [--rate 750] [--no-http]
 * FILE is a file of places in the flat format, gzipped or not. Also measures GET /locations/{id} from another process,
 * during `rate` searches per second that are sent at a fixed pace, even if the service does not keep up.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { Budget } from '../packages/server/src/search/index/budget.ts'
import { buildSegment } from '../packages/server/src/search/index/build.ts'
import { loadIndex, saveIndex } from '../packages/server/src/search/index/file.ts'
import { singlePart } from '../packages/server/src/search/index/index-data.ts'
import { viewOfIndex } from '../packages/server/src/search/index/index-view.ts'
import { withBestLists } from '../packages/server/src/search/query/build-best-lists.ts'
import { searchPlaces } from '../packages/server/src/search/query/search-places.ts'
import { flag, hasFlag } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startService } from './load/service.ts'
import { timed } from './load/timings.ts'
import { fts5Places } from './peers/fts5-places.ts'
import { miniSearchPlaces } from './peers/minisearch-places.ts'
import type { SearchPeer } from './peers/search-peer.ts'
import { type Known, known } from './search/classes/known.ts'
import { nameClasses } from './search/classes/names.ts'
import type { Grade, Trial } from './search/classes/trial.ts'
import { concurrentReads, loadRow } from './search/concurrent-reads.ts'
import { documentOfFlat, readDocuments, readPlaces } from './search/flat-places.ts'

const file = flag('places', samplePlaces)
const seconds = Number(flag('seconds', '5'))
const connections = Number(flag('connections', '16'))
const toSeconds = (ms: number) => Number((ms / 1000).toFixed(2))

// --- Building and loading

const scratch = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
const indexFile = join(scratch, 'search.index')
let startMs = performance.now()
const built = withBestLists(singlePart(await buildSegment(readDocuments(file), { revision: 1, nowMs: 0 })))
const buildMs = performance.now() - startMs
startMs = performance.now()
const bytes = saveIndex(indexFile, built)
const saveMs = performance.now() - startMs
startMs = performance.now()
const loaded = loadIndex(indexFile)
const loadMs = performance.now() - startMs
if (loaded.outcome !== 'loaded') throw new Error(`The index could not be loaded: ${loaded.outcome}.`)
const view = viewOfIndex(loaded.index)
console.table([
  {
    places: built.facts.count,
    'read and built, s': toSeconds(buildMs),
    'saved, s': toSeconds(saveMs),
    'loaded and checked, s': toSeconds(loadMs),
    'file, MB': Math.round(bytes / 1e6),
    'peak memory, MB': Math.round(process.resourceUsage().maxRSS / 1024),
  },
])
rmSync(scratch, { recursive: true })

// --- Queries

const original: Known[] = []
const ids: Known[] = []
for await (const place of readPlaces(file)) {
  const entry = known(place)
  ids.push(entry)
  if (place.source !== 'generated') original.push(entry)
}
const makers = Object.entries(nameClasses(original, createRandom(Number(flag('seed', '1')))))
const trials: Trial[] = Array.from({ length: Number(flag('queries', '3000')) }, (_, i) =>
  makers[i % makers.length]![1](),
)
const queryOf = ({ text, near, geoName, categories }: Trial) => ({
  text,
  ...(near && { near }),
  ...(geoName !== undefined && { geoName }),
  ...(categories && { categories }),
  offset: 0,
  limit: 10,
})
const queries = trials.map(queryOf)
const placesAt = (found: readonly (bigint | number)[]) => found.map(id => ids[Number(id) - 1]!)

/** Returns the shares of the trials whose place comes first, and is among the first five. */
function quality(list: readonly Trial[], search: (i: number) => readonly Known[]) {
  const grades = list.map(({ grade }, i) => grade(search(i).map(place => ({ place }))))
  const share = (field: keyof Grade) =>
    Number((grades.reduce((sum, grade) => sum + grade[field], 0) / list.length).toFixed(3))
  return { 'hit@1': share('first'), 'hit@5': share('five') }
}

const unlimited = Budget.unlimited()
const searchAt = (i: number) => searchPlaces(view, queries[i]!, unlimited)!
const rows: object[] = [
  {
    'in process, ms': 'Periplus, all classes',
    ...(await timed(queries.length, searchAt)),
    ...quality(trials, i => placesAt(searchAt(i).hits.map(({ id }) => id))),
  },
]

// --- Peers, on the queries that they support

const plain = trials
  .filter(({ near, geoName }) => !near && geoName === undefined)
  .slice(0, Number(flag('peer-queries', '300')))
const plainQueries = plain.map(queryOf)
const searchPlain = (i: number) => searchPlaces(view, plainQueries[i]!, unlimited)!
const peers: Record<string, () => SearchPeer> = { fts5: fts5Places, minisearch: miniSearchPlaces }
rows.push({
  'in process, ms': 'Periplus, no bias',
  ...(await timed(plain.length, searchPlain)),
  ...quality(plain, i => placesAt(searchPlain(i).hits.map(({ id }) => id))),
})
for (const name of flag('peers', 'fts5,minisearch').split(',')) {
  const peer = peers[name]?.()
  if (!peer) continue
  startMs = performance.now()
  peer.begin()
  let id = 0n
  for await (const place of readPlaces(file)) peer.add(documentOfFlat(++id, place))
  peer.finish()
  const builtS = toSeconds(performance.now() - startMs)
  const search = (i: number) => peer.search(plain[i]!.text, plain[i]!.categories !== undefined)
  rows.push({
    'in process, ms': peer.name,
    ...(await timed(plain.length, search)),
    ...quality(plain, i => placesAt(search(i))),
    'built, s': builtS,
    MB: Math.round(peer.megabytes()),
  })
}
console.table(rows)

// --- Over HTTP

if (!hasFlag('no-http')) {
  const { folder, places } = folderWith(file, flag('data', ''))
  const headers = { 'X-API-Key': unlimitedKey(folder) }
  const server = await startService(folder)
  const paths = queries.map(({ text, near, geoName, categories }) => {
    const params = new URLSearchParams({ query: text, size: '10', version: '1' })
    if (near) {
      params.set('lat', near.latitude.toFixed(5))
      params.set('lon', near.longitude.toFixed(5))
    }
    if (geoName !== undefined) params.set('geo_name', geoName)
    for (const category of categories ?? []) params.append('category', category)
    return `/locations/search?${params}`
  })
  while ((await fetch(server.url + paths[0]!, { headers })).status === 503)
    await new Promise(done => setTimeout(done, 100))
  const load = (codings = {}) =>
    generateLoad({ url: server.url, paths, headers: { ...headers, ...codings }, seconds, connections })
  await load()
  const beforeMs = server.cpuMs()
  const full = await load()
  const betweenMs = server.cpuMs()
  const coded = await load(clientCodings)
  const searches = [
    loadRow(`search, ${connections} connections`, full, betweenMs - beforeMs),
    loadRow('the same, gzip or br', coded, server.cpuMs() - betweenMs),
  ]
  const background = { paths, perSecond: Number(flag('rate', '750')) }
  console.table([
    ...searches,
    ...(await concurrentReads('search', { url: server.url, headers, seconds }, background, places)),
  ])
  console.log(`resident ${Math.round(server.residentBytes() / 1e6)} MB`)
  await server.stop()
}
