import type { Fold, Ledger, Position, StoredState, UsageKey, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { type RecordBatch, readJournal, syncJournal } from './journal-reader.ts'
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
  readonly position: Position
  /** Damaged bytes that were passed over. */
  readonly skippedBytes: number
}

/**
 * Takes the journal into the ledger, from the ledger's position to the journal's present end. Killed at any moment it
 * can be run again: a piece and the position after it are committed together.
 */
export async function foldJournal(folder: string, ledger: Ledger, options: FoldOptions = {}): Promise<FoldReport> {
  const perCommit = options.recordsPerCommit ?? 20_000
  let position = await ledger.position()
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
  return { records, position, skippedBytes }
}

/** The sums of a piece of the journal. */
export class Sums {
  readonly #from: Position
  readonly #rows = new Map<string, { row: UsageRow; calls: number; units: number }>()
  readonly #states = new Map<string, StoredState>()
  readonly #seen = new Set<string>()
  #last: Fold['last'] = { timeMs: 0, shiftMs: 0 }
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
    const rows = [...this.#rows.values()].map(({ row, calls, units }) => ({ ...row, calls, units }))
    const nowUs = (this.#last.timeMs - this.#last.shiftMs) * 1000
    // A bucket that is full again by the end of the piece needs no memory.
    const states = [...this.#states.values()].map(state => (state.tatUs > nowUs ? state : { ...state, tatUs: 0 }))
    return { from: this.#from, to: this.to, rows, states, last: this.#last }
  }

  #count(record: UsageRecord): void {
    if (this.#seen.has(record.requestId)) return
    this.#seen.add(record.requestId)
    this.#last = { timeMs: record.timeMs, shiftMs: record.shiftMs }
    const row = rowOf(record)
    const key = foldKey(row)
    const sum = this.#rows.get(key)
    if (sum) {
      sum.calls++
      sum.units += record.units
    } else this.#rows.set(key, { row, calls: 1, units: record.units })
    for (const mark of record.marks) {
      const id = `${mark.bucket}\t${record.subject}`
      this.#states.set(id, nextState(this.#states.get(id), { ...mark, subject: record.subject, used: record.units }))
    }
  }
}

/** A state after one more record: the newest window with all its units, and the newest of everything else. */
export function nextState(before: StoredState | undefined, now: StoredState): StoredState {
  if (!before || now.windowStartMs > before.windowStartMs) return now
  const used = now.windowStartMs === before.windowStartMs ? before.used + now.used : before.used
  return { ...now, windowStartMs: before.windowStartMs, used }
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
