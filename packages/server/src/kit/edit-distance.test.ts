import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EditDistances } from './edit-distance.ts'

const unitsOf = (text: string) => Uint16Array.from(text, (_, i) => text.charCodeAt(i))

test.each([
  ['paris', 'paris', 0],
  ['paris', 'pariss', 1],
  ['paris', 'pris', 1],
  ['paris', 'apris', 1],
  ['paris', 'pbris', 1],
  ['restaurant', 'resturnat', 2],
  ['ca', 'abc', 3],
  ['', 'ab', 2],
])('%s and %s are %i apart', (a, b, distance) =>
  expect(new EditDistances(a, 3).to(unitsOf(b), 0, b.length)).toBe(distance),
)

/** Computes the distance by the textbook recurrence over the entire table. */
function naive(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : i)),
  )
  for (let j = 0; j <= b.length; j++) table[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, table[i - 2]![j - 2]! + 1)
      table[i]![j] = cost
    }
  }
  return table[a.length]![b.length]!
}

test('agrees with the textbook up to the limit, regardless of earlier comparisons', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 12 }), fc.integer({ min: 0, max: 3 }), (a, texts, limit) => {
      const distances = new EditDistances(a, limit)
      const units = unitsOf(texts.sort().join(''))
      let from = 0
      for (const text of texts) {
        expect(distances.to(units, from, from + text.length)).toBe(Math.min(naive(a, text), limit + 1))
        from += text.length
      }
    }),
    { numRuns: 3000 },
  )
})
