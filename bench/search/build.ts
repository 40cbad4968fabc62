/**
 * Builds an index from a flat NDJSON file and saves it; prints build time, peak memory, size and load time.
 *   node bench/search/build.ts PLACES.ndjson[.gz] INDEX [--part-places 10000000]
 * More places than that make an index of several parts.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { maxPartDocuments } from '../../packages/server/src/search/index/build-parts.ts'
import { indexFiles, loadIndex } from '../../packages/server/src/search/index/file.ts'
import { prepareIndex } from '../../packages/server/src/search/query/prepare-index.ts'
import { readDocuments, readPlaces } from './flat-places.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'part-places': { type: 'string', default: String(maxPartDocuments) } },
})
const [places, index] = positionals
if (places === undefined || index === undefined) {
  console.error('Usage: node bench/search/build.ts PLACES.ndjson[.gz] INDEX [--part-places 10000000]')
  process.exit(2)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
async function* readGeos(file: string) {
  for await (const document of readDocuments(file)) if (document.category === 'GEO') yield document
}
let count = 0
for await (const _ of readPlaces(places)) count++
let [start, startCpu] = [performance.now(), cpuMs()]
const save = await prepareIndex(
  index,
  { count, countIn: async () => count, read: () => readDocuments(places), readGeos: () => readGeos(places) },
  {
    revision: 1,
    nowMs: Date.now(),
    partDocuments: Number(values['part-places']),
    onStep: step => console.error(`${seconds(performance.now() - start)}, CPU ${seconds(cpuMs() - startCpu)}: ${step}`),
  },
)
save()
const [building, buildingCpu] = [performance.now() - start, cpuMs() - startCpu]
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024)
;[start, startCpu] = [performance.now(), cpuMs()]
const loaded = loadIndex(index)
if (loaded.outcome !== 'loaded') throw new Error(loaded.outcome)
const loading = { 'loaded in': seconds(performance.now() - start), 'CPU of loading': seconds(cpuMs() - startCpu) }
const sizes = new Map<string, number>()
for (const { arrays } of [...loaded.index.parts, ...(loaded.index.lexicon ? [loaded.index.lexicon] : [])])
  for (const [name, { byteLength }] of Object.entries(arrays as Readonly<Record<string, ArrayBufferView>>))
    sizes.set(name, (sizes.get(name) ?? 0) + byteLength)
const largest = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, 16)
console.table(largest.map(([name, bytes]) => ({ name, MB: Number((bytes / 1e6).toFixed(1)) })))
console.log({
  documents: loaded.index.facts.count,
  parts: loaded.index.parts.length,
  'read and built': seconds(building),
  'CPU of that': seconds(buildingCpu),
  ...loading,
  megabytes: Math.round(indexFiles(index).reduce((sum, path) => sum + statSync(path).size, 0) / 1e6),
  peakMegabytes,
})
