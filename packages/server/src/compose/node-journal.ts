import type { BlobStore } from '../domain/blob-store.ts'
import type { NodeJournals } from '../domain/node-journals.ts'
import { systemClock } from '../kit/clock.ts'
import { type JournalReader, journalIn } from '../usage/journal-reader.ts'
import { JournalShipping } from '../usage/ship-journal.ts'
import { shippedJournal, withShipped } from '../usage/shipped-journal.ts'

/** The journal of this node. */
export interface NodeJournal {
  /** The files in the folder, and those that are only in the blobs. */
  readonly journal: JournalReader
  /** Copies the files to the blobs; undefined without these. */
  readonly shipping: JournalShipping | undefined
}

/** Opens the journal in a folder, and its files in the blobs if the node has both a database and blobs. */
export function openNodeJournal(
  folder: string,
  journals: NodeJournals | undefined,
  blobs: BlobStore | undefined,
): NodeJournal {
  const local = journalIn(folder)
  if (!journals || !blobs) return { journal: local, shipping: undefined }
  const shipping = new JournalShipping({ folder, journals, blobs, nowMs: systemClock.nowMs })
  const shipped = shippedJournal(blobs, journals.node, () => shipping.list())
  return { journal: withShipped(local, shipped), shipping }
}
