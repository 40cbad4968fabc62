import type { AuditedState, Ledger, UsageRow } from '../domain/ledger.ts'
import { firstTimeOf } from './detail.ts'
import { foldKey, rowOf } from './fold.ts'
import { type JournalFile, listJournal } from './journal-files.ts'
import { readJournal } from './journal-reader.ts'
import { journalStart, positionOf } from './position.ts'
import { dayOf } from './slot.ts'

/** Everything that has to agree, side by side. */
export interface Books {
  /** Summed afresh from the detail, from `detailFromMs` on, up to where the ledger has folded. */
  readonly journal: readonly UsageRow[]
  readonly detailFromMs: number
  readonly slots: readonly UsageRow[]
  readonly days: readonly UsageRow[]
  readonly states: readonly AuditedState[]
  /** Units in the detail by `windowId`. */
  readonly windows: ReadonlyMap<string, number>
  readonly duplicates: readonly string[]
  /** Numbers of files that lie between others and are not there. */
  readonly missingFiles: readonly number[]
  readonly damagedBytes: number
}

export const windowId = (subject: string, bucket: string, startMs: number): string =>
  `${subject}\t${bucket}\t${startMs}`

/** Proves journal = roll-ups = windows; gives what is wrong, a sentence each. Pure. */
export function audit(books: Books): string[] {
  const problems = [
    ...books.duplicates.map(id => `The journal holds the call ${id} twice.`),
    ...books.missingFiles.map(number => `File ${number} of the journal is missing.`),
    ...(books.damagedBytes > 0
      ? [`${books.damagedBytes} bytes of the journal are damaged; the calls in them are lost.`]
      : []),
    ...differences(
      'journal',
      books.journal,
      'roll-up by slot',
      books.slots.filter(row => row.fromMs >= books.detailFromMs),
    ),
    ...differences('roll-up by slot', books.slots.map(ofDay), 'roll-up by day', books.days),
  ]
  for (const { subject, bucket, windowStartMs, used, carried } of books.states) {
    if (windowStartMs === 0 || windowStartMs < books.detailFromMs) continue
    const journalled = books.windows.get(windowId(subject, bucket, windowStartMs)) ?? 0
    if (journalled + carried === used) continue
    problems.push(
      `The ${bucket} window of ${subject} that opened ${moment(windowStartMs)} holds ${used} units; the journal has ${journalled + carried}.`,
    )
  }
  return problems
}

function differences(
  leftName: string,
  left: readonly UsageRow[],
  rightName: string,
  right: readonly UsageRow[],
): string[] {
  const [leftSums, rightSums] = [sumsOf(left), sumsOf(right)]
  const nothing = { calls: 0, units: 0 }
  return [...new Set([...leftSums.keys(), ...rightSums.keys()])].flatMap(id => {
    const [a, b] = [leftSums.get(id) ?? nothing, rightSums.get(id) ?? nothing]
    if (a.calls === b.calls && a.units === b.units) return []
    const row = (leftSums.get(id) ?? rightSums.get(id))!.row
    return `Key ${row.keyId}, ${row.operation}, status ${row.status}, from ${moment(row.fromMs)}: the ${leftName} has ${a.calls} calls and ${a.units} units, the ${rightName} ${b.calls} and ${b.units}.`
  })
}

function sumsOf(rows: readonly UsageRow[]) {
  const sums = new Map<string, { row: UsageRow; calls: number; units: number }>()
  for (const row of rows) {
    const id = foldKey(row)
    const sum = sums.get(id) ?? { row, calls: 0, units: 0 }
    sum.calls += row.calls
    sum.units += row.units
    sums.set(id, sum)
  }
  return sums
}

const ofDay = (row: UsageRow): UsageRow => ({ ...row, fromMs: dayOf(row.fromMs) })
const moment = (ms: number): string => new Date(ms).toISOString()

/** Reads the books of a journal folder and its ledger, for `audit`. */
export async function readBooks(folder: string, ledger: Ledger): Promise<Books> {
  const { position: cursor, ...sumsOfLedger } = await ledger.whole()
  const position = positionOf(cursor)
  const files = await listJournal(folder)
  const detailFromMs = await detailFrom(files)
  const sums = new Map<string, { row: UsageRow; calls: number; units: number }>()
  const windows = new Map<string, number>()
  const recent = new RecentIds()
  const duplicates: string[] = []
  let damagedBytes = 0
  for await (const batch of readJournal(folder, journalStart)) {
    if (batch.end.file > position.file || (batch.end.file === position.file && batch.end.offset > position.offset))
      break
    damagedBytes += batch.skippedBytes
    for (const record of batch.records) {
      if (recent.seen(record.requestId)) duplicates.push(record.requestId)
      for (const { bucket, windowStartMs } of record.marks) {
        const id = windowId(record.subject, bucket, windowStartMs)
        windows.set(id, (windows.get(id) ?? 0) + record.units)
      }
      const row = rowOf(record)
      if (row.fromMs < detailFromMs) continue
      const id = foldKey(row)
      const sum = sums.get(id) ?? { row, calls: 0, units: 0 }
      sum.calls++
      sum.units += row.units
      sums.set(id, sum)
    }
  }
  return {
    journal: [...sums.values()].map(({ row, calls, units }) => ({ ...row, calls, units })),
    detailFromMs,
    ...sumsOfLedger,
    windows,
    duplicates,
    missingFiles: files.slice(1).flatMap((file, i) => range(files[i]!.number + 1, file.number)),
    damagedBytes,
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** From when on the detail is whole: after the last file that was dropped or thinned out, and an hour for slow calls. */
async function detailFrom(files: readonly JournalFile[]): Promise<number> {
  const firstWhole = files.findLastIndex(file => file.form === 'billed') + 1
  if (firstWhole === 0 && (files[0]?.number ?? 1) === 1) return 0
  const file = files[firstWhole]
  const begins = file && (await firstTimeOf(file))
  return begins === undefined ? Number.MAX_SAFE_INTEGER : begins + 3_600_000
}

/** Remembers the last one to two million ids: the same call twice would lie close together. */
class RecentIds {
  #now = new Set<string>()
  #before = new Set<string>()

  seen(id: string): boolean {
    if (this.#now.has(id) || this.#before.has(id)) return true
    this.#now.add(id)
    if (this.#now.size === 1_000_000) {
      this.#before = this.#now
      this.#now = new Set()
    }
    return false
  }
}
