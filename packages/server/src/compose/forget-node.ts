import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '../domain/blob-store.ts'
import type { NodeAdmin } from '../domain/node-admin.ts'
import type { NodeJournals } from '../domain/node-journals.ts'
import { foldLostNode } from '../usage/restore-stored.ts'

/** The journal of a forgotten node, as far as it is counted and proved. */
export interface ForgottenNode {
  /** Number of calls that were counted now. */
  readonly calls: number
  /** True if calls in the ledger are in no journal that can be reached any more. */
  readonly isUnproved: boolean
  /** Time of the first of these calls, in milliseconds since 1970; undefined if it is unknown. */
  readonly unprovedFromMs: number | undefined
}

/**
 * Counts all that can be reached of the journal of a node whose folder is lost, and removes it from the nodes. Call it
 * for a node that does not live. Safe to interrupt and rerun: from the first step, no process starts as the node.
 */
export async function forgetNode(
  nodes: NodeAdmin,
  journals: NodeJournals,
  blobs: BlobStore | undefined,
  node: string,
): Promise<ForgottenNode> {
  await nodes.replace(node)
  const calls = blobs ? await foldReachable(journals, blobs, node) : 0
  const shipped = new Map((await journals.shipped(node)).map(({ file, bytes }) => [file, bytes]))
  const files = await journals.ledgerOf(node).files()
  const unproved = files.filter(({ file, bytes, state }) => state !== 'dropped' && bytes > (shipped.get(file) ?? 0))
  await nodes.forget(node)
  const firstMs = Math.min(...unproved.map(one => one.firstMs))
  return {
    calls,
    isUnproved: unproved.length > 0,
    unprovedFromMs: Number.isFinite(firstMs) && firstMs > 0 ? firstMs : undefined,
  }
}

async function foldReachable(journals: NodeJournals, blobs: BlobStore, node: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'periplus-forget-'))
  try {
    return await foldLostNode(journals, blobs, node, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
