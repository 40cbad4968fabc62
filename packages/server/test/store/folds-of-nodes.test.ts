/** Folds of several nodes at the same time in one ledger; locks of the tests decide the order. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Fold, FoldedState, Ledger, UsageCursor } from '../../src/domain/ledger.ts'
import { windowMs } from '../../src/domain/quota-window.ts'
import { mergeStates } from '../../src/limits/shared/simulation/memory-cluster.fixture.ts'
import { addNode, createPostgresLedger } from '../../src/store/postgres/ledger.ts'
import { foldStates } from '../../src/store/postgres/limit-states.ts'
import { locks } from '../../src/store/postgres/locks.ts'
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

  const nodes = [randomUUID(), randomUUID()]
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
    const ledgers = [await openLedger(), await openLedger()]
    return () => Promise.all(ledgers.map(ledger => ledger.commit(piece({ epochs: new Map([[7, 9]]) }))))
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

  test('let an epoch open while they wait for a change of control data', async () => {
    await setEpoch('opening')
    const ledger = await openLedger()
    const release = await hold(`SELECT pg_advisory_xact_lock(${locks.control})`)
    const folded = ledger.commit(piece({ epochs: new Map([[8, 9]]) }))
    await expect.poll(countWaiting).toBe(1)
    await setEpoch('open')
    await release()
    expect(await folded).toEqual({ late: 0 })
  })

  test('merge states as the pure function does, whichever node wrote last', async () => {
    const penalty = fc.record({
      firstRefusalUs: fc.nat(3),
      promiseUs: fc.nat(3),
      strikes: fc.nat(7),
      struckUs: fc.nat(3),
    })
    const state = fc.record({
      windowStartMs: fc.constantFrom(1, 2, windowMs, windowMs + 2),
      used: fc.nat(50),
      carried: fc.constant(0),
      tatUs: fc.nat(9),
      lastUs: fc.integer({ min: 1, max: 9 }),
      penalty: fc.option(penalty, { nil: undefined }),
    })
    const subjects = ['k1', 'k2', 'k3', 'k4', 'k5']
    const folds = fc.record({ node: fc.constantFrom(...nodes), states: fc.tuple(...subjects.map(() => state)) })
    await fc.assert(
      fc.asyncProperty(fc.array(folds, { minLength: 2, maxLength: 5 }), async all => {
        await pool.exec('DELETE FROM limit_states')
        let merged: FoldedState[] = []
        for (const { node, states } of all) {
          const added = states.map((one, i) => ({ ...one, subject: subjects[i]!, bucket: 'package' as const }))
          const stored = await pool.use(session => foldStates(session, node, added))
          merged = added.map((one, i) => (merged[i] ? mergeStates(merged[i], one) : one))
          expect(stored).toEqual(merged.map(one => ({ ...one, lastUs: undefined })))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('replace the states of a node that does not share limits', async () => {
    const penalty = { firstRefusalUs: 5, promiseUs: 9, strikes: 3, struckUs: 5 }
    const known = { subject: 'k1', bucket: 'package', windowStartMs: 1, used: 1, tatUs: 9, penalty } as const
    const next = { ...known, tatUs: 3, penalty: { ...penalty, promiseUs: 0, strikes: 2 } }
    const fold = (node: string, state: FoldedState) => pool.use(session => foldStates(session, node, [state]))
    await fold(nodes[0]!, known)
    expect(await fold(nodes[0]!, next)).toMatchObject([{ tatUs: 3, penalty: next.penalty }])
    expect(await fold(nodes[0]!, { ...next, penalty: undefined })).not.toMatchObject([{ penalty }])
    await fold(nodes[0]!, known)
    expect(await fold(nodes[1]!, next)).toMatchObject([{ tatUs: 9, penalty }])
  })
})
