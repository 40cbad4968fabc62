import type { Fold, Ledger, UsageCursor, UsageKey, UsageMark, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { type RecordBatch, readJournal, syncJournal } from './journal-reader.ts'
import { cursorOf, type Position, positionOf } from './position.ts'
import { slotOf } from './slot.ts'

export interface FoldOptions {
  /** Records in one transaction of the ledger, about. */
  readonly recordsPerCommit?: number
  /** Stops early, between two transactions. */
  readonly signal?: AbortSignal
}

/** What a fold did. */
export interface FoldReport {
  readonly records: number
  readonly position: UsageCursor
  /** Damaged bytes that were passed over. */
  readonly skippedBytes: number
}

/**
 * Takes the journal into the ledger, from the ledger's position to the journal's present end. Killed at any moment it
 * can be run again: a piece and the position after it are committed together.
 */
export async function foldJournal(folder: string, ledger: Ledger, options: FoldOptions = {}): Promise<FoldReport> {
  const perCommit = options.recordsPerCommit ?? 20_000
  let position = positionOf(await ledger.position())
  let summing = new Sums(position)
  let records = 0
  let skippedBytes = 0
  const commit = async (): Promise<boolean> => {
    if (summing.records === 0) return true
    // After a loss of power the ledger must not know of calls that the journal has lost.
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
  return { records, position: cursorOf(position), skippedBytes }
}

/** A roll-up line that grows. */
interface Line {
  readonly row: UsageRow
  calls: number
  units: number
}

/** The state of one subject in one bucket that grows: the newest window with all its units, the newest mark. */
interface Standing {
  mark: UsageMark
  windowStartMs: number
  used: number
}

/** The sums of a piece of the journal. It adds in place: this is run for every call that is served. */
export class Sums {
  readonly #from: Position
  readonly #lines = new Map<string, Line[]>()
  readonly #standings = { package: new Map<string, Standing>(), search: new Map<string, Standing>() }
  readonly #seen = new Set<string>()
  #lastMs = 0
  #lastShiftMs = 0
  to: Position

  constructor(from: Position) {
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
    const rows = [...this.#lines.values()].flat().map(({ row, calls, units }) => ({ ...row, calls, units }))
    const nowUs = (this.#lastMs - this.#lastShiftMs) * 1000
    const { package: ofPackage, search } = this.#standings
    const states = [...ofPackage, ...search].map(([subject, { mark, windowStartMs, used }]) => ({
      ...mark,
      subject,
      windowStartMs,
      used,
      // A bucket that is full again by the end of the piece needs no memory.
      tatUs: mark.tatUs > nowUs ? mark.tatUs : 0,
    }))
    return {
      from: cursorOf(this.#from),
      to: cursorOf(this.to),
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
    const line = this.#lineOf(record)
    line.calls++
    line.units += record.units
    for (const mark of record.marks) this.#stand(record, mark)
  }

  /** A key has few lines in a piece: looking through them costs less than a name for each call. */
  #lineOf(record: UsageRecord): Line {
    let lines = this.#lines.get(record.keyId)
    if (!lines) {
      lines = []
      this.#lines.set(record.keyId, lines)
    }
    const fromMs = slotOf(record.timeMs)
    const known = lines.find(
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
    const line = { row: rowOf(record), calls: 0, units: 0 }
    lines.push(line)
    return line
  }

  #stand({ subject, units }: UsageRecord, mark: UsageMark): void {
    const standings = this.#standings[mark.bucket]
    const standing = standings.get(subject)
    if (!standing) {
      standings.set(subject, { mark, windowStartMs: mark.windowStartMs, used: units })
      return
    }
    standing.mark = mark
    if (mark.windowStartMs > standing.windowStartMs) {
      standing.windowStartMs = mark.windowStartMs
      standing.used = units
    } else if (mark.windowStartMs === standing.windowStartMs) standing.used += units
  }
}

/** The roll-up line that a record belongs to, with the record alone in it. */
export const rowOf = (record: UsageRecord): UsageRow => ({
  fromMs: slotOf(record.timeMs),
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

/** Tells roll-up lines apart. */
export const foldKey = (row: UsageKey): string =>
  `${row.fromMs}\t${row.keyId}\t${row.operation}\t${row.version}\t${row.versionExplicit}\t${row.status}\t${row.billable}\t${row.partnerId}`
