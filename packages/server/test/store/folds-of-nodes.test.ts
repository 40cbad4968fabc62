/** Folds of several nodes at the same time in one ledger; locks of the tests decide the order. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Fold, Ledger, UsageCursor } from '../../src/domain/ledger.ts'
import { addNode, createPostgresLedger } from '../../src/store/postgres/ledger.ts'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { performOn } from '../../src/store/postgres/sql-database.ts'
import { createDatabase, describeWith } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'

describeWith(['pg'], 'folds of several nodes', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pool: PostgresPool
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    pool = new PostgresPool({ url: database.url, connections: 8, timeouts: workTimeouts })
  })
  afterAll(async () => {
    await pool?.close()
    await database?.drop()
  })
  beforeEach(() => pool.exec('TRUNCATE usage_position, usage_files, limit_states'))

  const openLedger = async (): Promise<Ledger> => {
    const node = randomUUID()
    await pool.use(session => performOn(session, addNode(node)))
    return createPostgresLedger(pool, { node, instance: undefined })
  }
  const piece = (more: Partial<Fold> = {}): Fold => ({
    from: '1:0' as UsageCursor,
    to: '1:100' as UsageCursor,
    files: [],
    rows: [],
    uses: [],
    states: [],
    last: { timeMs: 1, shiftMs: 0 },
    ...more,
  })
  const setEpoch = (state: 'opening' | 'open') =>
    pool.exec(`UPDATE limit_epoch SET epoch = 8, state = '${state}', late = false`)
  /** Holds what a statement locks, until the returned function is called. */
  const hold = async (statement: string) => {
    const session = await pool.hold()
    onTestFinished(() => session.release(true))
    await session.exec(`BEGIN; ${statement}`)
    return () => session.exec('COMMIT')
  }
  const countWaiting = async () => {
    const [row] = await pool.query<{ count: bigint }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    return Number(row!.count)
  }
  /** Folds nine calls of an earlier epoch on each of two nodes. */
  const foldEarlier = async () => {
    const nodes = [await openLedger(), await openLedger()]
    return () => Promise.all(nodes.map(ledger => ledger.commit(piece({ epochs: new Map([[7, 9]]) }))))
  }

  test('share the epoch while it opens', async () => {
    await setEpoch('opening')
    const fold = await foldEarlier()
    const release = await hold('SELECT FROM limit_epoch FOR SHARE')
    expect(await fold()).toEqual([{ late: 0 }, { late: 0 }])
    await release()
  })

  test('end an open epoch in turn', async () => {
    await setEpoch('open')
    const fold = await foldEarlier()
    // Both have shared the epoch when they have to change it.
    const release = await hold('SELECT FROM limit_epoch FOR SHARE')
    const folded = fold()
    await expect.poll(countWaiting).toBe(2)
    await release()
    expect(await folded).toEqual([{ late: 9 }, { late: 9 }])
    expect(await pool.query('SELECT late FROM limit_epoch')).toEqual([{ late: true }])
  })
})
