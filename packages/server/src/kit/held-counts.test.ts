import { expect, test } from 'vitest'
import { SharedCounts } from './held-counts.ts'
import { lock } from './shared-lock.ts'
import { allocateTable } from './shared-table.ts'

test('what names hold without a slot of their own is released completely', () => {
  const counts = new SharedCounts(allocateTable({ stripes: 1, slotsPerStripe: 3, columns: 2 }), 1)
  for (const name of ['a', 'b', 'c', 'd']) counts.add(name, 1)
  counts.add('a', -1)
  // Takes the slot that is free again.
  counts.add('c', 5)
  counts.add('c', -6)
  for (const name of ['b', 'd']) counts.add(name, -1)
  for (const name of ['a', 'b', 'c', 'd', 'e']) expect(counts.get(name)).toBe(0)
  for (const name of ['e', 'f', 'g']) expect(counts.addBelow(name, 1)).toBe(true)
})

test('a lock of a thread that has ended does not stop the others', () => {
  const shared = allocateTable({ stripes: 1, slotsPerStripe: 3, columns: 2 })
  expect(lock(new Int32Array(shared.memory), 0, 2, 0)).toBe(0)
  const counts = new SharedCounts(shared, 1)
  counts.add('a', 1)
  expect(counts.get('a')).toBe(1)
})
