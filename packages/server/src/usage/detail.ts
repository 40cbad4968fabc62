import { toRecord } from '../domain/journal-call.ts'
import type { FoldedFile } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { longestCallMs } from '../domain/usage-report.ts'
import { findBatches } from './batch-frame.ts'
import { decodeRecords, readCalls } from './journal-calls.ts'
import type { JournalFile } from './journal-files.ts'
import type { JournalReader } from './journal-reader.ts'
import { RepeatFinder } from './repeats.ts'

/**
 * Yields the records of calls that arrived in a half-open span, if the journal still has them, each once.
 * `known` are the files of the ledger, with the times of their records; the files before them are in order of time.
 */
export async function* recordsBetween(
  journal: JournalReader,
  fromMs: number,
  toMs: number,
  known: readonly FoldedFile[] = [],
): AsyncGenerator<UsageRecord> {
  const files = (await journal.scan()).files
  const first = known[0]?.file ?? Number.POSITIVE_INFINITY
  const ordered = files.filter(({ number }) => number < first)
  yield* recordsOfOrdered(journal, ordered.slice(await findFirstFile(journal, ordered, fromMs)), fromMs, toMs)

  const times = new Map(known.map(file => [file.file, file]))
  const earlier = new Map<number, FoldedFile>()
  const repeats = new RepeatFinder(journal, earlier)
  for (const file of files.slice(ordered.length)) {
    const { firstMs = 0, lastMs = Number.POSITIVE_INFINITY } = times.get(file.number) ?? {}
    // A plain file may have records that the ledger does not have yet.
    if (file.form === 'plain' || (firstMs < toMs && lastMs >= fromMs)) {
      const contents = await journal.read(file)
      for (const batch of findBatches(contents)) {
        const found = readCalls(batch).filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
        if (found.length > 0) yield* (await repeats.removeRepeats(file.number, found)).map(toRecord)
      }
    }
    const folded = times.get(file.number)
    if (folded) earlier.set(file.number, folded)
  }
}

/** Yields the records of a span from files that are in order of time. */
async function* recordsOfOrdered(
  journal: JournalReader,
  files: readonly JournalFile[],
  fromMs: number,
  toMs: number,
): AsyncGenerator<UsageRecord> {
  for (const file of files) {
    const contents = await journal.read(file)
    for (const batch of findBatches(contents)) {
      for (const record of decodeRecords(batch)) {
        if (record.timeMs - longestCallMs >= toMs) return
        if (record.timeMs >= fromMs && record.timeMs < toMs) yield record
      }
    }
  }
}

/** Returns the arrival time of the first call in a file; undefined for an empty file. */
export async function readFirstTime(journal: JournalReader, file: JournalFile): Promise<number | undefined> {
  const contents = await journal.read(file)
  for (const batch of findBatches(contents)) {
    const [call] = readCalls(batch)
    if (call) return call.timeMs
  }
  return undefined
}

/** Returns the index of the last file that starts before `timeMs`, by binary search. */
async function findFirstFile(journal: JournalReader, files: readonly JournalFile[], timeMs: number): Promise<number> {
  let low = 0
  let high = files.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const startMs = await readFirstTime(journal, files[middle]!)
    if (startMs === undefined || startMs > timeMs - longestCallMs) high = middle - 1
    else low = middle
  }
  return low
}
