import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** Waits until an index is served; with `count`, until it has that many results of `query`. */
export const searchable = (world: World, query = 'a', count?: number): Promise<void> =>
  eventually(async () => {
    const reply = await world.get(`/locations/search?query=${encodeURIComponent(query)}`)
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    const found = (reply.json() as { data: unknown[] }).data.length
    expect(found).toBe(count ?? found)
  })
