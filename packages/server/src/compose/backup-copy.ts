import { existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CopyProgress, StoreCopy } from '../domain/stores.ts'
import { loadSegment } from '../search/index/file.ts'
import { isStoreFile } from '../store/engine.ts'
import type { Layout } from '../store/folder/layout.ts'
import { listJournal } from '../usage/journal-files.ts'

/** Paths that are not copied as plain files: they can be rebuilt, belong to one process, or are copied separately. */
const omittedPaths = [/(^|\/)draft-/, /^rejects(\/|$)/, /^journal(\/|$)/, /\.(bak|tmp|new)$/]

/** Lists the remaining files of a data folder, as relative paths; stores, index and journal are copied separately. */
export function listOtherFiles(layout: Layout): string[] {
  const index = layout.index.slice(layout.root.length + 1)
  return (readdirSync(layout.root, { recursive: true, encoding: 'utf8' }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path !== index && !isStoreFile(path) && !omittedPaths.some(pattern => pattern.test(path)))
    .filter(path => statSync(join(layout.root, path), { throwIfNoEntry: false })?.isFile())
}

/** Returns the approximate size of a backup, in bytes. */
export function estimateBytes(layout: Layout, others: readonly string[], stores: StoreCopy): number {
  const journal = existsSync(layout.journal) ? readdirSync(layout.journal).map(name => join(layout.journal, name)) : []
  const files = [layout.index, ...journal, ...others.map(path => join(layout.root, path))]
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return files.reduce((sum, path) => sum + size(path), stores.bytes)
}

/** Copies a data folder to `partial`: stores, index, journal, and all other files. */
export async function copyAll(
  layout: Layout,
  others: readonly string[],
  stores: StoreCopy,
  partial: string,
  progress: CopyProgress,
): Promise<void> {
  const to = (path: string) => join(partial, path.slice(layout.root.length + 1))
  await mkdir(partial, { recursive: true, mode: 0o700 })
  await stores.writeTo(partial, progress)
  await copyIndex(layout, to(layout.index), stores.revision)
  await copyJournal(layout.journal, to(layout.journal))
  await copyOthers(layout, others, partial)
}

/** Copies the index if it is not newer than the stores; otherwise the process that serves the copy rebuilds it. */
async function copyIndex(layout: Layout, to: string, revision: number): Promise<void> {
  if (!(await copyIfExists(layout.index, to))) return
  const loaded = loadSegment(to)
  if (loaded.outcome !== 'loaded' || loaded.segment.facts.revision > revision) await rm(to)
}

/** Copies the journal. If a file is being compressed, its compressed form is copied; deleted files are omitted. */
async function copyJournal(journal: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
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

/** Copies the remaining files. If a file has disappeared, its folder is being deleted and is omitted. */
async function copyOthers(layout: Layout, others: readonly string[], partial: string): Promise<void> {
  for (const path of others) {
    const [from, to] = [join(layout.root, path), join(partial, path)]
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    if (!(await copyIfExists(from, to))) await rm(dirname(to), { recursive: true, force: true })
  }
}

async function copyIfExists(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}
