import type { Load } from '../load/generate.ts'
import type { Paced } from '../load/paced.ts'
import { pacedElsewhere } from '../load/paced-process.ts'
import { randomFrom } from './query-classes.ts'

/** A row of a table of what went over HTTP; the processor's time says what other processes did not disturb. */
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

/** Reads of single locations in a second beside the other load. */
const readsPerSecond = 200

/** What GET /locations/{id} takes while so many other calls come in a second. */
export async function readsBeside(
  name: string,
  { url, headers, seconds }: { url: string; headers: Readonly<Record<string, string>>; seconds: number },
  load: { readonly paths: readonly string[]; readonly perSecond: number },
  places: number,
): Promise<object[]> {
  const random = randomFrom(2)
  const paths = Array.from({ length: 20_000 }, () => `/locations/${1 + Math.floor(random() * places)}?version=1`)
  const [other, reads] = await Promise.all([
    pacedElsewhere({ url, headers, seconds, ...load }),
    pacedElsewhere({ url, headers, seconds, paths, perSecond: readsPerSecond }),
  ])
  const row = (title: string, { p50Ms, p99Ms, maxMs, errors }: Paced) => ({
    'over HTTP, ms': title,
    p50: p50Ms,
    p99: p99Ms,
    max: maxMs,
    errors,
  })
  return [row(`${name}, ${load.perSecond}/s, and beside it`, other), row('locations/{id}', reads)]
}
