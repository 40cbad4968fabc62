/**
 * Builds an index from a flat NDJSON file and saves it; prints build time, peak memory, size and load time.
 *   node bench/search/build.ts PLACES.ndjson[.gz] INDEX
 */
import { buildSegment } from '../../packages/server/src/search/index/build.ts'
import { loadIndex, saveIndex } from '../../packages/server/src/search/index/file.ts'
import { singlePart } from '../../packages/server/src/search/index/index-data.ts'
import { withBestLists } from '../../packages/server/src/search/query/build-best-lists.ts'
import { readDocuments } from './flat-places.ts'

const [places, index] = process.argv.slice(2)
if (places === undefined || index === undefined) {
  console.error('Usage: node bench/search/build.ts PLACES.ndjson[.gz] INDEX')
  process.exit(2)
}

let reading = 0
async function* timed() {
  const documents = readDocuments(places!)
  for (;;) {
    const start = performance.now()
    const next = await documents.next()
    reading += performance.now() - start
    if (next.done) return
    yield next.value
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
let start = performance.now()
const built = withBestLists(singlePart(await buildSegment(timed(), { revision: 1, nowMs: Date.now() })))
const building = performance.now() - start - reading
start = performance.now()
const bytes = saveIndex(index, built)
const saving = performance.now() - start
start = performance.now()
const loaded = loadIndex(index)
const loading = performance.now() - start
const sizes = Object.entries(built.parts[0]!.arrays).map(([name, array]) => ({
  name,
  mb: Number((array.byteLength / 1e6).toFixed(1)),
}))
console.table(sizes.sort((a, b) => b.mb - a.mb).slice(0, 14))
console.log({
  documents: built.facts.count,
  reading: seconds(reading),
  building: seconds(building),
  saving: seconds(saving),
  loading: `${seconds(loading)} (${loaded.outcome})`,
  megabytes: Math.round(bytes / 1e6),
  peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
})
