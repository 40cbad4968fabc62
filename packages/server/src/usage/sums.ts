import type { Fold, FoldedUse, LastRecord, Strike, UsageKey, UsageMark, UsageRow } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { getSlotStart } from './slot.ts'

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

/** The latest use of a key and of each of its secrets. */
class LatestUse {
  #latestMs = Number.NEGATIVE_INFINITY
  #version = ''
  /** Time of the latest call with each secret. */
  readonly #secrets = new Map<string, number>()

  add({ timeMs, version, secretId }: UsageRecord): void {
    if (timeMs >= this.#latestMs) {
      this.#latestMs = timeMs
      this.#version = version
    }
    if (secretId !== undefined && timeMs >= (this.#secrets.get(secretId) ?? timeMs)) this.#secrets.set(secretId, timeMs)
  }

  toFolded(keyId: string): FoldedUse {
    const secrets = [...this.#secrets].map(([id, timeMs]) => ({ id, day: toUtcDay(timeMs) }))
    return { keyId, day: toUtcDay(this.#latestMs), version: this.#version, secrets }
  }
}

const toUtcDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

/** The sums of records. They change in place for speed: every call is added here. */
export class Sums {
  /** By key. */
  readonly #rows = new Map<string, RowSum[]>()
  /** By bucket and subject. */
  readonly #windows = { package: new Map<string, WindowSum>(), search: new Map<string, WindowSum>() }
  readonly #uses = new Map<string, LatestUse>()
  /** The last strike by bucket and subject. */
  readonly #strikes = new Map<string, Strike>()
  #records = 0
  #last: LastRecord | undefined

  /** Number of records. */
  get records(): number {
    return this.#records
  }

  add(records: readonly UsageRecord[]): void {
    for (const record of records) this.#count(record)
    const last = records.at(-1)
    if (last) this.#last = { timeMs: last.timeMs, shiftMs: last.shiftMs }
  }

  fold(): Pick<Fold, 'rows' | 'states' | 'uses' | 'last' | 'strikes'> {
    const rows = [...this.#rows.values()].flat().map(({ row, calls, units }) => ({ ...row, calls, units }))
    const nowUs = this.#last ? (this.#last.timeMs - this.#last.shiftMs) * 1000 : 0
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
    const uses = [...this.#uses].map(([keyId, use]) => use.toFolded(keyId))
    const strikes = [...this.#strikes.values()]
    return { rows, states, uses, last: this.#last, ...(strikes.length > 0 && { strikes }) }
  }

  #count(record: UsageRecord): void {
    this.#records++
    this.#addUse(record)
    const sum = this.#sumFor(record)
    sum.calls++
    sum.units += record.units
    for (const mark of record.marks) this.#addMark(record, mark)
  }

  #addUse(record: UsageRecord): void {
    let use = this.#uses.get(record.keyId)
    if (!use) {
      use = new LatestUse()
      this.#uses.set(record.keyId, use)
    }
    use.add(record)
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

  #addMark({ subject, units, shiftMs }: UsageRecord, mark: UsageMark): void {
    const { bucket, penalty } = mark
    if (penalty && penalty.strikes > 0) {
      const atMs = Math.floor(penalty.struckUs / 1000) + shiftMs
      this.#strikes.set(`${bucket} ${subject}`, { subject, bucket, atMs })
    }
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
