import { createRandom } from '../../packages/server/src/kit/random.ts'
import type { Load } from '../load/generate.ts'
import type { Paced } from '../load/paced.ts'
import { pacedLoadInProcess } from '../load/paced-process.ts'

/** Returns the table row of a load over HTTP; other processes disturb its CPU time less than its latencies. */
export const loadRow = (
  name: string,
  { requests, perSecond, p50Ms, p95Ms, p99Ms, p999Ms, errors }: Load,
  cpuMs: number,
) => ({
  'over HTTP, ms': name,
  p50: p50Ms,
  p95: p95Ms,
  p99: p99Ms,
  'p99.9': p999Ms,
  perSecond: Math.round(perSecond),
  'cpu µs': Math.round((cpuMs * 1000) / requests),
  errors,
})

/** Requests per second for single locations. */
const readsPerSecond = 200

/** Measures GET /locations/{id} during another load at a fixed pace. */
export async function concurrentReads(
  name: string,
  { url, headers, seconds }: { url: string; headers: Readonly<Record<string, string>>; seconds: number },
  load: { readonly paths: readonly string[]; readonly perSecond: number },
  places: number,
): Promise<object[]> {
  const random = createRandom(2)
  const paths = Array.from({ length: 20_000 }, () => `/locations/${1 + Math.floor(random() * places)}?version=1`)
  const [other, reads] = await Promise.all([
    pacedLoadInProcess({ url, headers, seconds, ...load }),
    pacedLoadInProcess({ url, headers, seconds, paths, perSecond: readsPerSecond }),
  ])
  const row = (title: string, { p50Ms, p99Ms, maxMs, errors }: Paced) => ({
    'over HTTP, ms': title,
    p50: p50Ms,
    p99: p99Ms,
    max: maxMs,
    errors,
  })
  return [row(`${name}, ${load.perSecond}/s, and at the same time`, other), row('locations/{id}', reads)]
}
