import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../databases.ts'

/** Longest time after which nodes must have joined. Nothing fails meanwhile, but the machine may be busy. */
const joinLimitMs = 60_000

/** Resolves when each node has entered the open epoch. */
export async function awaitJoined(database: string, count: number): Promise<void> {
  const endMs = performance.now() + joinLimitMs
  for (;;) {
    const [row] = await query<{ joined: number }>(
      database,
      `SELECT count(*)::int AS joined FROM cluster_nodes n, limit_epoch e
       WHERE n.mode = 'in' AND n.epoch = e.epoch AND e.state = 'open' AND NOT e.late AND NOT n.blind`,
    )
    if (row!.joined === count) return
    if (performance.now() > endMs) {
      const found = await query(
        database,
        'SELECT n.*, e.epoch AS now, e.state, e.late FROM cluster_nodes n, limit_epoch e',
      )
      throw new Error(
        `After a minute, ${row!.joined} of ${count} nodes have joined: ${JSON.stringify(found, undefined, 1)}`,
      )
    }
    await sleep(50)
  }
}
