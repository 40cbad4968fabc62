import { expect, it } from 'vitest'
import { getReadiness } from './health.ts'

const readyzOf = async (reasons: string[], notes: string[]) => {
  const { status, body } = await getReadiness({ reasons: () => reasons, notes: () => notes })
  return [status, JSON.parse(String(body))]
}

it.each([
  [[], [], 200, { status: 'ready' }],
  [[], ['building'], 200, { status: 'ready', notes: ['building'] }],
  [['shutting down'], ['building'], 503, { status: 'not ready', reasons: ['shutting down'] }],
])('reasons %j, notes %j: %i', async (reasons, notes, status, body) =>
  expect(await readyzOf(reasons, notes)).toEqual([status, body]),
)
