import { setTimeout as wait } from 'node:timers/promises'
import type { World } from './world.ts'

/** Waits until the index that a start or an import has brought about is served, and holds `count` results of `query`. */
export async function searchable(world: World, query = 'a', count?: number): Promise<void> {
  for (const startMs = performance.now(); ; await wait(25)) {
    const reply = await world.get(`/locations/search?query=${encodeURIComponent(query)}`)
    const found = reply.status === 200 ? (reply.json() as { data: unknown[] }).data.length : undefined
    if (found !== undefined && found === (count ?? found)) return
    if (performance.now() - startMs > 10_000) throw new Error(`not within 10 s: ${reply.status} ${reply.text}`)
  }
}
