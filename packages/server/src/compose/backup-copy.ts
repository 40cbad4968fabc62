import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { CopyProgress, StoreCopy } from '../domain/stores.ts'
import { indexFiles, loadIndex } from '../search/index/file.ts'
import { isStoreFile } from '../store/engine.ts'
import { journalMarker } from '../store/folder/journal-folder.ts'
import { isPackedFile, type Layout } from '../store/folder/layout.ts'
import { listJournal } from '../usage/journal-files.ts'
import { copyPrivately } from './copy-file.ts'

/**
 * Paths that `listOtherFiles` omits: drafts, rejects, files of jobs, replaced parts and temporary files are not backed
 * up; `copyJournal` copies the journal.
 */
const omittedPatterns = [
  /(^|\/)draft-/,
  /^rejects(\/|$)/,
  /^journal(\/|$)/,
  /^jobs(\/|$)/,
  /\.bak(-wal|\/|$)/,
  /\.(tmp|new)$/,
  // A build could replace it after the snapshots have been listed; it would then name one that the backup does not
  // have.
  /^feeds\/.*\/last\.json$/,
]

/**
 * Lists, as relative paths, the files of a data folder to copy unchanged: all except stores, index, journal, omitted
 * paths, and packed bodies and the index of reviews, which a restored service builds again.
 */
export function listOtherFiles(layout: Layout): string[] {
  const index = layout.index.slice(layout.root.length + 1)
  return (readdirSync(layout.root, { recursive: true, encoding: 'utf8' }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(
      path =>
        path !== index &&
        path !== relative(layout.root, layout.reviewsIndex).replaceAll('\\', '/') &&
        !path.startsWith(`${index}.part-`) &&
        !isPackedFile(path) &&
        !isStoreFile(path) &&
        !omittedPatterns.some(pattern => pattern.test(path)),
    )
    .filter(path => statSync(join(layout.root, path), { throwIfNoEntry: false })?.isFile())
}

/** Returns the approximate size of a backup, in bytes. */
export function estimateBackupBytes(layout: Layout, others: readonly string[], stores: StoreCopy): number {
  const journal = existsSync(layout.journal) ? readdirSync(layout.journal).map(name => join(layout.journal, name)) : []
  const files = [...indexFiles(layout.index), ...journal, ...others.map(path => join(layout.root, path))]
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return files.reduce((sum, path) => sum + size(path), stores.bytes)
}

/** Copies a data folder (stores, index, journal, other files) to the folder of an unfinished backup. */
export async function copyAll(
  layout: Layout,
  others: readonly string[],
  stores: StoreCopy,
  unfinishedBackup: string,
  progress: CopyProgress,
): Promise<void> {
  const to = (path: string) => join(unfinishedBackup, path.slice(layout.root.length + 1))
  await mkdir(unfinishedBackup, { recursive: true, mode: 0o700 })
  await stores.writeTo(unfinishedBackup, progress)
  await copyIndex(layout, to(layout.index), stores.revision)
  await copyJournal(layout.journal, to(layout.journal))
  await copyOthers(layout, others, unfinishedBackup)
}

/**
 * Copies the index. Omits it if it is unreadable or newer than the copied stores: then a restored service rebuilds it.
 */
async function copyIndex(layout: Layout, to: string, revision: number): Promise<void> {
  const copies: string[] = []
  for (const path of indexFiles(layout.index)) {
    const copy = join(dirname(to), basename(path))
    if (await copyIfExists(path, copy)) copies.push(copy)
  }
  const loaded = loadIndex(to)
  if (loaded.outcome === 'loaded' && loaded.index.facts.revision <= revision) return
  for (const copy of copies) await rm(copy)
}

/**
 * Copies the journal. If a file disappears after it was listed, lists again: its compressed form is copied if there is
 * one, and a deleted file is omitted.
 */
async function copyJournal(journal: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await copyIfExists(join(journal, journalMarker), join(to, journalMarker))
  const copied = new Set<number>()
  for (let again = true; again; ) {
    again = false
    for (const { number, path } of await listJournal(journal)) {
      if (copied.has(number)) continue
      if (await copyIfExists(path, join(to, basename(path)))) copied.add(number)
      else again = true
    }
  }
}

/**
 * Copies the other files. A file that has disappeared from a subfolder means that the subfolder is being deleted, so
 * its copied part is removed and the rest of it omitted.
 */
async function copyOthers(layout: Layout, others: readonly string[], unfinishedBackup: string): Promise<void> {
  const deleted = new Set<string>()
  for (const path of others) {
    const folder = dirname(path)
    if (deleted.has(folder)) continue
    const target = join(unfinishedBackup, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    if ((await copyIfExists(join(layout.root, path), target)) || folder === '.') continue
    deleted.add(folder)
    await rm(dirname(target), { recursive: true, force: true })
  }
}

async function copyIfExists(from: string, to: string): Promise<boolean> {
  try {
    await copyPrivately(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}
