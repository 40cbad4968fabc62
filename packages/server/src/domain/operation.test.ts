import { expect, test } from 'vitest'
import { routes } from '../http/partner/routes.ts'
import { searchOperations } from './operation.ts'

test('the operations of searches are those that the route table limits as searches', () => {
  const limited = routes.filter(({ bucket }) => bucket === 'search').map(({ operation }) => operation)
  expect(searchOperations).toEqual(limited)
})
