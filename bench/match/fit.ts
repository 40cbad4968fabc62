import type { Features } from '../../packages/server/src/match/features.ts'
import { type LogOdds, logOdds, score } from '../../packages/server/src/match/weights.ts'

/** A comparison of two records, and the truth about them. */
export interface Example {
  readonly features: Features
  readonly isOnePlace: boolean
}

/** Weights whose fields the labelled pairs show: ids and phone numbers are hidden in them. */
const fitted = ['prior', 'name', 'numbers', 'website', 'street', 'postalCode', 'category', 'distance'] as const

/** Steps by which a weight is changed, the largest first. */
const steps = [1, 0.5, 0.25]

/** Loss of a square of the difference from the current weight, for each example: few examples change little. */
const penalty = 0.002

/** Returns the weights with the smallest loss (log-likelihood), found from the current ones one weight at a time. */
export function fitWeights(examples: readonly Example[]): unknown {
  const weights = structuredClone(logOdds) as LogOdds
  const places = fitted.flatMap(name => numbersIn(weights, name))
  const start = places.map(({ read }) => read())
  const loss = () =>
    examples.reduce((sum, { features, isOnePlace }) => {
      const { probability } = score(features, weights)
      return sum - Math.log(Math.max(1e-6, isOnePlace ? probability : 1 - probability))
    }, 0) /
      examples.length +
    penalty * places.reduce((sum, { read }, i) => sum + (read() - start[i]!) ** 2, 0)
  let best = loss()
  const before = best
  for (const step of steps) {
    for (let improved = true; improved; ) {
      improved = false
      for (const { read, write } of places)
        for (const change of [step, -step]) {
          const value = read()
          write(value + change)
          const found = loss()
          if (found < best) [best, improved] = [found, true]
          else write(value)
        }
    }
  }
  return { loss: { before, after: best }, weights: Object.fromEntries(fitted.map(name => [name, weights[name]])) }
}

interface Place {
  readonly read: () => number
  readonly write: (value: number) => void
}

/** Returns the numbers of a member, except for bounds. */
function numbersIn(holder: object, name: string): Place[] {
  const at = holder as Record<string, unknown>
  const value = at[name]
  if (typeof value === 'number')
    return name === 'upTo' || name === 'minSimilarity'
      ? []
      : [{ read: () => at[name] as number, write: next => (at[name] = next) }]
  return Object.keys(value as object).flatMap(key => numbersIn(value as object, key))
}
