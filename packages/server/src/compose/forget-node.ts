import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '../domain/blob-store.ts'
import type { NodeAdmin } from '../domain/node-admin.ts'
import type { NodeJournals } from '../domain/node-journals.ts'
import { foldLostNode } from '../usage/restore-stored.ts'
import { findShipped } from '../usage/shipped-journal.ts'

/** The part of the journal of a node that is only in its folder. */
export interface LostJournal {
  /**
   * True if the node has ended without leaving the others, so that calls which it has answered last may be in no fold;
   * they are not billed without its folder.
   */
  readonly mayHaveMore: boolean
  /** Calls in the ledger, and so billed, that no journal which can be reached proves. */
  readonly unproved: {
    readonly calls: number
    /** Time of the first of them, in milliseconds since 1970; undefined if it is unknown. */
    readonly fromMs: number | undefined
  }
}

/** Dependencies of the functions that forget a node. */
export interface ForgetParts {
  readonly nodes: NodeAdmin
  readonly journals: NodeJournals
  readonly blobs: BlobStore | undefined
}

/** Returns what is lost with the folder of a node that does not live; changes nothing. */
export async function findLost({ nodes, journals, blobs }: ForgetParts, node: string): Promise<LostJournal> {
  const known = await nodes.find(node)
  const list = blobs ? await findShipped(journals, blobs, node) : await journals.shipped(node)
  const shipped = new Map(list.map(({ file, bytes }) => [file, bytes]))
  const files = await journals.ledgerOf(node).files()
  const unproved = files.filter(({ file, bytes, state }) => state !== 'dropped' && bytes > (shipped.get(file) ?? 0))
  const firstMs = Math.min(...unproved.map(one => one.firstMs))
  return {
    mayHaveMore: known?.hasLeft !== true && !(known?.isStoring && blobs),
    unproved: {
      calls: unproved.reduce((sum, { calls }) => sum + calls, 0),
      fromMs: Number.isFinite(firstMs) && firstMs > 0 ? firstMs : undefined,
    },
  }
}

/**
 * Counts all that can be reached of the journal of a node whose folder is lost, so that no process can start as the
 * node any more. Call it for a node that does not live, before `NodeAdmin.forget`. Safe to interrupt and rerun. Returns
 * the number of calls that were counted now.
 */
export async function foldReachable({ nodes, journals, blobs }: ForgetParts, node: string): Promise<number> {
  await nodes.replace(node)
  if (!blobs) return 0
  const folder = await mkdtemp(join(tmpdir(), 'periplus-forget-'))
  try {
    return await foldLostNode(journals, blobs, node, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
