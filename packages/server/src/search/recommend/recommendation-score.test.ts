import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ScoreInputs, scoreOf } from './recommendation-score.ts'
import { partWeights } from './recommendation-weights.ts'

const nothing: ScoreInputs = { words: [], ratings: undefined, closeness: 0, temporarilyClosed: false }
const best: ScoreInputs = {
  words: [{ weight: 0.7, strength: 1 }],
  ratings: { overall: { rating: 5, count: 1_000_000 } },
  newestDays: 0,
  closeness: 1,
  trips: { known: 5, matching: 5 },
  temporarilyClosed: false,
}

test('the weights add up to 1, and the best place scores 1', () => {
  expect(Object.values(partWeights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1)
  expect(scoreOf(best)).toBeCloseTo(1, 3)
  expect(scoreOf(nothing)).toBeCloseTo(partWeights.rating / 2)
})

test.each<[string, Partial<ScoreInputs>, Partial<ScoreInputs>]>([
  ['what reviews say', { spoken: 0.5 }, { spoken: 0 }],
  ['no word over complaints', {}, { spoken: -0.5 }],
  ['a word that matches', { words: [{ weight: 1, strength: 0.6 }] }, { words: [{ weight: 1, strength: 0 }] }],
  [
    'thousands of ratings over one',
    { ratings: { overall: { rating: 4.5, count: 2000 } } },
    { ratings: { overall: { rating: 5, count: 1 } } },
  ],
  ['no rating over a bad one', {}, { ratings: { overall: { rating: 1, count: 200 } } }],
  ['a new review over an old one', { newestDays: 3 }, { newestDays: 900 }],
  ['a review in the future is new', { newestDays: -3 }, { newestDays: 1 }],
  ['close over far', { closeness: 0.9 }, { closeness: 0.1 }],
  ['four of five trips over one of one', { trips: { known: 5, matching: 4 } }, { trips: { known: 1, matching: 1 } }],
  ['open over temporarily closed', {}, { temporarilyClosed: true }],
])('%s', (_name, better, worse) => {
  expect(scoreOf({ ...nothing, ...better })).toBeGreaterThan(scoreOf({ ...nothing, ...worse }))
})

test('the guide has the same weights', () => {
  const guide = readFileSync(new URL('../../../../../docs/guides/recommendations.md', import.meta.url), 'utf8')
  const table = [...guide.matchAll(/^\| `(\w+)` +\| +(\d\.\d\d) \|/gm)].map(([, part, weight]) => [
    part,
    Number(weight),
  ])
  expect(Object.fromEntries(table)).toEqual(partWeights)
})
