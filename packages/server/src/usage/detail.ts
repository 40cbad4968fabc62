import type { UsageRecord } from '../domain/usage.ts'
import { findNextBatch } from './batch-frame.ts'
import { type JournalFile, listJournal } from './journal-files.ts'
import { decodeRecords, readContents } from './journal-reader.ts'

/** A call is journalled when it ends, so arrival times in the journal can be out of order by this much. */
const longestCallMs = 600_000

/** Yields the records of calls that arrived in a half-open span, if the journal still has them. */
export async function* recordsBetween(folder: string, fromMs: number, toMs: number): AsyncGenerator<UsageRecord> {
  const files = await listJournal(folder)
  for (const file of files.slice(await findFirstFile(files, fromMs))) {
    const contents = await readContents(file)
    for (let batch = findNextBatch(contents, 0); batch; batch = findNextBatch(contents, batch.end)) {
      for (const record of decodeRecords(batch.body)) {
        if (record.timeMs - longestCallMs >= toMs) return
        if (record.timeMs >= fromMs && record.timeMs < toMs) yield record
      }
    }
  }
}

/** Returns the arrival time of the first call in a file; undefined for an empty file. */
export async function readFirstTime(file: JournalFile): Promise<number | undefined> {
  const contents = await readContents(file)
  for (let batch = findNextBatch(contents, 0); batch; batch = findNextBatch(contents, batch.end)) {
    const [record] = decodeRecords(batch.body)
    if (record) return record.timeMs
  }
  return undefined
}

/** Returns the index of the last file that starts before `timeMs`, by binary search. */
async function findFirstFile(files: readonly JournalFile[], timeMs: number): Promise<number> {
  let low = 0
  let high = files.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const startMs = await readFirstTime(files[middle]!)
    if (startMs === undefined || startMs > timeMs - longestCallMs) high = middle - 1
    else low = middle
  }
  return low
}
