import type { BlobStore } from '../domain/blob-store.ts'
import type { FoldedFile, NodeFiles } from '../domain/ledger.ts'
import type { NodeJournals, ShippedFile } from '../domain/node-journals.ts'
import { StoreFailure } from '../domain/store-errors.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { longestCallMs } from '../domain/usage-report.ts'
import { findBatches } from './batch-frame.ts'
import { collectShipped, longestCollectionMs } from './collect-shipped.ts'
import { recordsBetween } from './detail.ts'
import { readCalls } from './journal-calls.ts'
import { readShipped, shippedJournal } from './shipped-journal.ts'

/** Returns the records of nodes that arrived in a half-open span. Throws StoreFailure if one cannot be reached. */
export type NodeRecords = (fromMs: number, toMs: number) => Promise<readonly AsyncIterable<UsageRecord>[]>

/** Dependencies of `createNodeRecords`. */
interface NodeRecordParts {
  readonly journals: NodeJournals
  readonly blobs: BlobStore | undefined
  /** Maximum wait for what the nodes are asked to ship, in milliseconds. Default: that of a verification. */
  readonly waitMs?: number | undefined
  readonly nowMs: () => number
}

/** Interval between two requests to ship of a caller that does not wait, in milliseconds. */
const askEveryMs = 60_000

/**
 * Returns a function that reads the calls of other nodes from what these have shipped, as far as the ledger has them
 * . What is missing they are asked to ship.
 */
export function createNodeRecords(parts: NodeRecordParts): NodeRecords {
  const { journals, blobs, waitMs = longestCollectionMs, nowMs } = parts
  let askedMs = Number.NEGATIVE_INFINITY
  return async (fromMs, toMs) => {
    const nodes = await journals.answered(fromMs, toMs)
    let missing = await findMissing(parts, nodes, toMs)
    const mayAsk = waitMs > 0 || Math.abs(nowMs() - askedMs) >= askEveryMs
    if (missing && blobs && mayAsk) {
      askedMs = nowMs()
      await collectShipped(
        journals,
        nodes.filter(({ isForgotten }) => !isForgotten),
        waitMs,
      )
      missing = await findMissing(parts, nodes, toMs)
    }
    if (missing) throw unreachable(missing, fromMs, toMs)
    return Promise.all(
      nodes.map(async ({ node }) => {
        const journal = shippedJournal(blobs!, node, () => journals.shipped(node))
        return recordsBetween(journal, fromMs, toMs, await journals.ledgerOf(node).files())
      }),
    )
  }
}

const unreachable = (node: string, fromMs: number, toMs: number): StoreFailure =>
  new StoreFailure('unavailable', `The journal of node ${node}`, {
    text:
      `is not reachable, and has calls between ${new Date(fromMs).toISOString()} and ${new Date(toMs).toISOString()}. ` +
      'Try again in a minute, or choose a period that starts and ends at full hours.',
  })

/** Returns the first node that has calls before a time which the blobs lack; undefined if they have all. */
async function findMissing(
  { journals, blobs }: NodeRecordParts,
  nodes: readonly NodeFiles[],
  toMs: number,
): Promise<string | undefined> {
  for (const { node, files } of nodes) {
    const shipped = new Map((await journals.shipped(node)).map(file => [file.file, file]))
    for (const file of files) if (!blobs || !(await isShipped(blobs, file, shipped.get(file.file), toMs))) return node
  }
  return undefined
}

/** Returns true if the shipped part of a file has all its calls before a time. */
async function isShipped(
  blobs: BlobStore,
  { bytes }: FoldedFile,
  shipped: ShippedFile | undefined,
  toMs: number,
): Promise<boolean> {
  if (!shipped || shipped.bytes >= bytes) return shipped !== undefined
  let lastMs = 0
  for (const batch of findBatches(await readShipped(blobs, shipped)))
    for (const { timeMs } of readCalls(batch)) lastMs = Math.max(lastMs, timeMs)
  return lastMs - longestCallMs >= toMs
}
