import { basename } from 'node:path'
import type { FolderProblem } from '../domain/data-folder.ts'
import { toRecord } from '../domain/journal-call.ts'
import type { FoldedFile, Ledger, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { hourMs } from '../kit/time.ts'
import { findBatches } from './batch-frame.ts'
import { type LedgerCheckInput, toUndivided, windowId } from './check-ledger.ts'
import { readFirstTime } from './detail.ts'
import { readCalls } from './journal-calls.ts'
import { findSequenceEnd, type JournalFile, journalPath, scanJournal } from './journal-files.ts'
import { findLosses, journalLossText } from './journal-losses.ts'
import { DamagedJournalFile, readContents } from './journal-reader.ts'
import { RepeatFinder } from './repeats.ts'
import { toRowKey, toUsageRow } from './sums.ts'

/** Reads a journal folder and its ledger for `checkLedger`. */
export async function readLedgerCheckInput(folder: string, ledger: Ledger): Promise<LedgerCheckInput> {
  const { position: _, files: folded, ...sumsOfLedger } = await ledger.readAll()
  const known = new Map(folded.map(file => [file.file, file]))
  const scan = await scanJournal(folder)
  const reader = new JournalCheck(folder, known, await detailFrom(scan.files))
  for (const file of scan.files) await reader.read(file)
  // Retention may have removed files since the ledger was read.
  const dropped = new Set((await ledger.files()).filter(({ state }) => state === 'dropped').map(({ file }) => file))
  const losses = findLosses(known, scan).filter(loss => !dropped.has(loss.known.file))
  return {
    folder: basename(folder),
    fileProblems: [
      ...losses.map(loss => ({ file: nameFile(folder, loss.known.file), problem: journalLossText(loss) })),
      ...findStrays(folder, scan.taken, scan.files, known),
      ...reader.problems,
    ],
    journal: reader.sums.rows(),
    detailFromMs: reader.sums.detailFromMs,
    missing: losses.filter(({ bytes }) => bytes === undefined).map(loss => loss.known),
    ...sumsOfLedger,
    windows: reader.sums.windows,
  }
}

/** Returns the path of a plain file of the journal, relative to the data folder. */
const nameFile = (folder: string, number: number): string => `${basename(folder)}/${basename(journalPath('', number))}`

/** Returns a problem for each entry that has a name of a journal file, and that the writer did not make. */
function findStrays(
  folder: string,
  taken: readonly number[],
  files: readonly JournalFile[],
  known: ReadonlyMap<number, FoldedFile>,
): FolderProblem[] {
  const first = Math.min(...known.keys())
  const end = findSequenceEnd([...known.keys(), ...taken.filter(number => number >= first)])
  const listed = new Set(files.map(({ number }) => number))
  return [...new Set(taken)].flatMap(number => {
    const file = nameFile(folder, number)
    if (!listed.has(number)) return [{ file, problem: `${file} is not a file. Move it out of the journal.` }]
    if (number <= end) return []
    const problem = `${file} does not follow the other files of the journal. Calls in it that the journal did not have were counted; move it out of the journal.`
    return [{ file, problem }]
  })
}

/** Maximum number of repeated calls of a file that are listed. */
const maxListed = 3

/** Reads the files of a journal in ascending order, as far as the ledger has read them. */
class JournalCheck {
  readonly sums: JournalSums
  readonly problems: FolderProblem[] = []
  readonly #folder: string
  readonly #known: ReadonlyMap<number, FoldedFile>
  readonly #first: number
  /** The files before the one that is read: only these can have a record of it earlier. */
  readonly #earlier = new Map<number, FoldedFile>()
  readonly #repeats: RepeatFinder

  constructor(folder: string, known: ReadonlyMap<number, FoldedFile>, detailFromMs: number) {
    this.sums = new JournalSums(detailFromMs)
    this.#folder = folder
    this.#known = known
    this.#first = Math.min(...known.keys())
    this.#repeats = new RepeatFinder(folder, this.#earlier)
  }

  async read(file: JournalFile): Promise<void> {
    const known = this.#known.get(file.number)
    if (!known && file.number >= this.#first) return
    try {
      await this.#read(file, known)
    } catch (error) {
      if (!(error instanceof DamagedJournalFile)) throw error
      this.#add(file, `${error.message}`)
    }
    if (known) this.#earlier.set(file.number, known)
  }

  async #read(file: JournalFile, known: FoldedFile | undefined): Promise<void> {
    const whole = await readContents(file)
    const contents = known && file.form !== 'billedOnly' ? whole.subarray(0, known.bytes) : whole
    const repeated: string[] = []
    let damagedBytes = 0
    let end = 0
    for (const batch of findBatches(contents)) {
      const calls = readCalls(batch)
      const counted = new Set(await this.#repeats.removeRepeats(file.number, calls))
      for (const call of counted) this.sums.add(toRecord(call))
      repeated.push(...calls.filter(call => !counted.has(call)).map(call => toRecord(call).requestId))
      damagedBytes += batch.skipped
      end = batch.end
    }
    if (known) damagedBytes += contents.length - end
    if (damagedBytes > 0)
      this.#add(
        file,
        `${damagedBytes} bytes of file ${file.number} of the journal are damaged; the calls in them are lost.`,
      )
    if (repeated.length > maxListed)
      this.#add(file, `File ${file.number} of the journal repeats ${repeated.length} calls. Each call is counted once.`)
    else for (const id of repeated) this.#add(file, `The journal contains call ${id} twice. It is counted once.`)
  }

  #add(file: JournalFile, problem: string): void {
    this.problems.push({ file: `${basename(this.#folder)}/${basename(file.path)}`, problem })
  }
}

/** Sums the records of a journal by roll-up row and by window. */
class JournalSums {
  readonly windows = new Map<string, number>()
  readonly detailFromMs: number
  readonly #rows = new Map<string, { row: UsageRow; calls: number; units: number }>()

  constructor(detailFromMs: number) {
    this.detailFromMs = detailFromMs
  }

  add(record: UsageRecord): void {
    for (const { bucket, windowStartMs } of record.marks) {
      const id = windowId(record.subject, bucket, windowStartMs)
      this.windows.set(id, (this.windows.get(id) ?? 0) + record.units)
    }
    const row = toUndivided(toUsageRow(record))
    if (row.fromMs < this.detailFromMs) return
    const key = toRowKey(row)
    const sum = this.#rows.get(key) ?? { row, calls: 0, units: 0 }
    sum.calls++
    sum.units += row.units
    this.#rows.set(key, sum)
  }

  rows(): UsageRow[] {
    return [...this.#rows.values()].map(({ row, calls, units }) => ({ ...row, calls, units }))
  }
}

/**
 * Returns the start of the complete part of the journal: an hour (for slow calls) after the last dropped or stripped
 * file.
 */
async function detailFrom(files: readonly JournalFile[]): Promise<number> {
  const firstComplete = files.findLastIndex(file => file.form === 'billedOnly') + 1
  if (firstComplete === 0 && (files[0]?.number ?? 1) === 1) return 0
  const file = files[firstComplete]
  const startMs = file && (await readFirstTime(file))
  return startMs === undefined ? Number.MAX_SAFE_INTEGER : startMs + hourMs
}
