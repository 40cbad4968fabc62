/**
 * Builds an index from a flat NDJSON file and saves it; prints build time, peak memory, size and load time.
 *   node bench/search/build.ts PLACES.ndjson[.gz] INDEX [--part-places 10000000] [--changed 0]
 * More places than that make an index of several parts. With `--changed N`, INDEX is one that this command has built,
 * and a place of each of its first N parts has a new name: the other parts are used again.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { IdRange } from '../../packages/server/src/domain/feed-stores.ts'
import { maxPartDocuments } from '../../packages/server/src/search/index/build-parts.ts'
import type { SearchDocument } from '../../packages/server/src/search/index/document.ts'
import { indexFiles, loadIndex, readManifestFacts } from '../../packages/server/src/search/index/file.ts'
import type { DocumentSet } from '../../packages/server/src/search/query/document-set.ts'
import { prepareIndex } from '../../packages/server/src/search/query/prepare-index.ts'
import { readDocuments, readPlaces } from './flat-places.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'part-places': { type: 'string', default: String(maxPartDocuments) },
    changed: { type: 'string', default: '0' },
  },
})
const [places, index] = positionals
if (places === undefined || index === undefined) {
  console.error('Usage: node bench/search/build.ts PLACES.ndjson[.gz] INDEX [--part-places 10000000] [--changed 0]')
  process.exit(2)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
const lastIds = (readManifestFacts(index)?.parts ?? []).map(({ lastId }) => BigInt(lastId))
const changed = new Set(lastIds.slice(0, Number(values.changed)))
async function* read({ after, upTo }: IdRange): AsyncGenerator<SearchDocument> {
  for await (const document of readDocuments(places!, after)) {
    if (document.id > upTo) return
    yield changed.has(document.id) ? { ...document, names: [`${document.names[0]} Renamed`] } : document
  }
}
async function* readGeos(range: IdRange) {
  for await (const document of read(range)) if (document.category === 'GEO') yield document
}
let count = 0
for await (const _ of readPlaces(places)) count++
const documents: DocumentSet = {
  count,
  countIn: async ({ after, upTo }) => Math.min(count, Number(upTo)) - Number(after),
  read,
  readGeos,
  origin: { storeId: places, seq: 1, mark: '' },
  findChanges: async () =>
    changed.size === 0
      ? undefined
      : (async function* () {
          yield [...changed]
        })(),
}
let [start, startCpu] = [performance.now(), cpuMs()]
const save = await prepareIndex(index, documents, {
  revision: 1,
  nowMs: Date.now(),
  partDocuments: Number(values['part-places']),
  onStep: step => console.error(`${seconds(performance.now() - start)}, CPU ${seconds(cpuMs() - startCpu)}: ${step}`),
})
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
