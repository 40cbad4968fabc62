import type { AuditedState, Ledger, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { readFirstTime } from './detail.ts'
import { toRowKey, toUsageRow } from './fold.ts'
import { type JournalFile, listJournal } from './journal-files.ts'
import { isAfter, journalStart, parseCursor } from './journal-position.ts'
import { readJournal } from './journal-reader.ts'
import { getDayStart } from './slot.ts'

/** The journal, the roll-ups and the limit states, which an audit compares. */
export interface AuditInput {
  /** Sums of the journal's records from `detailFromMs` up to the ledger's position. */
  readonly journal: readonly UsageRow[]
  /** Start of the period for which the journal has every call. */
  readonly detailFromMs: number
  readonly slots: readonly UsageRow[]
  readonly days: readonly UsageRow[]
  readonly states: readonly AuditedState[]
  /** Units in the journal, by `windowId`. */
  readonly windows: ReadonlyMap<string, number>
  /** Ids of calls that the journal contains twice. */
  readonly duplicates: readonly string[]
  /** Numbers of missing files between existing journal files. */
  readonly missingFiles: readonly number[]
  readonly damagedBytes: number
}

/** Returns a key that identifies a window of a subject. */
export const windowId = (subject: string, bucket: string, startMs: number): string =>
  `${subject}\t${bucket}\t${startMs}`

/** Compares journal, roll-ups and windows. Returns a user-facing message for each difference. */
export function audit(input: AuditInput): string[] {
  const problems = [
    ...input.duplicates.map(id => `The journal contains call ${id} twice.`),
    ...input.missingFiles.map(number => `File ${number} of the journal is missing.`),
    ...(input.damagedBytes > 0
      ? [`${input.damagedBytes} bytes of the journal are damaged; the calls in them are lost.`]
      : []),
    ...findDifferences(
      'journal',
      input.journal,
      'roll-up by slot',
      input.slots.filter(row => row.fromMs >= input.detailFromMs),
    ),
    ...findDifferences('roll-up by slot', input.slots.map(toDay), 'roll-up by day', input.days),
  ]
  for (const { subject, bucket, windowStartMs, used, carried } of input.states) {
    if (windowStartMs === 0 || windowStartMs < input.detailFromMs) continue
    const journalled = input.windows.get(windowId(subject, bucket, windowStartMs)) ?? 0
    if (journalled + carried === used) continue
    problems.push(
      `The ${bucket} window of ${subject} that opened ${isoTime(windowStartMs)} holds ${used} units; the journal has ${journalled + carried}.`,
    )
  }
  return problems
}

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

const toDay = (row: UsageRow): UsageRow => ({ ...row, fromMs: getDayStart(row.fromMs) })
const isoTime = (ms: number): string => new Date(ms).toISOString()

/** Reads a journal folder and its ledger for `audit`. */
export async function readAuditInput(folder: string, ledger: Ledger): Promise<AuditInput> {
  const { position: cursor, ...sumsOfLedger } = await ledger.readAll()
  const position = parseCursor(cursor)
  const files = await listJournal(folder)
  const detailFromMs = await detailFrom(files)
  const sums = new JournalSums(detailFromMs)
  let damagedBytes = 0
  for await (const batch of readJournal(folder, journalStart)) {
    if (isAfter(batch.end, position)) break
    damagedBytes += batch.skippedBytes
    for (const record of batch.records) sums.add(record)
  }
  return {
    journal: sums.rows(),
    detailFromMs,
    ...sumsOfLedger,
    windows: sums.windows,
    duplicates: sums.duplicates,
    missingFiles: files.slice(1).flatMap((file, i) => range(files[i]!.number + 1, file.number)),
    damagedBytes,
  }
}

/** Sums the records of a journal by roll-up row and by window. */
class JournalSums {
  readonly windows = new Map<string, number>()
  readonly duplicates: string[] = []
  readonly #detailFromMs: number
  readonly #rows = new Map<string, { row: UsageRow; calls: number; units: number }>()
  readonly #recent = new RecentIds()

  constructor(detailFromMs: number) {
    this.#detailFromMs = detailFromMs
  }

  add(record: UsageRecord): void {
    if (this.#recent.add(record.requestId)) this.duplicates.push(record.requestId)
    for (const { bucket, windowStartMs } of record.marks) {
      const id = windowId(record.subject, bucket, windowStartMs)
      this.windows.set(id, (this.windows.get(id) ?? 0) + record.units)
    }
    const row = toUsageRow(record)
    if (row.fromMs < this.#detailFromMs) return
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

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** Returns the start of the complete part of the journal: an hour (for slow calls) after the last dropped or stripped file. */
async function detailFrom(files: readonly JournalFile[]): Promise<number> {
  const firstComplete = files.findLastIndex(file => file.form === 'billedOnly') + 1
  if (firstComplete === 0 && (files[0]?.number ?? 1) === 1) return 0
  const file = files[firstComplete]
  const startMs = file && (await readFirstTime(file))
  return startMs === undefined ? Number.MAX_SAFE_INTEGER : startMs + 3_600_000
}

/** The last one to two million ids. Two records of the same call would be close together. */
class RecentIds {
  #current = new Set<string>()
  #previous = new Set<string>()

  /** Adds an id. Returns true if it was already present. */
  add(id: string): boolean {
    if (this.#current.has(id) || this.#previous.has(id)) return true
    this.#current.add(id)
    if (this.#current.size === 1_000_000) {
      this.#previous = this.#current
      this.#current = new Set()
    }
    return false
  }
}
