/**
 * Measures search-as-you-type in process and over HTTP: names of the places, letter by letter, with and without a bias.
 *   npm run bench -- autocomplete [--places FILE] [--data DIR] [--names 1500] [--copies 1] [--seconds 5]
 *                                 [--connections 16] [--no-http]
 * `--copies` repeats the places in other parts of the Earth, so that 1 million places can be measured without a file of
 * them. On a busy machine, compare the best of three runs of each query, which other processes disturb least.
 */
import type { AutocompleteQuery } from '../packages/server/src/domain/autocomplete.ts'
import { createRandom } from '../packages/server/src/kit/random.ts'
import { Budget } from '../packages/server/src/search/index/budget.ts'
import { buildSegment } from '../packages/server/src/search/index/build.ts'
import type { SearchDocument } from '../packages/server/src/search/index/document.ts'
import { singlePart } from '../packages/server/src/search/index/index-data.ts'
import { viewOfIndex } from '../packages/server/src/search/index/index-view.ts'
import { autocompletePlaces } from '../packages/server/src/search/query/autocomplete-places.ts'
import { withBestLists } from '../packages/server/src/search/query/build-best-lists.ts'
import { flag, hasFlag } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startService } from './load/service.ts'
import { loadRow } from './search/concurrent-reads.ts'
import { readDocuments } from './search/flat-places.ts'

const file = flag('places', samplePlaces)
const copies = Number(flag('copies', '1'))
const documents: SearchDocument[] = []
for await (const document of readDocuments(file)) documents.push(document)
const originals = documents.length
for (let copy = 1; copy < copies; copy++) {
  for (const original of documents.slice(0, originals))
    documents.push({
      ...original,
      id: original.id + BigInt(copy) * 10_000_000_000n,
      longitude: ((original.longitude + 540 + (360 * copy) / copies) % 360) - 180,
    })
}
const segment = await buildSegment(documents, { revision: 1, nowMs: 0 })
const view = viewOfIndex(withBestLists(singlePart(segment)))

const random = createRandom(1)
const maxLetters = 8
/** The texts of a user who types a name, with and without the place as bias. */
const texts = Array.from({ length: Number(flag('names', '1500')) }, () => {
  const { names, primaryName, latitude, longitude } = documents[Math.floor(random() * originals)]!
  const near = random() < 0.5 ? { near: { latitude, longitude } } : {}
  const letters = [...names[primaryName]!].slice(0, maxLetters)
  return letters.map((_, i) => ({ text: letters.slice(0, i + 1).join(''), locales: [], limit: 5, ...near }))
}).flat() satisfies AutocompleteQuery[]

const unlimited = Budget.unlimited()
const at = (sorted: readonly number[], part: number) =>
  Number((sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(3))

/** Measures queries; the first run lets V8 optimise the code. */
function measure(name: string, queries: readonly AutocompleteQuery[]) {
  for (const query of queries) autocompletePlaces(view, query, unlimited)
  const times: number[] = []
  const bestTimes: number[] = []
  for (const query of queries) {
    const runs = Array.from({ length: 3 }, () => {
      const startMs = performance.now()
      autocompletePlaces(view, query, unlimited)
      return performance.now() - startMs
    })
    times.push(...runs)
    bestTimes.push(Math.min(...runs))
  }
  times.sort((a, b) => a - b)
  bestTimes.sort((a, b) => a - b)
  return {
    'in process, ms': name,
    queries: queries.length,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    'p99, best of 3': at(bestTimes, 0.99),
    max: at(times, 1),
  }
}

console.log(`${documents.length} places`)
const ofLength = (length: number) => texts.filter(({ text }) => [...text].length === length)
console.table([
  measure('all', texts),
  ...[1, 2, 3, 5, 8].map(length => measure(`${length} letters`, ofLength(length))),
  measure(
    'with a bias',
    texts.filter(({ near }) => near),
  ),
])

if (!hasFlag('no-http')) {
  const { folder } = folderWith(file, flag('data', ''))
  const headers = { 'X-API-Key': unlimitedKey(folder), ...clientCodings }
  const server = await startService(folder)
  const paths = texts.slice(0, 2000).map(({ text, near }) => {
    const bias = near ? `&lat=${near.latitude}&lon=${near.longitude}` : ''
    return `/locations/autocomplete?version=1&query=${encodeURIComponent(text)}${bias}`
  })
  while ((await fetch(server.url + paths[0]!, { headers })).status === 503)
    await new Promise(done => setTimeout(done, 100))
  const connections = Number(flag('connections', '16'))
  const options = { url: server.url, paths, headers, seconds: Number(flag('seconds', '5')), connections }
  await generateLoad(options)
  const beforeMs = server.cpuMs()
  const load = await generateLoad(options)
  console.table([loadRow(`autocomplete, ${connections} connections`, load, server.cpuMs() - beforeMs)])
  await server.stop()
}
