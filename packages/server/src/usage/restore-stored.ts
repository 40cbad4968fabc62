import { join } from 'node:path'
import type { BlobStore } from '../domain/blob-store.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { NodeJournals } from '../domain/node-journals.ts'
import { type FoldReport, foldJournal } from './fold.ts'
import type { Journal } from './journal.ts'
import type { JournalReader } from './journal-reader.ts'
import { putShipped } from './ship-journal.ts'
import { findShipped, sha256Of, shippedJournal } from './shipped-journal.ts'

/**
 * Appends to the journal of this node what was stored before it was written and is not in the journal: the previous
 * process was killed in between, or a power failure took the end of a file. Call it before the first call is served.
 * Returns the report of the fold that precedes; undefined if nothing was stored.
 */
export async function restoreStored(
  journal: Journal,
  reader: JournalReader,
  ledger: Ledger,
  journals: NodeJournals,
): Promise<FoldReport | undefined> {
  const find = () => journals.stored(journals.node)
  if ((await find()).length === 0) return undefined
  // What the ledger has of the journal is no longer stored afterwards.
  const report = await foldJournal(reader, ledger, { hasStored: true })
  const left = await find()
  const isRestored = left.length > 0 && !journal.restore(Buffer.concat(left.map(({ batch }) => batch)))
  if (isRestored) await foldJournal(reader, ledger, { hasStored: true })
  return report
}

/**
 * Folds all that can be reached of the journal of a node whose folder is lost: what it has shipped, and what was stored
 * before its answers left, which becomes a shipped file of its own. Safe to interrupt and rerun. Returns the number of
 * calls that were counted. `folder` is for temporary files.
 */
export async function foldLostNode(
  journals: NodeJournals,
  blobs: BlobStore,
  node: string,
  folder: string,
): Promise<number> {
  const ledger = journals.ledgerOf(node)
  const reader = shippedJournal(blobs, node, () => findShipped(journals, blobs, node))
  const { records } = await foldJournal(reader, ledger, { hasStored: true })
  const left = await journals.stored(node)
  if (left.length === 0) return records
  const known = [...(await ledger.files()), ...(await journals.shipped(node))]
  const contents = Buffer.concat(left.map(({ batch }) => batch))
  const number = Math.max(...known.map(({ file }) => file)) + 1
  const file = { node, file: number, bytes: contents.length, sha256: sha256Of(contents) }
  await putShipped(blobs, file, contents, join(folder, `${node}.tmp`))
  return records + (await foldJournal(reader, ledger, { hasStored: true })).records
}
