import type { BlobStore } from '../domain/blob-store.ts'
import type { FolderProblem } from '../domain/data-folder.ts'
import type { NodeJournals } from '../domain/node-journals.ts'
import type { Engine } from '../domain/stores.ts'
import { checkLedger } from '../usage/check-ledger.ts'
import { collectShipped, longestCollectionMs } from '../usage/collect-shipped.ts'
import { DamagedJournalFile, type JournalReader, journalIn } from '../usage/journal-reader.ts'
import { type OtherJournals, readLedgerCheckInput } from '../usage/read-ledger-check.ts'
import { findShipped, readShipped, shippedJournal, shippedKey, withShipped } from '../usage/shipped-journal.ts'

/**
 * Compares the journals of all nodes with roll-ups and windows. The other nodes are asked to ship what they
 * have folded; what cannot be reached is a problem. `folder` is the journal's folder of this node.
 */
export async function checkJournals(
  { ledger, journals }: Pick<Engine, 'ledger' | 'journals'>,
  folder: string,
  blobs: BlobStore | undefined,
  waitMs = longestCollectionMs,
): Promise<FolderProblem[]> {
  const local = journalIn(folder)
  if (!journals) return checkLedger(await readLedgerCheckInput(local, ledger))
  const own = blobs ? withShipped(local, shippedOf(journals, blobs, journals.node)) : local
  const input = await readLedgerCheckInput(own, ledger, createOthers(journals, blobs, waitMs))
  const damaged = blobs ? await checkShipped(journals, blobs, input.fileProblems) : []
  return [...checkLedger(input), ...damaged]
}

const shippedOf = (journals: NodeJournals, blobs: BlobStore, node: string): JournalReader =>
  shippedJournal(blobs, node, () => findShipped(journals, blobs, node))

const nowhere = (name: string): JournalReader => ({
  name,
  scan: async () => ({ files: [], taken: [] }),
  read: async () => Buffer.alloc(0),
  sync: async () => {},
})

const createOthers = (journals: NodeJournals, blobs: BlobStore | undefined, waitMs: number): OtherJournals => ({
  journalOf: node => (blobs ? shippedOf(journals, blobs, node) : nowhere(`journals/${node}`)),
  ledgerOf: node => journals.ledgerOf(node),
  collect: async nodes => {
    if (blobs) await collectShipped(journals, nodes, waitMs)
  },
})

/** Returns the damaged ones among the shipped files of this node, which the check of its folder does not read. */
async function checkShipped(
  journals: NodeJournals,
  blobs: BlobStore,
  known: readonly FolderProblem[],
): Promise<FolderProblem[]> {
  const problems: FolderProblem[] = []
  for (const shipped of await journals.shipped(journals.node)) {
    try {
      await readShipped(blobs, shipped)
    } catch (error) {
      if (!(error instanceof DamagedJournalFile)) throw error
      const { message: problem } = error
      if (!known.some(one => one.problem === problem)) problems.push({ file: shippedKey(shipped), problem })
    }
  }
  return problems
}
