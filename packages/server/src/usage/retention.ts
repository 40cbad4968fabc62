import { open, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { UsageCursor } from '../domain/ledger.ts'
import { dayMs } from '../kit/time.ts'
import { findBatches } from './batch-frame.ts'
import { encodeBatches } from './batch-writer.ts'
import { readFirstTime } from './detail.ts'
import { decodeRecords } from './journal-calls.ts'
import { type FolderForm, type JournalFile, journalPath, listJournal } from './journal-files.ts'
import { type JournalPosition, parseCursor } from './journal-position.ts'
import { type JournalReader, journalIn, readContents } from './journal-reader.ts'

const compress = promisify(zstdCompress)

/** Options of the retention of a journal. */
export interface RetentionOptions {
  /** A position before which the ledger has everything; files from this position are not changed. */
  readonly foldedUpTo: UsageCursor
  readonly nowMs: number
  /** Retention of records, in milliseconds. Default: 100 days. */
  readonly keepMs?: number
  /** Maximum size of the journal on disk. Default: 20 GB. */
  readonly maxBytes?: number
  /** Numbers of files that are not changed, because they are damaged. */
  readonly except?: ReadonlySet<number>
  /** Returns true for a file that the blobs have; missing without blobs. Other files stay in the folder then. */
  readonly isShipped?: (file: number) => boolean
  /** Called with the numbers of files before they are removed. */
  readonly onDrop?: (files: readonly number[]) => Promise<void>
}

/** Numbers of changed files. */
export interface RetentionReport {
  readonly compressed: number
  /** Files whose unbilled calls were dropped. */
  readonly billedOnly: number
  readonly dropped: number
}

/** 100 days. */
export const defaultKeepMs = 100 * dayMs

/**
 * Compresses folded files and drops files whose records have all expired. Above `maxBytes` it first drops unbilled
 * calls, then entire files, oldest first; with blobs, only files that these have. Roll-ups are not affected. Safe to
 * interrupt and rerun.
 */
export async function applyRetention(folder: string, options: RetentionOptions): Promise<RetentionReport> {
  const { nowMs, keepMs = defaultKeepMs, maxBytes = 20 * 1024 ** 3 } = options
  const folded = parseCursor(options.foldedUpTo)
  const closed = async () =>
    (await listJournal(folder)).filter(file => file.number < folded.file && !options.except?.has(file.number))
  const report = { compressed: 0, billedOnly: 0, dropped: 0 }
  const drop = async ({ number, path }: JournalFile) => {
    await options.onDrop?.([number])
    await rm(path)
    report.dropped++
  }

  const mayLeave = ({ number, form }: JournalFile) =>
    !options.isShipped || options.isShipped(number) || form === 'billedOnly'
  for (const file of await findExpiredFiles(folder, folded, nowMs - keepMs)) if (mayLeave(file)) await drop(file)
  for (const file of await closed()) {
    if (file.form !== 'plain') continue
    await rewrite(folder, file, 'compressed', await readContents(file))
    report.compressed++
  }
  let bytes = await sumSizes(await listJournal(folder))
  // The calls of a file that the blobs have remain in reach.
  for (const file of options.isShipped ? await closed() : []) {
    if (bytes <= maxBytes) return report
    if (!options.isShipped!(file.number)) continue
    bytes -= (await stat(file.path)).size
    await rm(file.path)
    report.dropped++
  }
  if (options.isShipped) return report
  for (const file of await closed()) {
    if (bytes <= maxBytes) break
    if (file.form !== 'compressed') continue
    bytes -= (await stat(file.path)).size
    bytes += await rewrite(folder, file, 'billedOnly', removeUnbilled(await readContents(file)))
    report.billedOnly++
  }
  for (const file of await closed()) {
    if (bytes <= maxBytes) break
    bytes -= (await stat(file.path)).size
    await drop(file)
  }
  return report
}

/** Returns the closed files whose successor starts before `beforeMs`. */
async function findExpiredFiles(folder: string, folded: JournalPosition, beforeMs: number): Promise<JournalFile[]> {
  const files = await listJournal(folder)
  const expired: JournalFile[] = []
  for (const [i, file] of files.entries()) {
    if (file.number >= folded.file) break
    const endMs = await findFirstTime(journalIn(folder), files.slice(i + 1))
    if (endMs === undefined || endMs >= beforeMs) break
    expired.push(file)
  }
  return expired
}

/** Returns the time of the first call in files; some may be empty. */
async function findFirstTime(journal: JournalReader, files: readonly JournalFile[]): Promise<number | undefined> {
  for (const file of files) {
    const timeMs = await readFirstTime(journal, file)
    if (timeMs !== undefined) return timeMs
  }
  return undefined
}

/** Writes the contents in their new form and flushes them to disk, then removes the old file. Returns the new size. */
async function rewrite(folder: string, file: JournalFile, form: FolderForm, contents: Buffer): Promise<number> {
  const packed = await compress(contents)
  const target = journalPath(folder, file.number, form)
  const handle = await open(`${target}.tmp`, 'w', 0o600)
  try {
    await handle.writeFile(packed)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${target}.tmp`, target)
  await rm(file.path)
  return packed.length
}

/** Returns the batches of a file without unbilled calls. */
function removeUnbilled(contents: Buffer): Buffer {
  const kept: Buffer[] = []
  for (const batch of findBatches(contents))
    kept.push(encodeBatches(decodeRecords(batch).filter(({ billable, units }) => billable && units > 0)))
  return Buffer.concat(kept)
}

async function sumSizes(files: readonly JournalFile[]): Promise<number> {
  const sizes = await Promise.all(files.map(async file => (await stat(file.path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
