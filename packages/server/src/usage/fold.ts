import type { Fold, Ledger, UsageCursor, UsageKey, UsageMark, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { formatCursor, type JournalPosition, parseCursor } from './journal-position.ts'
import { type RecordBatch, readJournal, syncJournal } from './journal-reader.ts'
import { getSlotStart } from './slot.ts'

/** Options of a fold. */
export interface FoldOptions {
  /** Approximate number of records in one transaction of the ledger. */
  readonly recordsPerCommit?: number
  /** Stops the fold between two transactions. */
  readonly signal?: AbortSignal
}

/** The result of a fold. */
export interface FoldReport {
  readonly records: number
  readonly position: UsageCursor
  /** Number of damaged bytes that were skipped. */
  readonly skippedBytes: number
}

/**
 * Adds the journal to the ledger, from the ledger's position to the current end of the journal. Safe to interrupt and rerun:
 * each transaction contains the sums of a part of the journal and the position after that part.
 */
export async function foldJournal(folder: string, ledger: Ledger, options: FoldOptions = {}): Promise<FoldReport> {
  const perCommit = options.recordsPerCommit ?? 20_000
  let position = parseCursor(await ledger.position())
  let summing = new Sums(position)
  let records = 0
  let skippedBytes = 0
  const commit = async (): Promise<boolean> => {
    if (summing.records === 0) return true
    // The ledger must not contain calls that the journal loses in a power failure.
    await syncJournal(folder, position, summing.to)
    if ((await ledger.commit(summing.fold())) === 'stale') return false
    records += summing.records
    position = summing.to
    summing = new Sums(position)
    return !options.signal?.aborted
  }
  for await (const batch of readJournal(folder, position)) {
    summing.add(batch)
    skippedBytes += batch.skippedBytes
    if (summing.records >= perCommit && !(await commit())) break
  }
  await commit()
  return { records, position: formatCursor(position), skippedBytes }
}

/** The calls and units of one roll-up row. */
interface RowSum {
  readonly row: UsageRow
  calls: number
  units: number
}

/** The latest window of one subject in one bucket, and the latest mark. */
interface WindowSum {
  mark: UsageMark
  windowStartMs: number
  /** Units in the window. */
  used: number
}

/** The sums of a part of the journal. They change in place for speed: every call is added here. */
export class Sums {
  readonly #from: JournalPosition
  /** By key. */
  readonly #rows = new Map<string, RowSum[]>()
  /** By bucket and subject. */
  readonly #windows = { package: new Map<string, WindowSum>(), search: new Map<string, WindowSum>() }
  readonly #seen = new Set<string>()
  #lastMs = 0
  #lastShiftMs = 0
  /** The position after the last batch. */
  to: JournalPosition

  constructor(from: JournalPosition) {
    this.#from = from
    this.to = from
  }

  get records(): number {
    return this.#seen.size
  }

  add(batch: RecordBatch): void {
    for (const record of batch.records) this.#count(record)
    this.to = batch.end
  }

  fold(): Fold {
    const rows = [...this.#rows.values()].flat().map(({ row, calls, units }) => ({ ...row, calls, units }))
    const nowUs = (this.#lastMs - this.#lastShiftMs) * 1000
    const states = [...this.#windows.package, ...this.#windows.search].map(
      ([subject, { mark, windowStartMs, used }]) => ({
        ...mark,
        subject,
        windowStartMs,
        used,
        // A bucket that is full at the end of this part needs no state.
        tatUs: mark.tatUs > nowUs ? mark.tatUs : 0,
      }),
    )
    return {
      from: formatCursor(this.#from),
      to: formatCursor(this.to),
      rows,
      states,
      last: { timeMs: this.#lastMs, shiftMs: this.#lastShiftMs },
    }
  }

  #count(record: UsageRecord): void {
    const before = this.#seen.size
    if (this.#seen.add(record.requestId).size === before) return
    this.#lastMs = record.timeMs
    this.#lastShiftMs = record.shiftMs
    const sum = this.#sumFor(record)
    sum.calls++
    sum.units += record.units
    for (const mark of record.marks) this.#addMark(record, mark)
  }

  /** Returns the sum of the record's row. A key has few rows: a linear search is faster than a composite map key. */
  #sumFor(record: UsageRecord): RowSum {
    let sums = this.#rows.get(record.keyId)
    if (!sums) {
      sums = []
      this.#rows.set(record.keyId, sums)
    }
    const fromMs = getSlotStart(record.timeMs)
    const known = sums.find(
      ({ row }) =>
        row.fromMs === fromMs &&
        row.status === record.status &&
        row.operation === record.operation &&
        row.version === record.version &&
        row.versionExplicit === record.versionExplicit &&
        row.billable === record.billable &&
        row.partnerId === record.partnerId,
    )
    if (known) return known
    const sum = { row: toUsageRow(record), calls: 0, units: 0 }
    sums.push(sum)
    return sum
  }

  #addMark({ subject, units }: UsageRecord, mark: UsageMark): void {
    const windows = this.#windows[mark.bucket]
    const window = windows.get(subject)
    if (!window) {
      windows.set(subject, { mark, windowStartMs: mark.windowStartMs, used: units })
      return
    }
    window.mark = mark
    if (mark.windowStartMs > window.windowStartMs) {
      window.windowStartMs = mark.windowStartMs
      window.used = units
    } else if (mark.windowStartMs === window.windowStartMs) window.used += units
  }
}

/** Returns the roll-up row of a single record. */
export const toUsageRow = (record: UsageRecord): UsageRow => ({
  fromMs: getSlotStart(record.timeMs),
  partnerId: record.partnerId,
  keyId: record.keyId,
  operation: record.operation,
  version: record.version,
  versionExplicit: record.versionExplicit,
  status: record.status,
  billable: record.billable,
  calls: 1,
  units: record.units,
})

/** Returns a key that identifies a roll-up row. */
export const toRowKey = (row: UsageKey): string =>
  `${row.fromMs}\t${row.keyId}\t${row.operation}\t${row.version}\t${row.versionExplicit}\t${row.status}\t${row.billable}\t${row.partnerId}`
