/**
 * Measures answers to queries and requests as people type them, over the bundled sample, by the judgements in
 * bench/search/judged: the share of searches that are fine by cause, for each set of queries, and the grades of
 * recommendations with the share of their excerpts that fit.
 *   npm run bench -- judged [--data DIR] [--only queries|requests] [--failures] [--version 1]
 * Without DIR, a demo is made in a temporary folder. `--failures` prints each answer that is not fine.
 */

import { startDemo } from './load/demo.ts'
import { flag, hasFlag } from './load/figures.ts'
import { unlimitedKey } from './load/folder.ts'
import { startService } from './load/service.ts'
import { gradeRequest, type Recommended, type RequestGrade } from './search/judged/grade-request.ts'
import { isFine, type JudgedLocation } from './search/judged/judgement.ts'
import { type JudgedRequest, querySets, readQueries, readRequests } from './search/judged/read-lines.ts'

const data = flag('data', '')
const only = flag('only', '')
const version = flag('version', '1')
const { server, key } = data === '' ? await startDemo() : { server: await startService(data), key: unlimitedKey(data) }

/** Calls an operation, and again as long as the index is not ready. */
async function call<T>(path: string, parameters: Readonly<Record<string, string>>): Promise<readonly T[]> {
  const url = `${server.url}${path}?${new URLSearchParams({ ...parameters, version })}`
  for (;;) {
    const response = await fetch(url, { headers: { 'X-API-Key': key } })
    if (response.status === 200) return ((await response.json()) as { data: T[] }).data
    if (response.status !== 503) {
      if (hasFlag('failures')) console.error(`${response.status} for ${url}`)
      return []
    }
    await new Promise(done => setTimeout(done, 200))
  }
}

const pointOf = (near: readonly [number, number] | undefined): Record<string, string> =>
  near === undefined ? {} : { lat: String(near[0]), lon: String(near[1]) }

const describe = (found: readonly JudgedLocation[]): string =>
  found
    .slice(0, 5)
    .map(({ names, categories, addresses }) => {
      const { city, country_code: country } = addresses?.[0] ?? {}
      return `${names?.[0]?.value} (${categories?.[0]?.id}, ${[city, country].filter(Boolean).join(' ')})`
    })
    .join(' | ')

async function measureQueries(set: (typeof querySets)[number]): Promise<void> {
  const causes = new Map<string, { queries: number; fine: number }>()
  const all = readQueries(set)
  for (const { query, cause, near, fine } of all) {
    const results = await call<{ location: JudgedLocation }>('/locations/search', {
      query,
      size: '10',
      ...pointOf(near),
    })
    const found = results.map(({ location }) => location)
    const sum = causes.get(cause) ?? { queries: 0, fine: 0 }
    causes.set(cause, sum)
    sum.queries++
    if (isFine(found, fine)) sum.fine++
    else if (hasFlag('failures')) console.log(`${cause}: "${query}" -> ${describe(found)}`)
  }
  const share = ({ queries, fine }: { queries: number; fine: number }) => Number((fine / queries).toFixed(3))
  const fine = [...causes.values()].reduce((sum, one) => sum + one.fine, 0)
  console.log(`${set}.ndjson`)
  console.table([
    ...[...causes].map(([cause, sum]) => ({ cause, ...sum, share: share(sum) })),
    { cause: 'all', queries: all.length, fine, share: share({ queries: all.length, fine }) },
  ])
}

async function measureRequests(): Promise<void> {
  const causes = new Map<string, RequestSum>()
  for (const request of readRequests()) {
    const found = await recommend(request)
    const graded = gradeRequest(found, request)
    for (const cause of [request.cause, 'all']) {
      const sum = causes.get(cause) ?? emptySum()
      causes.set(cause, sum)
      sum.requests++
      sum[graded.grade]++
      sum.excerpts += graded.excerpts
      sum.fitting += graded.excerpts - graded.misfits.length
    }
    if (!hasFlag('failures')) continue
    if (graded.grade !== 'good') {
      const places = describe(found.map(({ location }) => location))
      console.log(`${graded.grade}, ${request.cause}: "${request.query}" -> ${places}`)
    }
    for (const misfit of graded.misfits) console.log(`excerpt for "${request.query}": ${misfit}`)
  }
  const all = causes.get('all') ?? emptySum()
  causes.delete('all')
  console.table(
    [...causes, ['all', all] as const].map(([cause, { fitting, ...sum }]) => ({
      cause,
      ...sum,
      'excerpts that fit': sum.excerpts === 0 ? 0 : Number((fitting / sum.excerpts).toFixed(3)),
    })),
  )
}

type RequestSum = Record<RequestGrade | 'requests' | 'excerpts' | 'fitting', number>

const emptySum = (): RequestSum => ({ requests: 0, good: 0, partly: 0, bad: 0, empty: 0, excerpts: 0, fitting: 0 })

const recommend = ({ query, near }: JudgedRequest) =>
  call<Recommended>('/recommendations/search', {
    query,
    size: '5',
    ...pointOf(near),
    ...(near && { radius: '10', unit: 'km' }),
  })

if (only !== 'requests') for (const set of querySets) await measureQueries(set)
if (only !== 'queries') await measureRequests()
await server.stop()
