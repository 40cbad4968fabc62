import { basename } from 'node:path'
import type { FolderProblem } from '../domain/data-folder.ts'
import { toRecord } from '../domain/journal-call.ts'
import type { FoldedFile, Ledger, NodeFiles, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { hourMs } from '../kit/time.ts'
import { findBatches } from './batch-frame.ts'
import { type LedgerCheckInput, toUndivided, windowId } from './check-ledger.ts'
import { readFirstTime } from './detail.ts'
import { readCalls } from './journal-calls.ts'
import { findSequenceEnd, type JournalFile, journalPath } from './journal-files.ts'
import { findLosses, type JournalLoss, journalLossText } from './journal-losses.ts'
import { DamagedJournalFile, type JournalReader } from './journal-reader.ts'
import { RepeatFinder } from './repeats.ts'
import { toRowKey, toUsageRow } from './sums.ts'

/** The journals of other nodes, for `readLedgerCheckInput`. */
export interface OtherJournals {
  /** Returns the journal of a node as far as it can be reached. */
  journalOf(node: string): JournalReader
  /** Returns the ledger with the position of a node. */
  ledgerOf(node: string): Ledger
  /** Waits until the journals have what the ledger has of them, as far as the nodes can be reached. */
  collect(nodes: readonly NodeFiles[]): Promise<void>
}

/** Reads the journal of this node, those of `others`, and their ledger for `checkLedger`. */
export async function readLedgerCheckInput(
  journal: JournalReader,
  ledger: Ledger,
  others?: OtherJournals,
): Promise<LedgerCheckInput> {
  const { position: _, files, others: otherNodes, ...sumsOfLedger } = await ledger.readAll()
  await others?.collect(otherNodes.filter(({ isForgotten }) => !isForgotten))
  const sums = new JournalSums()
  const own = await checkJournal(journal, ledger, files, sums)
  const missing = own.losses.filter(({ bytes }) => bytes === undefined)
  const fileProblems = [
    ...own.losses.map(loss => ({ file: nameFile(journal, loss.known.file), problem: journalLossText(loss) })),
    ...own.problems,
  ]
  for (const { node, files: known, isForgotten } of others ? otherNodes : []) {
    const other = await checkJournal(others!.journalOf(node), others!.ledgerOf(node), known, sums)
    const unreachable = other.losses.filter(loss => loss.known.bytes > 0)
    missing.push(...unreachable)
    fileProblems.push(...other.problems, ...(isForgotten ? [] : describeUnreachable(node, unreachable)))
  }
  return {
    folder: journal.name,
    fileProblems,
    journal: sums.rows(),
    detailFromMs: sums.detailFromMs,
    missing: missing.map(loss => loss.known),
    ...sumsOfLedger,
    windows: sums.windows,
  }
}

/** Adds the journal of a node to sums. Returns its losses and other problems. */
async function checkJournal(
  journal: JournalReader,
  ledger: Ledger,
  folded: readonly FoldedFile[],
  sums: JournalSums,
): Promise<{ readonly losses: readonly JournalLoss[]; readonly problems: readonly FolderProblem[] }> {
  const known = new Map(folded.map(file => [file.file, file]))
  const scan = await journal.scan()
  sums.detailFromMs = Math.max(sums.detailFromMs, await detailFrom(journal, scan.files), endOfDropped(folded))
  const check = new JournalCheck(journal, known, sums)
  for (const file of scan.files) await check.read(file)
  // Retention may have removed files since the ledger was read.
  const dropped = new Set((await ledger.files()).filter(({ state }) => state === 'dropped').map(({ file }) => file))
  const losses = findLosses(known, scan).filter(loss => !dropped.has(loss.known.file))
  return { losses, problems: [...findStrays(journal.name, scan.taken, scan.files, known), ...check.problems] }
}

/** Returns the problem that the rest of the journal of another node is only in its folder. */
function describeUnreachable(node: string, losses: readonly JournalLoss[]): FolderProblem[] {
  const files = losses.map(({ known }) => known)
  if (files.length === 0) return []
  const first = Math.min(...files.map(({ file }) => file))
  const fromMs = Math.min(...files.map(({ firstMs }) => firstMs))
  const after = first > 1 ? ` after file ${first - 1}` : ''
  const from = Number.isFinite(fromMs) && fromMs > 0 ? ` from ${new Date(fromMs).toISOString()} on` : ''
  const problem = `The journal of node ${node}${after} is not reachable; its calls${from} are not proved.`
  return [{ file: `journals/${node}`, problem }]
}

/** Returns the path of a plain file of the journal, relative to the data folder. */
const nameFile = ({ name }: JournalReader, number: number): string => `${name}/${basename(journalPath('', number))}`

/** Returns a problem for each entry that has a name of a journal file, and that the writer did not make. */
function findStrays(
  name: string,
  taken: readonly number[],
  files: readonly JournalFile[],
  known: ReadonlyMap<number, FoldedFile>,
): FolderProblem[] {
  const first = Math.min(...known.keys())
  const end = findSequenceEnd([...known.keys(), ...taken.filter(number => number >= first)])
  const listed = new Set(files.map(({ number }) => number))
  return [...new Set(taken)].flatMap(number => {
    const file = `${name}/${basename(journalPath('', number))}`
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
  readonly problems: FolderProblem[] = []
  readonly #journal: JournalReader
  readonly #sums: JournalSums
  readonly #known: ReadonlyMap<number, FoldedFile>
  readonly #first: number
  /** The files before the one that is read: only these can have a record of it earlier. */
  readonly #earlier = new Map<number, FoldedFile>()
  readonly #repeats: RepeatFinder

  constructor(journal: JournalReader, known: ReadonlyMap<number, FoldedFile>, sums: JournalSums) {
    this.#journal = journal
    this.#sums = sums
    this.#known = known
    this.#first = Math.min(...known.keys())
    this.#repeats = new RepeatFinder(journal, this.#earlier)
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
    const whole = await this.#journal.read(file)
    const contents = known && file.form !== 'billedOnly' ? whole.subarray(0, known.bytes) : whole
    const repeated: string[] = []
    let damagedBytes = 0
    let end = 0
    for (const batch of findBatches(contents)) {
      const calls = readCalls(batch)
      const counted = new Set(await this.#repeats.removeRepeats(file.number, calls))
      for (const call of counted) this.#sums.add(toRecord(call))
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
    this.problems.push({ file: `${this.#journal.name}/${basename(file.path)}`, problem })
  }
}

/** Sums the records of journals by roll-up row and by window. */
class JournalSums {
  readonly windows = new Map<string, number>()
  /** Start of the period for which all journals have every call; rows before it are compared with nothing. */
  detailFromMs = 0
  readonly #rows = new Map<string, { row: UsageRow; calls: number; units: number }>()

  add(record: UsageRecord): void {
    for (const { bucket, windowStartMs } of record.marks) {
      const id = windowId(record.subject, bucket, windowStartMs)
      this.windows.set(id, (this.windows.get(id) ?? 0) + record.units)
    }
    const row = toUndivided(toUsageRow(record))
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
 * Returns the time from which no call is in a dropped file. Nodes drop their files at different times, so a journal
 * that was made of theirs has dropped files between others.
 */
const endOfDropped = (folded: readonly FoldedFile[]): number =>
  folded
    .filter(({ state, calls, lastMs }) => state === 'dropped' && calls > 0 && Number.isFinite(lastMs))
    .reduce((latest, { lastMs }) => Math.max(latest, lastMs + hourMs), 0)

/**
 * Returns the start of the complete part of the journal: an hour (for slow calls) after the last dropped or stripped
 * file.
 */
async function detailFrom(journal: JournalReader, files: readonly JournalFile[]): Promise<number> {
  const firstComplete = files.findLastIndex(file => file.form === 'billedOnly') + 1
  if (firstComplete === 0 && (files[0]?.number ?? 1) === 1) return 0
  const file = files[firstComplete]
  const startMs = file && (await readFirstTime(journal, file))
  return startMs === undefined ? Number.MAX_SAFE_INTEGER : startMs + hourMs
}
