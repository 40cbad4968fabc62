/**
 * Measures autocomplete: the number of letters that are typed until the wanted place is among five suggestions, and the
 * CPU time of a call.
 *   node bench/search/letters.ts PLACES.ndjson[.gz] INDEX [--seed 1] [--places 200] [--never 0]
 * INDEX was made by bench/search/build.ts from the same file. `--never` prints that many places of each class that are
 * not suggested for their whole name.
 */
import { parseArgs } from 'node:util'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { Budget } from '../../packages/server/src/search/index/budget.ts'
import { loadIndex } from '../../packages/server/src/search/index/file.ts'
import { viewOfIndex } from '../../packages/server/src/search/index/index-view.ts'
import { autocompletePlaces } from '../../packages/server/src/search/query/autocomplete-places.ts'
import { type Known, kilometres, known, shareName } from './classes/known.ts'
import { pickFrom } from './classes/trial.ts'
import { World } from './classes/world.ts'
import { readPlaces } from './flat-places.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    places: { type: 'string', default: '200' },
    never: { type: 'string', default: '0' },
  },
})
const loaded = loadIndex(positionals[1]!)
if (loaded.outcome !== 'loaded') throw new Error(`The index could not be loaded: ${loaded.outcome}.`)
const view = viewOfIndex(loaded.index)
const all: Known[] = []
for await (const place of readPlaces(positionals[0]!)) all.push(known(place))
const world = new World(all)

const times: number[] = []
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the places that five suggestions offer. */
function suggested(text: string, near: Known | undefined): readonly Known[] {
  const start = cpuMs()
  const bias = near && { near: { latitude: near.latitude + 0.02, longitude: near.longitude } }
  const { suggestions } = autocompletePlaces(view, { text, limit: 5, locales: [], ...bias }, Budget.unlimited())
  times.push(cpuMs() - start)
  return suggestions.flatMap(one => (one.type === 'location' ? [all[Number(one.id) - 1]!] : []))
}

/** Returns the number of letters until a place is suggested, or undefined. */
function lettersUntil(place: Known, isNear: boolean): number | undefined {
  const letters = [...place.name]
  const isWanted = (found: Known) =>
    found === place || (shareName(place, found) && (!isNear || kilometres(place, found) < 10))
  for (let typed = 1; typed <= letters.length; typed++) {
    if (suggested(letters.slice(0, typed).join(''), isNear ? place : undefined).some(isWanted)) return typed
  }
  return undefined
}

const venues = world.places.filter(
  ({ category, folded }) => !/^geo|^railway|^airport/.test(category) && folded.length >= 6,
)
const classes: readonly (readonly [name: string, places: readonly Known[], isNear: boolean])[] = [
  ['city of the 3,000 largest', world.cities.slice(0, 3000), false],
  ['the same, near', world.cities.slice(0, 3000), true],
  ['any city, near', world.cities, true],
  ['airport', world.places.filter(({ category, iata }) => category === 'airport' && iata !== undefined), false],
  ['place of another kind', venues, false],
  ['the same, near', venues, true],
]
const rows = classes.map(([name, places, isNear]) => {
  const pick = pickFrom(createRandom(Number(values.seed)))
  let unfound = Number(values.never)
  const counts = Array.from({ length: Number(values.places) }, () => {
    const place = pick.one(places)
    const count = lettersUntil(place, isNear)
    if (count === undefined && unfound-- > 0) console.error(`${name}: ${place.name} (${place.category})`)
    return count ?? Number.POSITIVE_INFINITY
  }).sort((a, b) => a - b)
  const quantile = (share: number) => counts[Math.floor((counts.length - 1) * share)]
  const never = counts.filter(count => count === Number.POSITIVE_INFINITY).length
  return { class: name, 'median of letters': quantile(0.5), p90: quantile(0.9), never }
})
console.table(rows)
times.sort((a, b) => a - b)
const ms = (share: number) => Number(times[Math.floor((times.length - 1) * share)]!.toFixed(2))
console.table([{ calls: times.length, 'CPU ms, p50': ms(0.5), p99: ms(0.99), max: ms(1) }])
