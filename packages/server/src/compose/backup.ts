import { closeSync, existsSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Config } from '../config/load.ts'
import type { BackedUp } from '../domain/backup.ts'
import type { CopyProgress, StoreCopy } from '../domain/stores.ts'
import { gigabytes } from '../kit/bytes.ts'
import { systemClock } from '../kit/clock.ts'
import { loadSegment } from '../search/index/file.ts'
import { knownSchemas } from '../store/engine.ts'
import { type Layout, layoutOf } from '../store/folder/layout.ts'
import { audit, readAuditInput } from '../usage/audit.ts'
import { listJournal } from '../usage/journal-files.ts'
import { type BackupFile, backupFormat, fingerprint, writeManifest } from './backup-manifest.ts'
import { engineOf } from './engine.ts'

/** A backup or restore that cannot be done, told in a sentence. */
export class NotCopied extends Error {}

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
  const engine = engineOf(config, { create: false })
  // Upgrades what an older release has left, and creates files that do not exist yet.
  await engine.prepare()
  await engine.close()
  refuseUsed(target)
  refuseInside(config.data, target)
  const partial = `${resolve(target)}.${process.pid}.partial`
  await removeAbandoned(resolve(target))
  const others = otherFiles(layout)
  const stores = await engine.openStoreCopy()
  try {
    await makeRoom(dirname(resolve(target)), bytesOf(layout, others, stores))
    await copyAll(layout, others, stores, partial, progress)
    await stores.close()
    const problems = await check(config, partial, progress)
    const files = await fingerprints(partial, progress)
    syncAll(partial)
    writeManifest(partial, {
      format: backupFormat,
      periplus: release,
      created_at: new Date(systemClock.nowMs()).toISOString(),
      schemas: knownSchemas(),
      files,
    })
    await rename(partial, resolve(target))
    syncPath(dirname(resolve(target)))
    return { folder: target, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), problems }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  } finally {
    await stores.close()
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
  /(^|\/)draft-/,
  /^rejects(\/|$)/,
  /^journal(\/|$)/,
  /\.(bak|tmp|new)$/,
  /\.sqlite(-wal|-shm|-journal)?$/,
]

/** All other files of the folder, by their paths below it; the engine copies the stores. */
function otherFiles(layout: Layout): string[] {
  const index = layout.index.slice(layout.root.length + 1)
  return (readdirSync(layout.root, { recursive: true, encoding: 'utf8' }) as string[])
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path !== index && !leftOut.some(pattern => pattern.test(path)))
    .filter(path => statSync(join(layout.root, path), { throwIfNoEntry: false })?.isFile())
}

function bytesOf(layout: Layout, others: readonly string[], stores: StoreCopy): number {
  const journal = existsSync(layout.journal) ? readdirSync(layout.journal).map(name => join(layout.journal, name)) : []
  const files = [layout.index, ...journal, ...others.map(path => join(layout.root, path))]
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return files.reduce((sum, path) => sum + size(path), stores.bytes)
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

async function copyAll(
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

/** A folder that has lost a file meanwhile was being removed. */
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

/**
 * Looks at the copy. Damage refuses it; books that disagree are told, because they did before, and who has such books
 * needs a backup all the more.
 */
async function check(config: Config, partial: string, progress: CopyProgress): Promise<string[]> {
  const engine = engineOf({ ...config, data: partial }, { create: false })
  try {
    const checks = engine.integrityChecks('copy')
    for (const [i, { problems }] of checks.entries()) {
      progress('checks', i, checks.length + 1)
      const [problem] = await problems()
      if (problem !== undefined)
        throw new NotCopied(`The copy is damaged, so it was removed; run 'periplus verify'. ${problem}`)
    }
    return audit(await readAuditInput(layoutOf(partial, { create: false }).journal, engine.ledger))
  } finally {
    await engine.close()
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
