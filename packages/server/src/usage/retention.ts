import { open, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { UsageCursor } from '../domain/ledger.ts'
import { encodeBatch, findNextBatch } from './batch-frame.ts'
import { readFirstTime } from './detail.ts'
import { type FileForm, type JournalFile, journalPath, listJournal } from './journal-files.ts'
import { type JournalPosition, parseCursor } from './journal-position.ts'
import { readContents } from './journal-reader.ts'
import { decodeRecord } from './record.ts'

const compress = promisify(zstdCompress)

/** Options of the retention of a journal. */
export interface RetentionOptions {
  /** The ledger's position; files from there on are not changed. */
  readonly folded: UsageCursor
  readonly nowMs: number
  /** Retention of records, milliseconds. Default: 100 days. */
  readonly keepMs?: number
  /** Maximum size of the journal on disk. Default: 20 GB. */
  readonly maxBytes?: number
}

/** Numbers of files that were changed. */
export interface RetentionReport {
  readonly compressed: number
  /** Files whose unbilled calls were dropped. */
  readonly thinned: number
  readonly dropped: number
}

const hundredDaysMs = 100 * 86_400_000

/**
 * Compresses folded files and drops those whose records are all too old. Over the maximum size it drops first the unbilled
 * calls, then complete files, the oldest first. Roll-ups are not affected. It can be killed and run again.
 */
export async function applyRetention(folder: string, options: RetentionOptions): Promise<RetentionReport> {
  const { nowMs, keepMs = hundredDaysMs, maxBytes = 20 * 1024 ** 3 } = options
  const folded = parseCursor(options.folded)
  const closed = async () => (await listJournal(folder)).filter(file => file.number < folded.file)
  const report = { compressed: 0, thinned: 0, dropped: 0 }

  for (const file of await tooOld(folder, folded, nowMs - keepMs)) {
    await rm(file.path)
    report.dropped++
  }
  for (const file of await closed()) {
    if (file.form !== 'plain') continue
    await rewrite(folder, file, 'whole', await readContents(file))
    report.compressed++
  }
  let bytes = await bytesOf(await listJournal(folder))
  for (const file of await closed()) {
    if (bytes <= maxBytes) break
    if (file.form !== 'whole') continue
    bytes -= (await stat(file.path)).size
    bytes += await rewrite(folder, file, 'billed', withoutUnbilled(await readContents(file)))
    report.thinned++
  }
  for (const file of await closed()) {
    if (bytes <= maxBytes) break
    bytes -= (await stat(file.path)).size
    await rm(file.path)
    report.dropped++
  }
  return report
}

/** Returns the closed files whose successor begins before `beforeMs`. */
async function tooOld(folder: string, folded: JournalPosition, beforeMs: number): Promise<JournalFile[]> {
  const files = await listJournal(folder)
  const old: JournalFile[] = []
  for (const [i, file] of files.entries()) {
    const next = files[i + 1]
    const endMs = next && (await readFirstTime(next))
    if (file.number >= folded.file || endMs === undefined || endMs >= beforeMs) break
    old.push(file)
  }
  return old
}

/** Writes the contents in their new form and flushes them to disk, then removes the old file. Returns the new size. */
async function rewrite(folder: string, file: JournalFile, form: FileForm, contents: Buffer): Promise<number> {
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

/** Returns the batches of a file without the lines of unbilled calls. */
function withoutUnbilled(contents: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let batch = findNextBatch(contents, 0); batch; batch = findNextBatch(contents, batch.end)) {
    const lines = batch.body
      .toString('utf8')
      .split('\n')
      .filter(line => line !== '' && isBilled(line))
    if (lines.length > 0) kept.push(encodeBatch(`${lines.join('\n')}\n`))
  }
  return Buffer.concat(kept)
}

function isBilled(line: string): boolean {
  const { billable, units } = decodeRecord(line)
  return billable && units > 0
}

async function bytesOf(files: readonly JournalFile[]): Promise<number> {
  const sizes = await Promise.all(files.map(async file => (await stat(file.path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
