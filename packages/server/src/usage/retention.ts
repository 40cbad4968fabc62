import { open, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { UsageCursor } from '../domain/ledger.ts'
import { frame, nextBatch } from './batch-frame.ts'
import { firstTimeOf } from './detail.ts'
import { type FileForm, type JournalFile, journalPath, listJournal } from './journal-files.ts'
import { contentsOf } from './journal-reader.ts'
import { type Position, positionOf } from './position.ts'
import { decodeRecord } from './record.ts'

const compress = promisify(zstdCompress)

export interface RetentionOptions {
  /** Up to where the ledger has folded: nothing behind that is touched. */
  readonly folded: UsageCursor
  readonly nowMs: number
  /** How long the detail of a call is kept, milliseconds. */
  readonly keepMs?: number
  /** What the journal may take on disk. */
  readonly maxBytes?: number
}

/** What was done, by number of files. */
export interface RetentionReport {
  readonly compressed: number
  /** The detail of calls that nobody is billed for was dropped. */
  readonly thinned: number
  readonly dropped: number
}

const hundredDaysMs = 100 * 86_400_000

/**
 * Compresses folded files, drops those whose calls are all too old, and, over the cap on size, first the detail of
 * unbilled calls and then whole files, oldest first. Roll-ups are not touched. Can be killed and run again.
 */
export async function retain(folder: string, options: RetentionOptions): Promise<RetentionReport> {
  const { nowMs, keepMs = hundredDaysMs, maxBytes = 20 * 1024 ** 3 } = options
  const folded = positionOf(options.folded)
  const closed = async () => (await listJournal(folder)).filter(file => file.number < folded.file)
  const report = { compressed: 0, thinned: 0, dropped: 0 }

  for (const file of await tooOld(folder, folded, nowMs - keepMs)) {
    await rm(file.path)
    report.dropped++
  }
  for (const file of await closed()) {
    if (file.form !== 'plain') continue
    await rewrite(folder, file, 'whole', await contentsOf(file))
    report.compressed++
  }
  let bytes = await bytesOf(await listJournal(folder))
  for (const file of await closed()) {
    if (bytes <= maxBytes) break
    if (file.form !== 'whole') continue
    bytes -= (await stat(file.path)).size
    bytes += await rewrite(folder, file, 'billed', withoutUnbilled(await contentsOf(file)))
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

/** Closed files whose successor begins before `beforeMs`. */
async function tooOld(folder: string, folded: Position, beforeMs: number): Promise<JournalFile[]> {
  const files = await listJournal(folder)
  const old: JournalFile[] = []
  for (const [i, file] of files.entries()) {
    const next = files[i + 1]
    const ends = next && (await firstTimeOf(next))
    if (file.number >= folded.file || ends === undefined || ends >= beforeMs) break
    old.push(file)
  }
  return old
}

/** Puts the contents in their new form beside the old file, on disk, before that is removed. Gives the new size. */
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

/** The batches of a file with only the lines that somebody is billed for. */
function withoutUnbilled(contents: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let batch = nextBatch(contents, 0); batch; batch = nextBatch(contents, batch.end)) {
    const lines = batch.body
      .toString('utf8')
      .split('\n')
      .filter(line => line !== '' && isBilled(line))
    if (lines.length > 0) kept.push(frame(`${lines.join('\n')}\n`))
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
