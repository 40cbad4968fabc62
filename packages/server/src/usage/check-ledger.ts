import { basename } from 'node:path'
import type { FolderProblem } from '../domain/data-folder.ts'
import { toRecord } from '../domain/journal-call.ts'
import { type CheckedState, type FoldedFile, type Ledger, rollUpPeriodsMs, type UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { hourMs } from '../kit/time.ts'
import { findBatches } from './batch-frame.ts'
import { readFirstTime } from './detail.ts'
import { readCalls } from './journal-calls.ts'
import { findSequenceEnd, type JournalFile, journalPath, scanJournal } from './journal-files.ts'
import { findLosses, journalLossText } from './journal-losses.ts'
import { DamagedJournalFile, readContents } from './journal-reader.ts'
import { RepeatFinder } from './repeats.ts'
import { getUndividedSlotStart } from './slot.ts'
import { toRowKey, toUsageRow } from './sums.ts'

/** The journal, the roll-ups and the limit states, which `checkLedger` compares. */
export interface LedgerCheckInput {
  /** Name of the journal's folder. */
  readonly folder: string
  /** Problems of single files of the journal. */
  readonly fileProblems: readonly FolderProblem[]
  /** Sums of the journal's records from `detailFromMs`, as far as the ledger has read the files. */
  readonly journal: readonly UsageRow[]
  /** Start of the period for which the journal has every call. */
  readonly detailFromMs: number
  /** Files whose calls are in the roll-ups and no longer in the journal. */
  readonly missing: readonly FoldedFile[]
  readonly slots: readonly UsageRow[]
  readonly eighths: readonly UsageRow[]
  readonly days: readonly UsageRow[]
  readonly states: readonly CheckedState[]
  /** Units in the journal, by `windowId`. */
  readonly windows: ReadonlyMap<string, number>
}

/** Returns a key that identifies a window of a subject. */
export const windowId = (subject: string, bucket: string, startMs: number): string =>
  `${subject}\t${bucket}\t${startMs}`

/** Compares journal, roll-ups and windows. Returns each problem with the file, or the journal's folder, that has it. */
export function checkLedger(input: LedgerCheckInput): FolderProblem[] {
  const { detailFromMs, missing } = input
  const isComparable = ({ fromMs }: UsageRow) =>
    fromMs >= detailFromMs &&
    !missing.some(({ firstMs, lastMs }) => fromMs + longestSlotMs > firstMs && fromMs <= lastMs)
  const differences = [
    ...findDifferences(
      'journal',
      input.journal.filter(isComparable),
      'roll-up by slot',
      input.slots.map(toUndivided).filter(isComparable),
    ),
    ...findDifferences(
      'roll-up by slot',
      input.slots.map(row => toPeriod(row, rollUpPeriodsMs.eighths)),
      'roll-up by eighth of a day',
      input.eighths,
    ),
    ...findDifferences(
      'roll-up by slot',
      input.slots.map(row => toPeriod(row, rollUpPeriodsMs.days)),
      'roll-up by day',
      input.days,
    ),
  ]
  for (const { subject, bucket, windowStartMs, used, carried } of input.states) {
    if (windowStartMs === 0 || windowStartMs < detailFromMs) continue
    if (missing.some(({ lastMs }) => windowStartMs <= lastMs)) continue
    const journalled = input.windows.get(windowId(subject, bucket, windowStartMs)) ?? 0
    if (journalled + carried === used) continue
    differences.push(
      `The ${bucket} window of ${subject} that opened ${isoTime(windowStartMs)} holds ${used} units; the journal has ${journalled + carried}.`,
    )
  }
  return [...input.fileProblems, ...differences.map(problem => ({ file: input.folder, problem }))]
}

const longestSlotMs = hourMs

function findDifferences(
  leftName: string,
  left: readonly UsageRow[],
  rightName: string,
  right: readonly UsageRow[],
): string[] {
  const [leftSums, rightSums] = [sumRows(left), sumRows(right)]
  const nothing = { calls: 0, units: 0 }
  return [...new Set([...leftSums.keys(), ...rightSums.keys()])].flatMap(id => {
    const [a, b] = [leftSums.get(id) ?? nothing, rightSums.get(id) ?? nothing]
    if (a.calls === b.calls && a.units === b.units) return []
    const row = (leftSums.get(id) ?? rightSums.get(id))!.row
    return `Key ${row.keyId}, ${row.operation}, status ${row.status}, from ${isoTime(row.fromMs)}: the ${leftName} has ${a.calls} calls and ${a.units} units, the ${rightName} ${b.calls} and ${b.units}.`
  })
}

function sumRows(rows: readonly UsageRow[]) {
  const sums = new Map<string, { row: UsageRow; calls: number; units: number }>()
  for (const row of rows) {
    const id = toRowKey(row)
    const sum = sums.get(id) ?? { row, calls: 0, units: 0 }
    sum.calls += row.calls
    sum.units += row.units
    sums.set(id, sum)
  }
  return sums
}

const toUndivided = (row: UsageRow): UsageRow => ({ ...row, fromMs: getUndividedSlotStart(row.fromMs) })
const toPeriod = (row: UsageRow, periodMs: number): UsageRow => ({
  ...row,
  fromMs: row.fromMs - (row.fromMs % periodMs),
})
const isoTime = (ms: number): string => new Date(ms).toISOString()

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
