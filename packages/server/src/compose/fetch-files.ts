import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BlobStore } from '../domain/blob-store.ts'
import type { ShippedFile } from '../domain/node-journals.ts'
import { fetchFeeds } from '../feeds/shared/shared-workspace.ts'
import { syncFolder } from '../kit/replace-file.ts'
import { indexVersion } from '../search/index/stored-file.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { NumberedCopy, StateOfFiles } from '../store/move-to-folder.ts'
import { journalPath } from '../usage/journal-files.ts'
import { writeShipped } from '../usage/shipped-journal.ts'
import type { SharedFiles } from './share-files.ts'
import { secretsOf } from './shared-feeds.ts'
import { fetchIndex } from './shared-index.ts'

/**
 * Fetches what the nodes of a database share into a data folder, and checks every byte. A later call fetches what is
 * new since. Throws StoreError if a file is missing or damaged.
 */
export async function fetchFiles(
  blobs: BlobStore,
  layout: Layout,
  { copies, findIndex, isFinal }: StateOfFiles,
): Promise<SharedFiles> {
  mkdirSync(layout.feeds, { recursive: true, mode: 0o700 })
  const feeds = await fetchFeeds(layout.feeds, { blobs, secrets: secretsOf(layout), oldest: Number.POSITIVE_INFINITY })
  const drafts = join(layout.root, 'fetched-journal')
  mkdirSync(drafts, { recursive: true, mode: 0o700 })
  for (const copy of copies) await fetchJournalFile(blobs, join(drafts, nameOf(copy)), copy)
  if (isFinal) numberFiles(layout.journal, drafts, copies)
  // A folder without an index builds one.
  const index = await findIndex(indexVersion)
  const hasIndex = index !== undefined && (await fetchIndex(blobs, index, layout.index)) === undefined
  return { feeds, index: hasIndex ? index.files.length : 0, journal: copies.length }
}

const nameOf = ({ node, file, bytes }: ShippedFile): string => `${node}-${file}-${bytes}`

async function fetchJournalFile(blobs: BlobStore, path: string, copy: ShippedFile): Promise<void> {
  if (!existsSync(path)) await writeShipped(blobs, copy, path)
}

/** Gives the files the names that they have in the journal. */
function numberFiles(journal: string, drafts: string, copies: readonly NumberedCopy[]): void {
  for (const copy of copies) renameSync(join(drafts, nameOf(copy)), journalPath(journal, copy.number, 'compressed'))
  // The rest are shorter parts of files that their nodes have continued.
  for (const name of readdirSync(drafts)) rmSync(join(drafts, name))
  rmdirSync(drafts)
  for (const folder of [journal, dirname(drafts)]) syncFolder(folder)
}
