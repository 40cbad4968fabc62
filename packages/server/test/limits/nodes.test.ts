import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limitDefaults } from '../../src/access/limits.ts'
import { fault } from '../../src/domain/fault.ts'
import type { LimitStates } from '../../src/domain/limit-states.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { whenRecorded } from '../../src/limits/call-limits-suite.fixture.ts'
import { createCall } from '../../src/limits/limits.fixture.ts'
import { Line } from '../../src/limits/shared/line.ts'
import { createNodeLimits } from '../../src/limits/shared/node-limits.ts'
import { pause, systemScheduler } from '../../src/limits/shared/scheduler.ts'
import { addNode, createPostgresLedger } from '../../src/store/postgres/ledger.ts'
import { createPostgresMembership } from '../../src/store/postgres/membership.ts'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { PostgresLimitStates } from '../../src/store/postgres/shared-states.ts'
import { performOn } from '../../src/store/postgres/sql-database.ts'
import { parseValkeyUrl, type ValkeyAddress } from '../../src/store/valkey/address.ts'
import { ValkeyLimitStates } from '../../src/store/valkey/limit-states.ts'
import { foldJournal } from '../../src/usage/fold.ts'
import { Journal } from '../../src/usage/journal.ts'
import { journalIn } from '../../src/usage/journal-reader.ts'
import { createDatabase, describeWith, type RunningEngine, startValkey } from '../engines.ts'
import { eventually } from '../eventually.ts'
import { postgresTemplate } from '../postgres-template.ts'

/** Opens a node with a journal of its own. */
async function openNode(url: string, openStates: () => LimitStates) {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-node-'))
  const node = randomUUID()
  const pool = new PostgresPool({ url, connections: 3, timeouts: workTimeouts })
  await pool.use(session => performOn(session, addNode(node)))
  const instance = randomUUID()
  const ledger = createPostgresLedger(pool, { node, instance })
  const membership = createPostgresMembership(pool, { node, instance, name: 'test', release: '1' })
  await membership.register([])
  const states = openStates()
  const journal = new Journal(folder)
  let folding: Promise<unknown> = Promise.resolve()
  const fold = async () => {
    await new Promise(resolve => setImmediate(resolve))
    while ((await foldJournal(journalIn(folder), ledger)).records > 0);
    return ledger.position()
  }
  const nodeLimits = createNodeLimits({
    states,
    membership,
    journal,
    settings: limitDefaults,
    scheduler: systemScheduler,
    line: new Line({
      states,
      scheduler: systemScheduler,
      nowMs: systemClock.nowMs,
      storeClockUs: membership.clockUs,
    }),
    meters: new Proxy({}, { get: () => ({ meter: 'call', weight: 1 }) }) as never,
    counters: { countRefusal: () => {}, countUnits: () => {} },
    foldAll: () => {
      const next = folding.then(fold, fold)
      folding = next.catch(() => {})
      return next
    },
    whenDown: 'refuse',
    refuseVoid: () => fault('metering_unavailable'),
    onReplaced: () => {},
  })
  nodeLimits.member.start()
  const stop = async () => {
    await nodeLimits.member.stop()
    await journal.close()
    await states.close()
    await pool.close()
  }
  return { ...nodeLimits, stop }
}

type Node = Awaited<ReturnType<typeof openNode>>

/** Makes a call; returns the code of its fault, or undefined if it was admitted. */
async function call({ limits }: Node, quota: number): Promise<string | undefined> {
  const numbers = { rate: 100_000, burst: 100_000, quota }
  const ticket = await limits.package.open({ ...createCall('getLocation', numbers), requestId: randomUUID() })
  if (ticket.refusal) {
    await ticket.settle({ status: 429, entities: 0 })
    return ticket.refusal.fault
  }
  const { refusal } = await whenRecorded(ticket.settle({ status: 200, entities: 1 }))
  return refusal?.fault
}

describeWith(['pg', 'valkey'], 'nodes that share limits', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let valkey: RunningEngine
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    valkey = await startValkey()
  })
  afterAll(async () => {
    await valkey?.stop()
    await database?.drop()
  })

  const query = async (sql: string) => {
    const pool = new PostgresPool({ url: database.url, connections: 1, timeouts: workTimeouts })
    return pool.query(sql).finally(() => pool.close())
  }

  const whenJoined = (nodes: readonly Node[]) =>
    eventually(() => expect(nodes.map(({ member }) => member.mode)).toEqual(nodes.map(() => 'in')))

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
