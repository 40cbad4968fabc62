import { expect, it } from 'vitest'
import { check } from './check.ts'
import type { Evidence, JournalledCall } from './evidence.ts'

const limits = { rate: 2, burst: 2, quota: 5 }
const startMs = 1_800_000_000_000

/** Returns call `i` of a key that is called every half second. */
const callAt = (i: number, changed: Partial<JournalledCall> = {}): JournalledCall => ({
  node: i % 2 === 0 ? 'a' : 'b',
  end: { file: 1, offset: 100 * (i + 1) },
  requestId: `request ${i}`,
  keyId: 'k',
  status: 200,
  units: 1,
  epoch: 1,
  arrivalMs: startMs + 500 * i,
  endMs: startMs + 500 * i + 1,
  tatUs: (startMs + 500 * i) * 1000 + 500_000,
  windowStartMs: startMs,
  ...changed,
})

const count = (length: number) => Array.from({ length }, (_, i) => callAt(i))

/** Returns the evidence of a run in which everything was counted. */
function evidenceOf(calls: readonly JournalledCall[], changed: Partial<Evidence> = {}): Evidence {
  const sums = { calls: calls.length, units: calls.reduce((sum, { units }) => sum + units, 0) }
  return {
    calls,
    openings: [{ epoch: 1, positions: new Map() }],
    endings: [],
    losses: { epochs: [], lives: 0, flushes: 0, setbacks: 0, faults: 0 },
    nodes: 2,
    keys: new Map([['k', limits]]),
    clients: new Map([
      ['k', { answers: sums.calls, units: sums.units, unanswered: 0, unansweredUnits: 0, unitsBefore: 0 }],
    ]),
    billed: new Map([['k', sums]]),
    windows: [{ keyId: 'k', windowStartMs: startMs, used: sums.units, carried: 0 }],
    ...changed,
  }
}

/** Returns the openings of two epochs; what was journalled up to the offset was folded before the second one. */
const secondOpening = (offset: number): Pick<Evidence, 'openings' | 'endings' | 'losses'> => ({
  openings: [
    { epoch: 1, positions: new Map() },
    { epoch: 2, positions: new Map(['a', 'b'].map(node => [node, { file: 1, offset }] as const)) },
  ],
  endings: [{ epoch: 1, cause: 'epoch lost' }],
  losses: { epochs: [1], lives: 0, flushes: 1, setbacks: 0, faults: 1 },
})
const { endings, losses } = secondOpening(0)

it('finds nothing where all calls were admitted and counted rightly', () => {
  expect(check(evidenceOf(count(5)))).toEqual({ violations: [], admitted: 5, late: 0, alone: 0, epochs: 1 })
})

it.each<[string, Evidence]>([
  ['a call over the quota', evidenceOf(count(6))],
  ['a call in an epoch that never opened', evidenceOf([callAt(0, { epoch: 3 })])],
  [
    'calls beyond the burst',
    evidenceOf([0, 1, 2, 3].map(i => callAt(i, { arrivalMs: startMs + i, endMs: startMs + i + 1 }))),
  ],
  [
    'calls before the bucket is full again',
    evidenceOf(
      [callAt(0, { tatUs: (startMs + 60_000) * 1000 }), callAt(1, { epoch: 2 }), callAt(2, { epoch: 2 })],
      secondOpening(100),
    ),
  ],
  ['a request that is journalled twice', evidenceOf([callAt(0), callAt(1, { requestId: 'request 0' })])],
  ['a call that is not billed', evidenceOf(count(2), { billed: new Map([['k', { calls: 1, units: 1 }]]) })],
  [
    'an answer that is not journalled',
    evidenceOf(count(1), {
      clients: new Map([['k', { answers: 2, units: 2, unanswered: 0, unansweredUnits: 0, unitsBefore: 0 }]]),
    }),
  ],
  [
    'a unit that is missing from the window',
    evidenceOf(count(2), { windows: [{ keyId: 'k', windowStartMs: startMs, used: 1, carried: 0 }] }),
  ],
  ['an epoch that continues after a loss', evidenceOf(count(2), { losses: { ...losses, epochs: [1] } })],
  ['an epoch that ends without a loss', evidenceOf(count(2), { endings })],
  ['a quota that starts again with an epoch', evidenceOf([...count(5), callAt(5, { epoch: 2 })], secondOpening(500))],
])('finds %s', (_, evidence) => {
  expect(check(evidence).violations).not.toEqual([])
})

it('explains units over the quota by calls that the limits could not know', () => {
  const calls = [...count(5), callAt(5, { epoch: 2 }), callAt(6, { epoch: 2, units: 0 })]
  // The last call of the first epoch was folded after the second one had opened.
  const late = check(evidenceOf(calls, secondOpening(400)))
  expect(late).toMatchObject({ violations: [], late: 1 })
  const alone = check(evidenceOf([...count(5), callAt(5, { epoch: 0 })]))
  expect(alone).toMatchObject({ violations: [], alone: 1 })
})
