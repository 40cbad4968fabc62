import { existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CopyProgress, StoreCopy } from '../domain/stores.ts'
import { loadSegment } from '../search/index/file.ts'
import type { Layout } from '../store/folder/layout.ts'
import { listJournal } from '../usage/journal-files.ts'

/** Files that can be rebuilt, that belong to one process, or that are copied in another way. */
const omittedPaths = [
  /(^|\/)draft-/,
  /^rejects(\/|$)/,
  /^journal(\/|$)/,
  /\.(bak|tmp|new)$/,
  /\.sqlite(-wal|-shm|-journal)?$/,
]

/** Returns the paths of all other files, relative to the data folder; the engine copies the stores. */
export function listOtherFiles(layout: Layout): string[] {
  const index = layout.index.slice(layout.root.length + 1)
  return (readdirSync(layout.root, { recursive: true, encoding: 'utf8' }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path !== index && !omittedPaths.some(pattern => pattern.test(path)))
    .filter(path => statSync(join(layout.root, path), { throwIfNoEntry: false })?.isFile())
}

/** Returns the approximate size of a backup. */
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

/** Copies the index, unless it is newer than the stores: then the process that serves the copy rebuilds it. */
async function copyIndex(layout: Layout, to: string, revision: number): Promise<void> {
  if (!(await copyIfThere(layout.index, to))) return
  const loaded = loadSegment(to)
  if (loaded.outcome !== 'loaded' || loaded.segment.facts.revision > revision) await rm(to)
}

/** Copies the journal. A file that is being compressed is copied in its new form; one that is deleted is left out. */
async function copyJournal(journal: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  const copied = new Set<number>()
  for (let again = true; again; ) {
    again = false
    for (const { number, path } of await listJournal(journal)) {
      if (copied.has(number)) continue
      if (await copyIfThere(path, join(to, basename(path)))) copied.add(number)
      else again = true
    }
  }
}

/** Copies the other files. A folder that loses a file meanwhile is being deleted, and is left out. */
async function copyOthers(layout: Layout, others: readonly string[], partial: string): Promise<void> {
  for (const path of others) {
    const [from, to] = [join(layout.root, path), join(partial, path)]
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    if (!(await copyIfThere(from, to))) await rm(dirname(to), { recursive: true, force: true })
  }
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}
