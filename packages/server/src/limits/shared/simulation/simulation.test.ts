import { expect, it } from 'vitest'
import type { LeftOut } from './memory-cluster.fixture.ts'
import { simulate } from './simulation.fixture.ts'

/** Number of simulations; `npm run soak -- cluster-limits` runs many. */
const seeds = Number(process.env.PERIPLUS_CLUSTER_SEEDS ?? 12)
const first = Number(process.env.PERIPLUS_SEED ?? 1)

it('admits nothing beyond the limits but what silent nodes explain, whatever fails', async () => {
  const sums = { admitted: 0, epochs: 0, late: 0, alone: 0 }
  for (let seed = first; seed < first + seeds; seed++) {
    const { violations, ...counts } = await simulate({ seed })
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += counts[name]
  }
  // The faults must have reached what the protocol is for.
  for (const count of Object.values(sums)) expect(count).toBeGreaterThan(0)
}, 7_200_000)

/** First seeds to search from. */
it.each<[LeftOut, number]>([
  ['late', 17],
  ['blind', 20],
  ['seeds', 1],
  ['barrier', 1],
])('finds a wrong unit without %s', async (leftOut, from) => {
  for (let seed = from; seed < from + 100; seed++) {
    const { violations } = await simulate({ seed, leftOut })
    if (violations.length > 0) return
  }
  expect.fail('No simulation has found a violation.')
})
