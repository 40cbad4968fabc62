/**
 * Measures the quality of results for queries made from the places of a file: the share of wanted places that come
 * first, or among the first five. Classes of kinds measure the share of the first five that fit, those of chains the
 * share of the branches found, those of nonsense the share of empty answers.
 *   node bench/search/quality.ts PLACES.ndjson[.gz] INDEX [--seeds 1,2,3] [--per-class 100]
 *     [--misses 0] [--subjects names,cities,…] [--class NAME]
 * INDEX was made by bench/search/build.ts from the same file. No query looks for a generated place. `--misses` prints
 * that many failed queries of each class. Subjects are in query-classes.ts; the default is all.
 */
import { parseArgs } from 'node:util'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { Budget } from '../../packages/server/src/search/index/budget.ts'
import { loadIndex } from '../../packages/server/src/search/index/file.ts'
import { viewOfIndex } from '../../packages/server/src/search/index/index-view.ts'
import { searchPlaces } from '../../packages/server/src/search/query/search-places.ts'
import { type Known, known } from './classes/known.ts'
import type { Trial } from './classes/trial.ts'
import { World } from './classes/world.ts'
import { readPlaces } from './flat-places.ts'
import { subjects } from './query-classes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    'per-class': { type: 'string', default: '100' },
    misses: { type: 'string', default: '0' },
    subjects: { type: 'string', default: Object.keys(subjects).join(',') },
    class: { type: 'string' },
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
const world = new World(original)

interface Sum {
  readonly subject: string
  first: number
  five: number
  readonly times: number[]
}

/** Runs a query and adds its grade; returns a line that describes a failure. */
function run({ text, near, geoName, categories, limit = 10, grade }: Trial, sum: Sum): string | undefined {
  const options = {
    ...(near && { near }),
    ...(geoName !== undefined && { geoName }),
    ...(categories && { categories }),
  }
  const start = performance.now()
  const { hits, total } = searchPlaces(view, { text, ...options, offset: 0, limit }, Budget.unlimited())!
  sum.times.push(performance.now() - start)
  const found = hits.map(({ id, matchedName }) => ({ place: all[Number(id) - 1]!, matched: matchedName?.value }))
  const { first, five } = grade(found)
  sum.first += first
  sum.five += five
  if (first === 1 && five === 1) return undefined
  const answers = found
    .slice(0, 3)
    .map(
      ({ place }, at) =>
        `${place.name} (${place.category}, ${place.city ?? place.country ?? ''}) ${hits[at]!.score.toFixed(3)}`,
    )
  const context = JSON.stringify(near ?? geoName ?? '')
  return `[${first.toFixed(2)} ${five.toFixed(2)}] "${text}" ${context} ${total} -> ${answers.join(' | ')}`
}

const sums = new Map<string, Sum>()
for (const seed of values.seeds.split(',').map(Number)) {
  for (const subject of values.subjects.split(',')) {
    const makers = subjects[subject]?.(world, createRandom(seed))
    if (makers === undefined)
      throw new Error(`Unknown subject ${subject}. Known are ${Object.keys(subjects).join(', ')}.`)
    for (const [name, make] of Object.entries(makers)) {
      if (values.class !== undefined && values.class !== name) continue
      let misses = Number(values.misses)
      const sum = sums.get(name) ?? { subject, first: 0, five: 0, times: [] }
      sums.set(name, sum)
      for (let i = 0; i < Number(values['per-class']); i++) {
        const failure = run(make(), sum)
        if (failure !== undefined && misses-- > 0) console.error(`${name} ${failure}`)
      }
    }
  }
}

const round = (value: number, digits = 3) => Number(value.toFixed(digits))
const rows = [...sums].map(([name, { subject, first, five, times }]) => {
  times.sort((a, b) => a - b)
  const ms = (share: number) => round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!, 2)
  const n = times.length
  return { subject, class: name, 'hit@1': first / n, 'hit@5': five / n, p50: ms(0.5), p99: ms(0.99), max: ms(1) }
})
const rounded = rows.map(row => ({ ...row, 'hit@1': round(row['hit@1']), 'hit@5': round(row['hit@5']) }))
const means = [...new Set(rows.map(({ subject }) => subject))].map(subject => {
  const own = rows.filter(row => row.subject === subject)
  const mean = (field: 'hit@1' | 'hit@5') => round(own.reduce((sum, row) => sum + row[field], 0) / own.length, 4)
  return { subject, class: 'mean', 'hit@1': mean('hit@1'), 'hit@5': mean('hit@5') }
})
console.table([...rounded, ...means])
