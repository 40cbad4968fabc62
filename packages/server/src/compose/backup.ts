import { closeSync, existsSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Config } from '../config/load.ts'
import { systemClock } from '../kit/clock.ts'
import { loadSegment } from '../search/index/file.ts'
import { type Layout, layoutOf } from '../store/folder/layout.ts'
import { brokenPages, unregisteredIds } from '../store/sqlite/integrity.ts'
import { sqliteLedger } from '../store/sqlite/ledger.ts'
import { copyAnyStore, copyStore, type Snapshot, snapshotOf, storeBytes } from '../store/sqlite/snapshot.ts'
import { audit, readBooks } from '../usage/audit.ts'
import { listJournal } from '../usage/journal-files.ts'
import { type BackupFile, backupFormat, fingerprint, writeManifest } from './backup-manifest.ts'
import { openControl, openData, schemas } from './stores.ts'

/** Whoever watches a long copy: which part, and how far. */
export type CopyProgress = (part: string, doneBytes: number, totalBytes: number) => void

export interface BackedUp {
  readonly folder: string
  readonly files: number
  readonly bytes: number
  /** What `verify` finds in the books, a sentence each: the folder itself has it, too. */
  readonly problems: readonly string[]
}

/** A backup or restore that cannot be done, told in a sentence. */
export class NotCopied extends Error {}

/** The share of the time that copying leaves to those who serve. */
const idleShare = 0.5
const quietly = { idleShare, progress: () => {} }

/**
 * Copies a data folder into `target`, which must not be there or be empty, beside a running service and imports. What is
 * in it is of one moment: the stores are read in one snapshot; the journal is copied after it, so that it reaches at
 * least as far as the ledger has folded; feeds are listed before it, so that none is ahead of the store. Built under
 * another name, checked, and renamed at the end: a folder of that name is a whole backup.
 */
export async function backUp(
  config: Config,
  target: string,
  release: string,
  progress: CopyProgress,
): Promise<BackedUp> {
  const layout = layoutOf(config.data, { create: false })
  // Opened once the usual way: what an older release has left is migrated, and files are there.
  for (const store of [openControl(layout), openData(layout, { cacheMb: 16, mapped: false })]) store.close()
  refuseUsed(target)
  refuseInside(config.data, target)
  const partial = `${resolve(target)}.${process.pid}.partial`
  await removeAbandoned(resolve(target))
  const others = otherFiles(layout)
  const snapshot = snapshotOf(layout)
  try {
    await makeRoom(dirname(resolve(target)), bytesOf(layout, others, snapshot))
    await copyAll(layout, others, snapshot, partial, progress)
    snapshot.close()
    const problems = await check(partial, progress)
    const files = await fingerprints(partial, progress)
    syncAll(partial)
    writeManifest(partial, {
      format: backupFormat,
      periplus: release,
      created_at: new Date(systemClock.nowMs()).toISOString(),
      schemas: schemas(),
      files,
    })
    await rename(partial, resolve(target))
    syncPath(dirname(resolve(target)))
    return { folder: target, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), problems }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  } finally {
    snapshot.close()
  }
}

/** Within the data folder the next backup would copy it, and an erasure would not reach it. */
function refuseInside(data: string, target: string): void {
  if (!`${resolve(target)}${sep}`.startsWith(`${resolve(data)}${sep}`)) return
  throw new NotCopied(
    `${target} lies within the data folder ${data}: name a folder outside of it, best on another disk.`,
  )
}

function refuseUsed(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found && (!found.isDirectory() || readdirSync(target).length > 0))
    throw new NotCopied(
      `${target} is there already, and a backup overwrites nothing; name a folder that does not exist.`,
    )
}

/** What a backup to the same place has left that was killed. */
async function removeAbandoned(target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  for (const name of await readdir(dirname(target))) {
    const pid = name.startsWith(`${basename(target)}.`) && /\.(\d+)\.partial$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) await rm(join(dirname(target), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** What is made anew, is of this process alone, or is copied in another way. */
const leftOut = [
  /(^|[/-])lock\.sqlite/,
  /(^|\/)draft-/,
  /^rejects(\/|$)/,
  /^journal(\/|$)/,
  /\.(bak|tmp|new)$/,
  /\.sqlite-(wal|shm|journal)$/,
]
const isStore = /\.sqlite$/

/** All other files of the folder, by their paths below it. */
function otherFiles(layout: Layout): string[] {
  const stores = [layout.control, layout.data, layout.index].map(path => path.slice(layout.root.length + 1))
  return (readdirSync(layout.root, { recursive: true, encoding: 'utf8' }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !stores.includes(path) && !leftOut.some(pattern => pattern.test(path)))
    .filter(path => statSync(join(layout.root, path), { throwIfNoEntry: false })?.isFile())
}

function bytesOf(layout: Layout, others: readonly string[], { data, control }: Snapshot): number {
  const journal = existsSync(layout.journal) ? readdirSync(layout.journal).map(name => join(layout.journal, name)) : []
  const files = [layout.index, ...journal, ...others.map(path => join(layout.root, path))]
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return files.reduce((sum, path) => sum + size(path), storeBytes(data) + storeBytes(control))
}

/** Refuses where there is not room enough, with some to spare. */
export async function makeRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = bytes * 1.05
  if (needed > bavail * bsize)
    throw new NotCopied(
      `${gigabytes(needed)} are needed in ${folder}, and ${gigabytes(bavail * bsize)} are free: make room, or name another place.`,
    )
}

export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`

async function copyAll(
  layout: Layout,
  others: readonly string[],
  { data, control, revision }: Snapshot,
  partial: string,
  progress: CopyProgress,
): Promise<void> {
  const to = (path: string) => join(partial, path.slice(layout.root.length + 1))
  await mkdir(dirname(to(layout.data)), { recursive: true, mode: 0o700 })
  for (const [store, path] of [
    [data, layout.data],
    [control, layout.control],
  ] as const) {
    const total = storeBytes(store)
    await copyStore(store, to(path), { idleShare, progress: bytes => progress(basename(path), bytes, total) })
  }
  await copyIndex(layout, to(layout.index), revision)
  await copyJournal(layout.journal, to(layout.journal))
  await copyOthers(layout, others, partial)
}

/** An index of a later state is left out, and built anew by whoever serves the copy. */
async function copyIndex(layout: Layout, to: string, revision: number): Promise<void> {
  if (!(await copyIfThere(layout.index, to))) return
  const loaded = loadSegment(to)
  if (loaded.outcome !== 'loaded' || loaded.segment.facts.revision > revision) await rm(to)
}

/** A file that changes its form while it is copied is there in the other; one that is dropped is dropped. */
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

/** Stores among them are copied as stores. A folder that lost a file meanwhile was being removed. */
async function copyOthers(layout: Layout, others: readonly string[], partial: string): Promise<void> {
  for (const path of others) {
    const [from, to] = [join(layout.root, path), join(partial, path)]
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    if (isStore.test(path)) await copyAnyStore(from, to, quietly)
    else if (!(await copyIfThere(from, to))) await rm(dirname(to), { recursive: true, force: true })
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

/**
 * Looks at the copy. Damage refuses it; books that disagree are told, because they did before, and who has such books
 * needs a backup all the more.
 */
async function check(partial: string, progress: CopyProgress): Promise<string[]> {
  const layout = layoutOf(partial, { create: false })
  const control = openControl(layout)
  const data = openData(layout, { cacheMb: 64, mapped: true })
  try {
    const damage = [
      () => brokenPages(control, 'control.sqlite'),
      () => brokenPages(data, 'data.sqlite'),
      () => unregisteredIds(data, layout.control),
    ]
    for (const [i, find] of damage.entries()) {
      progress('checks', i, damage.length + 1)
      const [problem] = find()
      if (problem !== undefined)
        throw new NotCopied(`The copy is not whole, so it was removed; look with 'periplus verify'. ${problem}`)
    }
    return audit(await readBooks(layout.journal, sqliteLedger(control)))
  } finally {
    data.close()
    control.close()
  }
}

async function fingerprints(partial: string, progress: CopyProgress): Promise<BackupFile[]> {
  const paths = (readdirSync(partial, { recursive: true, encoding: 'utf8' }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => statSync(join(partial, path)).isFile())
    .sort()
  const total = paths.reduce((sum, path) => sum + statSync(join(partial, path)).size, 0)
  const files: BackupFile[] = []
  let done = 0
  for (const path of paths) {
    const file = { path, ...(await fingerprint(join(partial, path))) }
    files.push(file)
    done += file.bytes
    progress('checksums', done, total)
  }
  return files
}

/** Forces files and the folders that name them to disk. */
export function syncAll(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncPath(join(folder, path))
  syncPath(folder)
}

export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
