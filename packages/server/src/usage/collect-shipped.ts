import { setTimeout as pause } from 'node:timers/promises'
import type { NodeFiles } from '../domain/ledger.ts'
import type { NodeJournals } from '../domain/node-journals.ts'

/** Interval of looks for what other nodes ship, in milliseconds. */
const lookEveryMs = 250
/** Maximum wait for what other nodes ship, in milliseconds. */
export const longestCollectionMs = 30_000

/** Asks nodes to ship what the ledger has of files, unless they have, and waits for it. */
export async function collectShipped(
  journals: NodeJournals,
  nodes: readonly NodeFiles[],
  waitMs: number,
): Promise<void> {
  if (await haveShipped(journals, nodes)) return
  await journals.requestShipping()
  const untilMs = performance.now() + waitMs
  while (performance.now() < untilMs && !(await haveShipped(journals, nodes))) await pause(lookEveryMs)
}

/** Returns true if nodes have shipped what the ledger has of files of their journals. */
async function haveShipped(journals: NodeJournals, nodes: readonly NodeFiles[]): Promise<boolean> {
  for (const { node, files } of nodes) {
    const shipped = new Map((await journals.shipped(node)).map(({ file, bytes }) => [file, bytes]))
    const isMissing = files.some(({ file, bytes, state }) => state === 'present' && bytes > (shipped.get(file) ?? 0))
    if (isMissing) return false
  }
  return true
}
