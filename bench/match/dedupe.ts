/**
 * Measures `periplus dedupe` on pairs that an id or a phone number labels, which the records then lack: the share of
 * merges that are right (precision), and of pairs of one place that are merged (recall).
 *   node bench/match/dedupe.ts FILE [--per-kind 500] [--seed 1] [--min .92] [--wrong 0] [--missed 0] [--fit]
 * FILE has places as docs/guides/import-data.md describes them. One half of the pairs is for fitting: `--fit` prints the
 * weights that suit it best. The figures are of the other half.
 */
import { parseArgs } from 'node:util'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { compare as compareFields } from '../../packages/server/src/match/features.ts'
import { createComparison, findDuplicates } from '../../packages/server/src/match/find-duplicates.ts'
import { fitWeights } from './fit.ts'
import { type LabelledPair, labelledPairs } from './labelled-pairs.ts'
import { readRecords } from './read-records.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'per-kind': { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    min: { type: 'string', default: '.92' },
    wrong: { type: 'string', default: '0' },
    missed: { type: 'string', default: '0' },
    fit: { type: 'boolean', default: false },
  },
})
const places = await readRecords(positionals[0]!)
const random = createRandom(Number(values.seed))
const { compare, context } = createComparison(
  places.map(({ record }) => record),
  Number(values.min),
)

/** Returns some pairs of each kind, in random order. */
function choose(pairs: readonly LabelledPair[]): readonly LabelledPair[] {
  const shuffled = pairs.map(pair => ({ pair, at: random() })).toSorted((a, b) => a.at - b.at)
  const most = Number(values['per-kind'])
  return [...Map.groupBy(shuffled, ({ pair }) => pair.kind).values()].flatMap(list =>
    list.slice(0, most).map(({ pair }) => pair),
  )
}
const chosen = choose(labelledPairs(places))
const [forFitting, others] = [0, 1].map(half => chosen.filter((_, i) => i % 2 === half))

if (values.fit) {
  const examples = forFitting!
    .filter(({ a, b }) => a.placeClass === b.placeClass)
    .map(({ a, b, isOnePlace }) => ({ features: compareFields(a, b, context), isOnePlace }))
  console.log(JSON.stringify(fitWeights(examples), null, 2))
}

const records = [...new Set(others!.flatMap(({ a, b, truth }) => (truth ? [a, b, truth] : [a, b])))]
const { clusters } = findDuplicates(records, { compare, context })
const clusterOf = new Map(clusters.flatMap(members => members.map(member => [records[member]!, members] as const)))
const areMerged = ({ a, b }: LabelledPair): boolean =>
  clusterOf.get(a) !== undefined && clusterOf.get(a) === clusterOf.get(b)

let [wrong, missed] = [Number(values.wrong), Number(values.missed)]
const show = ({ a, b, kind }: LabelledPair) => {
  const { probability, reasons } = compare(a, b)
  const texts = [a, b].map(({ names, street }) => `${names[0]?.join(' ')} (${street.join(' ')})`)
  const fields = reasons.map(
    ({ field, agrees, similarity, meters }) => `${agrees ? '+' : '-'}${field} ${similarity ?? meters ?? ''}`,
  )
  console.log(`${kind}: ${texts.join(' | ')} ${probability.toFixed(2)} ${fields.join(', ')}`)
}
const rows = [...Map.groupBy(others!, ({ kind }) => kind)].map(([kind, pairs]) => {
  const merged = pairs.filter(areMerged)
  for (const pair of merged) if (!pair.isOnePlace && wrong-- > 0) show(pair)
  for (const pair of pairs) if (pair.isOnePlace && !merged.includes(pair) && missed-- > 0) show(pair)
  const { isOnePlace } = pairs[0]!
  const reported = pairs.filter(({ a, b }) => compare(a, b).decision !== undefined).length
  return { kind, isOnePlace, pairs: pairs.length, merged: merged.length, reported }
})
console.table(rows)
const sum = (isOnePlace: boolean, member: 'pairs' | 'merged') =>
  rows.filter(row => row.isOnePlace === isOnePlace).reduce((total, row) => total + row[member], 0)
const share = (part: number, of: number) => Number((part / of).toFixed(4))
console.log({
  pairs: others!.length,
  precision: share(sum(true, 'merged'), sum(true, 'merged') + sum(false, 'merged')),
  recall: share(sum(true, 'merged'), sum(true, 'pairs')),
})
