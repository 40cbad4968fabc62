import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../../databases.ts'
import { freePort } from '../../setup/free-port.ts'
import type { ClusterNode } from '../node.ts'
import { anyNode, type FaultContext, type FaultKind } from './context.ts'

/** Faults of the processes of nodes, of their folders, clocks and disks. */
export const nodeFaults = (context: FaultContext): FaultKind[] => [
  { name: 'node killed', parts: ['node'], weight: 4, start: () => killNode(context) },
  { name: 'node suspended', parts: ['node'], weight: 2, start: () => suspendNode(context) },
  { name: 'node killed in a fold', parts: ['node', 'link', 'store'], weight: 2, start: () => killInFold(context) },
  { name: 'node folder copied', parts: ['node', 'link', 'store'], weight: 1, start: () => copyFolder(context) },
  { name: 'node clock off', parts: ['clock'], weight: 1, start: () => shiftClock(context) },
  { name: 'node disk full', parts: ['disk'], weight: 1, start: () => fillDisk(context) },
]

async function killNode(context: FaultContext) {
  const node = anyNode(context)
  context.notes.kills++
  await node.kill()
  return () => node.start()
}

async function suspendNode(context: FaultContext) {
  const node = anyNode(context)
  node.suspend()
  return () => node.resume()
}

/** Most looks for a fold between two of its statements. */
const maxLooks = 300

/** Kills a node while one of its connections is between two statements of a fold. A slow link makes folds long. */
async function killInFold(context: FaultContext) {
  const node = anyNode(context)
  const { store } = node.parts
  store.set({ delayMs: 10 })
  for (let look = 0; look < maxLooks && !(await isFolding(context, store.clientPorts)); look++) await sleep(2)
  await sleep(context.below(60))
  context.notes.kills++
  await node.kill()
  store.set({})
  return () => node.start()
}

async function isFolding({ store }: FaultContext, ports: readonly number[]): Promise<boolean> {
  if (ports.length === 0) return false
  const found = await query(
    store.url,
    `SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND client_port IN (${ports.join()})
       AND query ~ 'limit_epoch|usage_|limit_states|keys'`,
  ).catch(() => [])
  return found.length > 0
}

/** Starts a second process on a copy of a node's folder, while the node runs and after it has started again. */
async function copyFolder(context: FaultContext) {
  const node = anyNode(context)
  if (node.url === undefined) return () => {}
  const copy = mkdtempSync(`${node.parts.folder}-copy-`)
  const isFile = (path: string) => !lstatSync(path).isSocket()
  cpSync(node.parts.folder, copy, { recursive: true, filter: isFile })
  await expectRefusal(context, node, copy, 'is running already')
  return async () => {
    context.notes.kills++
    await node.kill()
    await node.start()
    await expectRefusal(context, node, copy, 'is a copy')
    rmSync(copy, { recursive: true })
  }
}

async function expectRefusal({ notes }: FaultContext, node: ClusterNode, copy: string, reason: string): Promise<void> {
  try {
    const served = await node.run(copy, await freePort())
    await served.stop('SIGKILL')
    notes.violations.push(`A process has started on a copy of the folder of ${node.parts.name}.`)
  } catch (error) {
    if (!String(error).includes(reason))
      notes.violations.push(`A copy of the folder of ${node.parts.name} was refused otherwise: ${error}`)
  }
}

const hourMs = 3_600_000

async function shiftClock(context: FaultContext) {
  const node = anyNode(context)
  node.surround({ shiftMs: context.below(2) === 0 ? hourMs : -hourMs })
  return () => node.surround({ shiftMs: 0 })
}

async function fillDisk(context: FaultContext) {
  const node = anyNode(context)
  node.surround({ isFull: true })
  return () => node.surround({ isFull: false })
}
