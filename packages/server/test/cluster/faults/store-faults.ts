import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../../databases.ts'
import { killAll, suspend } from '../../suspend.ts'
import { readPositions } from '../openings.ts'
import type { ReplacedStore } from '../store-group.ts'
import type { FaultContext, FaultKind } from './context.ts'

/** Faults of the database, and the change-over to a standby or a backup. */
export const storeFaults = (context: FaultContext): FaultKind[] => [
  { name: 'store killed', parts: ['store'], weight: 2, start: () => kill(context) },
  { name: 'store suspended', parts: ['store'], weight: 2, start: async () => suspend(context.store.primary.pid) },
  { name: 'store connections ended', parts: ['store'], weight: 2, start: () => endConnections(context) },
  { name: 'folds ended', parts: ['store'], weight: 2, start: () => endFolds(context) },
  { name: 'store promoted', parts: ['store', 'link'], weight: 0, start: () => promote(context) },
  { name: 'store restored', parts: ['store', 'link'], weight: 0, start: () => restore(context) },
]

async function kill({ store, notes }: FaultContext) {
  notes.kills++
  killAll(store.primary.pid)
  return () => store.restart()
}

/** Ends connections that fulfil a condition. The server itself may be gone. */
const endThose = ({ store }: FaultContext, condition: string) =>
  query(
    store.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
  ).catch(() => [])

async function endConnections(context: FaultContext) {
  const storm = async () => {
    for (let i = 0; i < 5; i++) {
      await endThose(context, 'true')
      await sleep(50)
    }
  }
  await storm()
  return storm
}

/** Ends connections between two statements of a transaction, which are those of folds, until the fault ends. */
async function endFolds(context: FaultContext) {
  const state = { isEnding: false }
  const ending = (async () => {
    while (!state.isEnding) {
      await endThose(context, "state = 'idle in transaction'")
      await sleep(5)
    }
  })()
  return async () => {
    state.isEnding = true
    await ending
  }
}

/**
 * A standby takes the place of a primary that is stopped; some nodes use it at once. Then the old primary is resumed,
 * while the others still use it. What it has not sent, or commits now, is lost.
 */
async function promote(context: FaultContext) {
  const { store, openings, nodes, below } = context
  await store.addStandby()
  await store.detachStandby()
  await sleep(below(2000))
  await openings.collect(store.url)
  const from = openings.newest
  const resume = suspend(store.primary.pid)
  const old = await store.promote()
  const positions = await readPositions(store.url)
  context.notes.setbacks++
  const first = below(nodes.length + 1)
  const move = (some: typeof nodes) => {
    for (const { parts } of some) parts.store.redirect(store.primary.port)
  }
  move(nodes.slice(0, first))
  return async () => {
    resume()
    await sleep(below(1500))
    move(nodes.slice(first))
    await replace(context, old)
    openings.setBack(from, positions)
  }
}

/** The database is restored from a backup that was made when the fault began. */
async function restore(context: FaultContext) {
  const { store, openings, nodes } = context
  const start = await store.backUp()
  return async () => {
    for (const { parts } of nodes) parts.store.set({ cut: true })
    context.notes.setbacks++
    const old = await start()
    await replace(context, old)
    openings.setBack(openings.newest, await readPositions(store.url))
    for (const { parts } of nodes) {
      parts.store.redirect(store.primary.port)
      parts.store.set({})
    }
  }
}

/** Takes up the notes of a database that another one has replaced, and ends it. */
async function replace({ openings }: FaultContext, old: ReplacedStore): Promise<void> {
  await openings.collect(old.url)
  await old.server.stop()
}
