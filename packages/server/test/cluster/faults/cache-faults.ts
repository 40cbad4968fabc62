import { setTimeout as sleep } from 'node:timers/promises'
import { suspend } from '../../suspend.ts'
import { anyNode, type FaultContext, type FaultKind, noteLoss } from './context.ts'

/** Faults of the cache, of its clock, and the change-over to a replica. */
export function cacheFaults(context: FaultContext): FaultKind[] {
  const clock = { offS: 0 }
  return [
    { name: 'cache killed', parts: ['cache'], weight: 4, start: () => kill(context) },
    {
      name: 'cache suspended',
      parts: ['cache'],
      weight: 2,
      start: async () => suspend(context.cache.primary.pid),
    },
    { name: 'cache flushed', parts: ['cache'], weight: 2, start: () => flush(context) },
    { name: 'cache clock set', parts: ['cache'], weight: 2, start: () => setClock(context, clock) },
    { name: 'cache promoted', parts: ['cache', 'link'], weight: 0, start: () => promote(context) },
    { name: 'one hot key', parts: ['node', 'cache', 'store', 'link'], weight: 1, start: () => heat(context) },
  ]
}

async function kill(context: FaultContext) {
  await noteLoss(context, 'lives')
  context.notes.kills++
  process.kill(context.cache.primary.pid, 'SIGKILL')
  return async () => {
    await context.onCacheLost()
    await context.cache.restart()
  }
}

async function flush(context: FaultContext) {
  await noteLoss(context, 'flushes')
  await context.onCacheLost()
  await context.cache.ask('FLUSHALL')
  return () => {}
}

const hourS = 3600
/** States expire after 25 hours. */
const expiryS = 25 * hourS

/**
 * Sets the clock of the cache, which the links show to the nodes. What has expired by the new time is removed, as a
 * server does: all states, or only the epoch, which lives for a minute.
 */
async function setClock(context: FaultContext, clock: { offS: number }) {
  const offS = [0, 26 * hourS, -26 * hourS, 2 * hourS, -2 * hourS][context.below(5)]!
  const stepS = offS - clock.offS
  clock.offS = offS
  context.print(`The clock of the cache is ${offS / hourS} h off.`)
  for (const { parts } of context.nodes) parts.cache.shiftClock(offS)
  if (stepS > 0) {
    await noteLoss(context, 'flushes')
    await context.onCacheLost()
    await (stepS >= expiryS ? context.cache.ask('FLUSHALL') : context.cache.ask('DEL', 'p:epoch'))
  }
  return () => {}
}

/**
 * A replica takes the place of a primary that is stopped; some nodes use it at once. Then the old primary is resumed,
 * while the others still use it.
 */
async function promote(context: FaultContext) {
  const { cache, nodes, below } = context
  await noteLoss(context, 'lives')
  const resume = suspend(cache.primary.pid)
  await sleep(below(2500))
  await context.onCacheLost()
  await cache.promote()
  const first = below(nodes.length + 1)
  const move = (some: typeof nodes) => {
    for (const { parts } of some) parts.cache.redirect(cache.primary.port)
  }
  move(nodes.slice(0, first))
  return async () => {
    resume()
    await sleep(below(3000))
    move(nodes.slice(first))
    await cache.reunite()
  }
}

/** Distance of the far nodes from the cache, in each direction. */
const farMs = 1

/**
 * All calls are for one key, and one node is next to the cache. It must not starve the others: a node that never wins a
 * swap refuses its calls as busy. Calls that are refused because of another fault do not count.
 */
async function heat(context: FaultContext) {
  const { traffic, nodes } = context
  const near = anyNode(context)
  const far = nodes.filter(node => node !== near)
  for (const { parts } of far) parts.cache.set({ delayMs: farMs })
  const stopHeat = traffic.heat()
  return () => {
    const counts = stopHeat()
    for (const { parts } of far) parts.cache.set({})
    for (const node of nodes) {
      const { admitted, busy } = counts.get(node) ?? { admitted: 0, busy: 0 }
      const where = node === near ? ' next to the cache' : ''
      context.print(`${node.parts.name}${where}: ${admitted} calls admitted, ${busy} refused as busy.`)
      if (busy > admitted)
        context.notes.violations.push(
          `${node.parts.name} has refused ${busy} calls of a hot key, and admitted ${admitted}.`,
        )
    }
  }
}
