/**
 * Measures in process how often the place that a query was made from comes first, or among the first five.
 *   node bench/search/quality.ts PLACES.ndjson[.gz] INDEX [--seeds 1,2,3] [--per-class 100]
 *     [--misses 0] [--class NAME] [--more]
 * INDEX was made by bench/search/build.ts from the same file. No query looks for a generated place. `--misses` prints
 * that many failed queries of each class; `--more` uses further classes.
 */
import { parseArgs } from 'node:util'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { Budget } from '../../packages/server/src/search/index/budget.ts'
import { loadIndex } from '../../packages/server/src/search/index/file.ts'
import { viewOfIndex } from '../../packages/server/src/search/index/index-view.ts'
import { searchPlaces } from '../../packages/server/src/search/query/search-places.ts'
import { readPlaces } from './flat-places.ts'
import { furtherClasses, type Known, known, queryClasses } from './query-classes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    'per-class': { type: 'string', default: '100' },
    misses: { type: 'string', default: '0' },
    class: { type: 'string' },
    more: { type: 'boolean', default: false },
  },
})
const loaded = loadIndex(positionals[1]!)
if (loaded.outcome !== 'loaded') throw new Error(`The index could not be loaded: ${loaded.outcome}.`)
const view = viewOfIndex(loaded.index)

const all: Known[] = []
const original: Known[] = []
for await (const place of readPlaces(positionals[0]!)) {
  const entry = known(place)
  all.push(entry)
  if (place.source !== 'generated') original.push(entry)
}

const perClass = Number(values['per-class'])
const sums = new Map<string, { at1: number; at5: number; n: number; times: number[] }>()
for (const seed of values.seeds.split(',').map(Number)) {
  const makers = (values.more ? furtherClasses : queryClasses)(original, createRandom(seed))
  for (const [name, make] of Object.entries(makers)) {
    if (values.class !== undefined && values.class !== name) continue
    let misses = Number(values.misses)
    const sum = sums.get(name) ?? { at1: 0, at5: 0, n: 0, times: [] }
    sums.set(name, sum)
    for (let i = 0; i < perClass; i++) {
      const { text, near, geoName, categories, hit } = make()
      const query = {
        text,
        ...(near && { near }),
        ...(geoName !== undefined && { geoName }),
        ...(categories && { categories }),
        offset: 0,
        limit: 10,
      }
      const start = performance.now()
      const { hits, total } = searchPlaces(view, query, Budget.unlimited())!
      sum.times.push(performance.now() - start)
      const found = hits.map(({ id }) => all[Number(id) - 1]!)
      const rank = found.findIndex((place, at) => {
        return hit(place, hits[at]!.matchedName?.value)
      })
      sum.n++
      if (rank === 0) sum.at1++
      if (rank >= 0 && rank < 5) sum.at5++
      if (rank !== 0 && misses-- > 0) {
        const answers = found
          .slice(0, 3)
          .map((place, at) => `${place.name} (${place.city ?? ''}) ${hits[at]!.score.toFixed(3)}`)
        console.error(
          `${name} [${rank}] "${text}" ${JSON.stringify(near ?? geoName ?? '')} ${total} -> ${answers.join(' | ')}`,
        )
      }
    }
  }
}
const rows = [...sums].map(([name, { at1, at5, n, times }]) => {
  times.sort((a, b) => a - b)
  const ms = (share: number) => Number(times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(2))
  return { class: name, 'hit@1': at1 / n, 'hit@5': at5 / n, p50: ms(0.5), p99: ms(0.99), max: ms(1) }
})
const mean = (field: 'hit@1' | 'hit@5') => rows.reduce((sum, row) => sum + row[field], 0) / rows.length
for (const row of rows) {
  row['hit@1'] = Number(row['hit@1'].toFixed(3))
  row['hit@5'] = Number(row['hit@5'].toFixed(3))
}
console.table([
  ...rows,
  { class: 'mean', 'hit@1': Number(mean('hit@1').toFixed(4)), 'hit@5': Number(mean('hit@5').toFixed(4)) },
])
