import { expect, test } from 'vitest'
import { type MemoryOrders, pageOrders, parseOrder, sortRows } from './list-order.ts'

interface Row {
  readonly name?: string
  readonly units?: number
}

const rowOrders: MemoryOrders<Row> = {
  name: { first: 'asc', value: ({ name }) => name },
  units: { first: 'desc', value: ({ units }) => units },
}
const rows: readonly Row[] = [{ name: 'b', units: 2 }, { name: 'C', units: 10 }, { units: 2 }, { name: 'a' }]
const sorted = (by: string, isDescending: boolean) => sortRows(rows, { by, isDescending }, rowOrders)

test('a list in memory is sorted without case, missing values below all others, equal rows in their order', () => {
  expect(sorted('name', false).map(({ name }) => name)).toEqual([undefined, 'a', 'b', 'C'])
  expect(sorted('name', true).map(({ name }) => name)).toEqual(['C', 'b', 'a', undefined])
  expect(sorted('units', true).map(({ name }) => name)).toEqual(['C', 'b', undefined, 'a'])
  expect(sorted('created', false)).toBe(rows)
})

test('a page has the orders of all its lists', () => {
  const orders = pageOrders({ by: 'name', isDescending: false }, rowOrders, { seen: { first: 'desc', value: () => 1 } })
  expect(orders.first).toEqual({ name: 'asc', units: 'desc', seen: 'desc' })
  expect(parseOrder('seen,asc', orders)).toEqual({ by: 'seen', isDescending: false })
  expect(parseOrder('constructor,asc', orders)).toBeUndefined()
})
