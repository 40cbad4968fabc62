import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios } from '../scenario.ts'
import { importBytes, importRows, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const statusOf = (path: string, status: object) => ({
  name: `${path}`,
  get: path,
  status: 200,
  body: { data: { status } },
})

scenarios('status values (SPEC §3, R-22)', () => world, [
  { ...statusOf('/locations/1', { value: 'OPEN' }), text: '"status":{"value":"OPEN"}' },
  statusOf('/locations/3', { value: 'TEMPORARILY_CLOSED', closed_date: '2026-01-31', reopen_date: '2026-09-01' }),
  { ...statusOf('/locations/4', { value: 'CLOSED' }), text: '"status":{"value":"CLOSED","closed_date":"2024-02-29"}' },
  statusOf('/locations/40', { value: 'OPEN' }),
  statusOf('/catalog/locations/3', { value: 'TEMPORARILY_CLOSED', reopen_date: '2026-09-01' }),
])

describe('any status may follow any other (R-22)', () => {
  const closed = { value: 'CLOSED', closed_date: '2026-01-01' }
  const closedForAWhile = { value: 'TEMPORARILY_CLOSED', closed_date: '2026-01-02', reopen_date: '2020-01-01' }
  const open = { value: 'OPEN' }
  const steps = [open, closed, closedForAWhile, closed, open, closedForAWhile, open]
  test.each(steps.map((status, i) => [i, status] as const))('step %i: %o', async (i, status) => {
    const row = { id: 500, source: 'atlas', source_id: 's', name: `Gate ${i}`, lat: 1, lon: 1, status }
    await importRows(world.config, 'location', [row])
    await expect
      .poll(async () => (await world.get('/locations/500')).text)
      .toContain(`"status":${JSON.stringify(status)}`)
  })
})

describe('drops dates that do not fit the status (R-22)', () => {
  test.each([
    [{ status: 'OPEN', closed_date: '2026-01-01' }, { value: 'OPEN' }],
    [{ status: 'OPEN', reopen_date: '2026-01-01' }, { value: 'OPEN' }],
    [
      { status: 'CLOSED', closed_date: '2026-01-01', reopen_date: '2026-02-01' },
      { value: 'CLOSED', closed_date: '2026-01-01' },
    ],
    [{ closed_date: '2026-01-01' }, { value: 'OPEN' }],
    [{ status: { value: 'closed', reopen_date: '2026-02-01' } }, { value: 'CLOSED' }],
  ])('%o', async (given, served) => {
    const id = 600 + Math.floor(Math.random() * 1e9)
    const row = { id, name: 'Gate', lat: 1, lon: 1, ...given }
    const { report } = await importBytes(world.config, JSON.stringify(row))
    expect(report).toMatchObject({ added: 1, notes: { status_date_dropped: 1 } })
    const reply = await world.get(`/locations/${id}`)
    expect((reply.json() as { data: { status: object } }).data.status).toEqual(served)
  })
})
