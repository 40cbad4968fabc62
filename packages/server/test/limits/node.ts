/** Nodes in this process that share limits, each with a journal of its own in one database. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { limitDefaults } from '../../src/access/limits.ts'
import { fault } from '../../src/domain/fault.ts'
import type { LimitStates } from '../../src/domain/limit-states.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { whenRecorded } from '../../src/limits/call-limits-suite.fixture.ts'
import { createCall } from '../../src/limits/limits.fixture.ts'
import { Line } from '../../src/limits/shared/line.ts'
import { createNodeLimits } from '../../src/limits/shared/node-limits.ts'
import { systemScheduler } from '../../src/limits/shared/scheduler.ts'
import { addNode, createPostgresLedger } from '../../src/store/postgres/ledger.ts'
import { createPostgresMembership } from '../../src/store/postgres/membership.ts'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { performOn } from '../../src/store/postgres/sql-database.ts'
import { foldJournal } from '../../src/usage/fold.ts'
import { Journal } from '../../src/usage/journal.ts'
import { journalIn } from '../../src/usage/journal-reader.ts'
import { eventually } from '../eventually.ts'

/** Opens a node with a journal of its own. */
export async function openNode(url: string, openStates: () => LimitStates) {
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

export type Node = Awaited<ReturnType<typeof openNode>>

/** Makes a call; returns the code of its fault, or undefined if it was admitted. */
export async function call({ limits }: Node, quota: number): Promise<string | undefined> {
  const numbers = { rate: 100_000, burst: 100_000, quota }
  const ticket = await limits.package.open({ ...createCall('getLocation', numbers), requestId: randomUUID() })
  if (ticket.refusal) {
    await ticket.settle({ status: 429, entities: 0 })
    return ticket.refusal.fault
  }
  const { refusal } = await whenRecorded(ticket.settle({ status: 200, entities: 1 }))
  return refusal?.fault
}

/** Resolves when nodes decide calls in an epoch. */
export const whenJoined = (nodes: readonly Node[]): Promise<void> =>
  eventually(() => expect(nodes.map(({ member }) => member.mode)).toEqual(nodes.map(() => 'in')))
