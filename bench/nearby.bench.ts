/**
 * Measures nearby queries in process, compared with SQLite's R*Tree (ordered by distance, without filters), and over
 * HTTP.
 *   npm run bench -- nearby [--places FILE] [--data DIR] [--queries 5000] [--seconds 5] [--connections 16]
 *                           [--rate 1500] [--no-http]
 * Also measures GET /locations/{id} from another process, during `rate` nearby calls per second.
 */
import { createRandom } from '../packages/server/src/kit/random.ts'
import { Budget } from '../packages/server/src/search/index/budget.ts'
import { buildSegment } from '../packages/server/src/search/index/build.ts'
import type { SearchDocument } from '../packages/server/src/search/index/document.ts'
import { openIndexView } from '../packages/server/src/search/index/index-view.ts'
import { nearbyPlaces } from '../packages/server/src/search/query/nearby-places.ts'
import { flag, hasFlag } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startService } from './load/service.ts'
import { timed } from './load/timings.ts'
import { rtreePlaces } from './peers/rtree-places.ts'
import { concurrentReads, loadRow } from './search/concurrent-reads.ts'
import { readDocuments } from './search/flat-places.ts'

const file = flag('places', samplePlaces)
const seconds = Number(flag('seconds', '5'))
const connections = Number(flag('connections', '16'))
const radiusKm = 8.046_72

const documents: SearchDocument[] = []
for await (const document of readDocuments(file)) documents.push(document)
const view = openIndexView({
  parts: [{ data: await buildSegment(documents, { revision: 1, nowMs: 0 }) }],
  revision: 1,
})
const random = createRandom(1)
const sorts = ['distance', 'rating'] as const
const lookups = Array.from({ length: Number(flag('queries', '5000')) }, (_, i) => {
  const { latitude, longitude } = documents[Math.floor(random() * documents.length)]!
  return { within: { centre: { latitude, longitude }, radiusKm }, sort: sorts[i % 2]!, offset: 0, limit: 10 }
})
const byDistance = lookups.filter(({ sort }) => sort === 'distance')
const unlimited = Budget.unlimited()
const rtree = rtreePlaces(documents)
console.table([
  {
    'in process, ms': 'Periplus',
    ...(await timed(lookups.length, i => nearbyPlaces(view, lookups[i]!, unlimited))),
  },
  {
    'in process, ms': 'Periplus, by distance',
    ...(await timed(byDistance.length, i => nearbyPlaces(view, byDistance[i]!, unlimited))),
  },
  {
    'in process, ms': 'SQLite R*Tree, by distance',
    ...(await timed(byDistance.length, i => {
      const { latitude, longitude } = byDistance[i]!.within.centre
      return rtree(latitude, longitude, radiusKm)
    })),
  },
])

if (!hasFlag('no-http')) {
  const { folder, places } = folderWith(file, flag('data', ''))
  const headers = { 'X-API-Key': unlimitedKey(folder) }
  const server = await startService(folder)
  const paths = lookups.map(
    ({ within: { centre }, sort }) =>
      `/locations/nearby?lat=${centre.latitude}&lon=${centre.longitude}&radius=5&size=10&version=1&sort=${sort === 'distance' ? 'distance,asc' : 'rating,desc'}`,
  )
  while ((await fetch(server.url + paths[0]!, { headers })).status === 503)
    await new Promise(done => setTimeout(done, 100))
  const options = { url: server.url, paths, headers, seconds, connections }
  await generateLoad(options)
  const beforeMs = server.cpuMs()
  const full = await generateLoad(options)
  const betweenMs = server.cpuMs()
  const coded = await generateLoad({ ...options, headers: { ...headers, ...clientCodings } })
  const background = { paths, perSecond: Number(flag('rate', '1500')) }
  const rows = [
    loadRow(`nearby, ${connections} connections`, full, betweenMs - beforeMs),
    loadRow('the same, gzip or br', coded, server.cpuMs() - betweenMs),
  ]
  console.table([...rows, ...(await concurrentReads('nearby', options, background, places))])
  await server.stop()
}
