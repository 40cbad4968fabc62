import type { Id } from '../../packages/server/src/domain/id.ts'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { createPostgresLocations } from '../../packages/server/src/store/postgres/locations.ts'
import { PostgresPool, servingTimeouts } from '../../packages/server/src/store/postgres/pool.ts'
import { median } from '../load/figures.ts'
import type { MeasuredEngine } from './engines.ts'

const readsPerRound = 20_000
/** Connections of a service for reads. */
const connections = 4

/**
 * Measures reads of places by id that no cache has, in this process: CPU of the node and of PostgreSQL for each.
 * `width` reads are at work at once.
 */
export async function measureReads(
  database: MeasuredEngine,
  { url, places, width, rounds }: { url: string; places: number; width: number; rounds: number },
) {
  const pool = new PostgresPool({ url, connections, timeouts: servingTimeouts })
  const locations = createPostgresLocations(pool)
  const random = createRandom(1)
  const measure = async () => {
    const databaseMs = database.cpuMs()
    const start = process.cpuUsage()
    let made = 0
    const read = async () => {
      while (made++ < readsPerRound) await locations.get(BigInt(1 + Math.floor(random() * places)) as Id)
    }
    await Promise.all(Array.from({ length: width }, read))
    const { user, system } = process.cpuUsage(start)
    return {
      nodeUs: (user + system) / readsPerRound,
      databaseUs: ((database.cpuMs() - databaseMs) * 1000) / readsPerRound,
    }
  }
  await measure()
  const found = []
  for (let round = 0; round < rounds; round++) found.push(await measure())
  await pool.close()
  return {
    reads: `PostgreSQL, ${width} at once`,
    'node µs': Number(median(found.map(({ nodeUs }) => nodeUs)).toFixed(1)),
    'PostgreSQL µs': Number(median(found.map(({ databaseUs }) => databaseUs)).toFixed(1)),
  }
}
