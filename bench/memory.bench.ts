/**
 * Measures heap and external memory of the service after garbage collection, during minutes of uniform load, and the
 * slope of the regression line through the readings after the first minute.
 *   npm run bench -- memory [--places FILE] [--data DIR] [--minutes 5]
 */
import { createRandom } from '../packages/server/src/kit/random.ts'
import { flag } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startServer } from './load/processes.ts'

const minutes = Number(flag('minutes', '5'))
const { folder, places } = folderWith(flag('places', samplePlaces), flag('data', ''))
const headers = { 'X-API-Key': unlimitedKey(folder), ...clientCodings }
const random = createRandom(1)
const paths = Array.from({ length: 100_000 }, () => `/locations/${1 + Math.floor(random() * places)}?version=1`)

const script = new URL('peers/measured-serve.ts', import.meta.url).pathname
const server = await startServer([process.execPath, '--expose-gc', script, folder], { quietLog: true })

const memoryUrl = `http://127.0.0.1:${Number(new URL(server.url).port) + 1}/`

const readings: { minute: number; mb: number }[] = []
const startMs = performance.now()
while (performance.now() - startMs < minutes * 60_000) {
  await generateLoad({ url: server.url, paths, headers, seconds: 10, connections: 8 })
  const { bytes } = (await (await fetch(memoryUrl)).json()) as { bytes: number }
  const reading = { minute: (performance.now() - startMs) / 60_000, mb: bytes / 1e6 }
  readings.push(reading)
  console.log(`${reading.minute.toFixed(2)} min  ${reading.mb.toFixed(1)} MB`)
}
await server.stop()

const later = readings.filter(({ minute }) => minute > 1)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const x = mean(later.map(({ minute }) => minute))
const y = mean(later.map(({ mb }) => mb))
const slope =
  later.reduce((sum, { minute, mb }) => sum + (minute - x) * (mb - y), 0) /
  later.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
console.log(`slope after the first minute: ${slope.toFixed(2)} MB per minute`)
