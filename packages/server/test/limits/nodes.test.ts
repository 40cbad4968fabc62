import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LimitStates } from '../../src/domain/limit-states.ts'
import { pause, systemScheduler } from '../../src/limits/shared/scheduler.ts'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { PostgresLimitStates } from '../../src/store/postgres/shared-states.ts'
import { parseValkeyUrl, type ValkeyAddress } from '../../src/store/valkey/address.ts'
import { ValkeyLimitStates } from '../../src/store/valkey/limit-states.ts'
import { createDatabase, describeWith, type RunningEngine, startValkey } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { call, openNode, whenJoined } from './node.ts'
import { startWatched } from './watched-valkey.ts'

describeWith(['pg', 'valkey'], 'nodes that share limits', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let valkey: RunningEngine
  let watched: Awaited<ReturnType<typeof startWatched>>
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    valkey = await startValkey()
    watched = await startWatched()
  })
  afterAll(async () => {
    await watched?.stop()
    await valkey?.stop()
    await database?.drop()
  })

  const query = async (sql: string) => {
    const pool = new PostgresPool({ url: database.url, connections: 1, timeouts: workTimeouts })
    return pool.query(sql).finally(() => pool.close())
  }

  it.each([
    [
      'Valkey',
      () => new ValkeyLimitStates({ address: parseValkeyUrl(valkey.url) as ValkeyAddress, clusterId: 'c' }),
      async () => {
        process.kill(valkey.pid, 'SIGKILL')
        await valkey.restart()
      },
    ],
    [
      'the primary of Sentinels',
      () => new ValkeyLimitStates({ address: watched.address, clusterId: 'c' }),
      () => watched.replacePrimary(),
    ],
    [
      'PostgreSQL',
      () =>
        new PostgresLimitStates(
          new PostgresPool({ url: database.url, connections: 2, timeouts: workTimeouts }),
        ) as LimitStates,
      () => query('TRUNCATE shared_states, shared_life'),
    ],
  ])('admit a quota once, over a loss of all states in %s', async (_, openStates, lose) => {
    const quota = 300
    await query('TRUNCATE limit_states, usage_slots, usage_eighths, usage_days, cluster_nodes')
    const nodes = [await openNode(database.url, openStates), await openNode(database.url, openStates)]
    await whenJoined(nodes)
    let admitted = 0
    const callAll = async () => {
      const faults = await Promise.all(Array.from({ length: 20 }, (_, i) => call(nodes[i % 2]!, quota)))
      admitted += faults.filter(one => one === undefined).length
      return faults
    }
    while (admitted < quota / 2) await callAll()
    const losing = lose()
    for (let round = 0; round < 3; round++) await callAll()
    await losing
    await whenJoined(nodes)
    for (;;) {
      const faults = await callAll()
      if (faults.every(one => one === 'rate_limited')) break
      if (faults.includes('metering_unavailable')) await pause(systemScheduler, 5)
    }
    expect(nodes.map(({ member }) => member.counters.joins)).toEqual([2, 2])
    expect(admitted).toBe(quota)
    for (const { stop } of nodes) await stop()
    expect(await query('SELECT sum(units)::int AS units FROM usage_days')).toEqual([{ units: quota }])
    expect(await query('SELECT DISTINCT mode FROM cluster_nodes')).toEqual([{ mode: 'left' }])
  })
})
