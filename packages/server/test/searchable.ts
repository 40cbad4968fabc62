import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** Waits until the service has an index; with `count`, until `query` has that many results. */
export const searchable = (world: Pick<World, 'get'>, query = 'a', count?: number): Promise<void> =>
  eventually(async () => {
    const reply = await world.get(`/locations/search?query=${encodeURIComponent(query)}`)
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    const found = (reply.json() as { data: unknown[] }).data.length
    expect(found).toBe(count ?? found)
  })
