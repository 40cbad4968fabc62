import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FoldedState, UsageCursor } from '../../src/domain/ledger.ts'
import type { Membership } from '../../src/domain/membership.ts'
import { MemoryCluster, toCursor } from '../../src/limits/shared/simulation/memory-cluster.fixture.ts'
import { addNode, createPostgresLedger } from '../../src/store/postgres/ledger.ts'
import { createPostgresMembership } from '../../src/store/postgres/membership.ts'
import { createPostgresNodeAdmin } from '../../src/store/postgres/node-admin.ts'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { performOn } from '../../src/store/postgres/sql-database.ts'
import { record } from '../../src/usage/records.fixture.ts'
import { Sums } from '../../src/usage/sums.ts'
import { createDatabase, describeWith } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'

/** A node of a cluster, whose calls are folded without a journal. */
interface TestNode {
  readonly membership: Membership
  position(): Promise<UsageCursor>
  /** Folds a call of an epoch; undefined for a call whose limits were not shared. */
  fold(epoch: number | undefined, windowStartMs: number): Promise<unknown>
}

/** Defines the tests that the membership of every engine must pass. */
function testMembership(open: () => Promise<readonly [TestNode, TestNode]>): void {
  let a: TestNode
  let b: TestNode
  beforeEach(async () => {
    ;[a, b] = await open()
  })

  /** Opens the next epoch, which both nodes enter. */
  const openEpoch = async (identity: string): Promise<number> => {
    const { epoch: seen } = (await a.membership.beat({ mode: 'in', stepUs: 0 }))!
    expect(await a.membership.openEpoch(seen, { identity, atLeast: 1000 })).toBe('opening')
    const { epoch } = (await a.membership.beat({ mode: 'in', stepUs: 0 }))!
    for (const { membership, position } of [a, b]) {
      await membership.beat({ mode: 'in', stepUs: 0 })
      expect(await membership.enter(epoch, await position())).toBe(true)
    }
    await b.membership.finishOpening(epoch.epoch)
    return epoch.epoch
  }
  const view = async () => (await a.membership.beat({ mode: 'in', stepUs: 0 }))!

  it('lets one of two nodes open an epoch, with a higher number', async () => {
    const [first, second] = [await view(), (await b.membership.beat({ mode: 'out', stepUs: 0 }))!]
    expect(first.epoch).toEqual({ epoch: 0, identity: '', state: 'opening', late: false })
    const next = { identity: 'life 1', atLeast: 1000 }
    expect(await a.membership.openEpoch(first.epoch, next)).toBe('opening')
    expect(await b.membership.openEpoch(second.epoch, next)).toBe('changed')
    const { epoch, others } = await view()
    expect(epoch).toEqual({ epoch: 1000, identity: 'life 1', state: 'opening', late: false })
    expect(others).toMatchObject([{ mode: 'out', epoch: 0, blind: false }])
    expect(await b.membership.enter(second.epoch, await b.position())).toBe(false)
    expect(await a.membership.openEpoch(epoch, { identity: 'life 2', atLeast: 5 })).toBe('opening')
    expect((await view()).epoch).toMatchObject({ epoch: 1001, identity: 'life 2' })
    expect(await a.membership.openEpoch((await view()).epoch, next)).toBe('old identity')
  })

  it('admits a node that has folded its journal', async () => {
    const epoch = await openEpoch('life 1')
    expect(await view()).toMatchObject({ epoch: { state: 'open' }, me: { epoch }, others: [{ epoch }] })
    const before = await a.position()
    await a.fold(epoch, 100)
    expect(await a.membership.enter((await view()).epoch, before)).toBe(false)
    expect(await a.membership.enter((await view()).epoch, await a.position())).toBe(true)
  })

  it('shows signs of life', async () => {
    await b.membership.beat({ mode: 'in', stepUs: 0 })
    const [before] = (await view()).others
    await b.membership.beat({ mode: 'left', stepUs: 0 })
    const [after] = (await view()).others
    expect([before!.mode, after!.mode]).toEqual(['in', 'left'])
    expect(after!.beat).not.toBe(before!.beat)
  })

  it('ends an open epoch with the calls of another, and marks nodes that answered alone', async () => {
    const first = await openEpoch('life 1')
    expect(await a.fold(first, 100)).toEqual({ late: 0 })
    expect((await view()).epoch.late).toBe(false)
    const second = await openEpoch('life 2')
    expect(await b.fold(first, 100)).toEqual({ late: 1 })
    expect(await view()).toMatchObject({ epoch: { epoch: second, late: true }, others: [{ blind: false }] })
    const third = await openEpoch('life 3')
    await b.fold(0, 100)
    expect(await view()).toMatchObject({ epoch: { late: false }, others: [{ blind: true }] })
    expect(await b.membership.enter((await view()).epoch, await b.position())).toBe(true)
    expect((await view()).others).toMatchObject([{ blind: false }])
    await b.membership.markLate(third - 1)
    expect((await view()).epoch.late).toBe(false)
    await b.membership.markLate(third)
    expect((await view()).epoch.late).toBe(true)
  })

  it('ends an open epoch with calls of a node that did not share its limits', async () => {
    await openEpoch('life 1')
    expect(await b.fold(undefined, 100)).toEqual({ late: 1 })
    expect((await view()).epoch.late).toBe(true)
  })

  it('reads the states of subjects with the units of all nodes', async () => {
    const epoch = await openEpoch('life 1')
    await a.fold(epoch, 100)
    await b.fold(epoch, 103)
    await b.fold(epoch, 100)
    const seeds = await a.membership.seeds(['k1', 'k2'])
    expect([...seeds.keys()]).toEqual(['k1'])
    const state: Partial<FoldedState> = { subject: 'k1', bucket: 'package', windowStartMs: 103, used: 3, carried: 2 }
    expect(seeds.get('k1')).toMatchObject([{ ...state, lastUs: 1_800_000_000_000_000 }])
  })
}

/** Returns the sums of a call of an epoch. */
function sumCall(epoch: number | undefined, windowStartMs: number) {
  const timeMs = 1_800_000_000_000
  const marks = [{ bucket: 'package', windowStartMs, tatUs: timeMs * 1000 + 5 }] as const
  const call = record({ epoch, timeMs, marks })
  const sums = new Sums()
  sums.add([{ terms: call, source: undefined, at: 0, idLow: 0, idHigh: 0, timeMs, durationUs: 1, tatUs: 0 }])
  return { call, fold: { files: [], ...sums.fold() } }
}

describe('membership in memory', () => {
  testMembership(async () => {
    const cluster = new MemoryCluster()
    const open = (name: string): TestNode => ({
      membership: {
        register: async () => true,
        beat: async report => cluster.beat(name, report),
        openEpoch: async (seen, next) => cluster.openEpoch(seen, next),
        enter: async (seen, position) => cluster.enter(name, seen, Number(position)),
        finishOpening: async epoch => cluster.finishOpening(epoch),
        markLate: async epoch => cluster.markLate(epoch),
        clockUs: async () => 0,
        seeds: async subjects => cluster.seeds(subjects),
      },
      position: async () => toCursor(cluster.positionOf(name)),
      fold: async (epoch, startMs) => cluster.fold(name, cluster.positionOf(name), [sumCall(epoch, startMs).call]),
    })
    const nodes = [open('a'), open('b')] as const
    for (const { membership } of nodes) await membership.beat({ mode: 'out', stepUs: 0 })
    return nodes
  })
})

describeWith(['pg'], 'membership in PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pool: PostgresPool
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
    pool = new PostgresPool({ url: database.url, connections: 4, timeouts: workTimeouts })
  })
  afterAll(async () => {
    await pool?.close()
    await database?.drop()
  })

  const identify = (node: string) => ({ node, instance: randomUUID(), name: 'machine', release: '1.0.0' })

  testMembership(async () => {
    await pool.exec(`
      TRUNCATE cluster_nodes, usage_position, usage_files, limit_states, limit_epochs;
      UPDATE limit_epoch SET epoch = 0, identity = '', state = 'opening', late = false;
    `)
    const open = async (): Promise<TestNode> => {
      const me = identify(randomUUID())
      await pool.use(session => performOn(session, addNode(me.node)))
      const ledger = createPostgresLedger(pool, me)
      const membership = createPostgresMembership(pool, me)
      expect(await membership.register([])).toBe(true)
      let folds = 0
      const fold = async (epoch: number | undefined, windowStartMs: number) =>
        ledger.commit({
          ...sumCall(epoch, windowStartMs).fold,
          from: await ledger.position(),
          to: `1:${++folds}` as UsageCursor,
        })
      return { membership, position: () => ledger.position(), fold }
    }
    return [await open(), await open()]
  })

  it('belongs to one process of a node', async () => {
    const first = identify(randomUUID())
    const next = identify(first.node)
    const [one, two] = [first, next].map(me => createPostgresMembership(pool, me)) as [Membership, Membership]
    expect(await one.register([])).toBe(true)
    expect(await two.register([randomUUID()])).toBe(false)
    expect(await one.beat({ mode: 'in', stepUs: 0 })).toBeDefined()
    expect(await two.register([first.instance])).toBe(true)
    expect(await one.beat({ mode: 'in', stepUs: 0 })).toBeUndefined()
    expect(await two.beat({ mode: 'in', stepUs: 0 })).toMatchObject({ me: { node: first.node } })
    // A database that was restored knows an instance before the last one.
    const third = createPostgresMembership(pool, identify(first.node))
    await pool.exec(`UPDATE cluster_nodes SET instance = '${first.instance}' WHERE node = '${first.node}'`)
    expect(await third.register([next.instance])).toBe(false)
    expect(await third.register([next.instance, first.instance])).toBe(true)
  })

  it('shows which process has folded all that was not stored before its answer', async () => {
    const storing = { ...identify(randomUUID()), isStoring: true }
    const { node } = storing
    await pool.use(session => performOn(session, addNode(node)))
    const isStoring = async () => (await createPostgresNodeAdmin(pool).find(node))!.isStoring
    const one = createPostgresMembership(pool, storing)
    await one.register([])
    // An earlier process may have left calls in the folder.
    await one.beat({ mode: 'in', stepUs: 0 })
    expect(await isStoring()).toBe(false)
    await one.beat({ mode: 'in', stepUs: 0, foldedAgeMs: 1 })
    expect(await isStoring()).toBe(true)
    const two = createPostgresMembership(pool, identify(node))
    await two.register([storing.instance])
    await two.beat({ mode: 'in', stepUs: 0, foldedAgeMs: 1 })
    expect(await isStoring()).toBe(false)
  })
})
