import type { JournalCall } from '../domain/journal-call.ts'
import {
  type Fold,
  type FoldedSecretUse,
  type FoldedUse,
  type LastRecord,
  noEpoch,
  type Strike,
  type UsageKey,
  type UsageMark,
  type UsageRow,
} from '../domain/ledger.ts'
import { forEachBucket, limitBuckets } from '../domain/limit-bucket.ts'
import { mergePenalties, mergeWindows } from '../domain/limit-merge.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { toUtcDay } from '../kit/time.ts'
import { getNextSlotStart, getSlotStart } from './slot.ts'

/** The calls and units of one roll-up row. */
interface Totals {
  readonly key: UsageKey
  calls: number
  units: number
}

/** The latest window of one subject in one bucket, and the latest mark. */
interface WindowSum {
  mark: UsageMark
  tatUs: number
  windowStartMs: number
  /** Units in the window. */
  used: number
  /** Units of them that were recorded under another start of the window; only with shared limits. */
  carried: number
  /** Time of the latest call in milliseconds since 1970; only with shared limits. */
  lastMs: number
}

/** The latest use of a key and of each of its secrets. */
class LatestUse {
  #latestMs = Number.NEGATIVE_INFINITY
  #version = ''
  readonly #secrets = new Map<string, FoldedSecretUse>()

  add({ terms: { version, secretId }, latestMs, calls }: TermsSum): void {
    if (latestMs >= this.#latestMs) {
      this.#latestMs = latestMs
      this.#version = version
    }
    if (secretId === undefined) return
    const known = this.#secrets.get(secretId) ?? { calls: 0, latestMs }
    const latest = Math.max(known.latestMs, latestMs)
    this.#secrets.set(secretId, { id: secretId, calls: known.calls + calls, latestMs: latest })
  }

  toFolded(keyId: string): FoldedUse {
    const day = toUtcDay(this.#latestMs)
    return { keyId, day, version: this.#version, secrets: [...this.#secrets.values()] }
  }
}

/** The sums of calls that share their terms and their slot. */
interface TermsSum {
  readonly terms: UsageRecord
  /** The slot: a half-open span. */
  readonly fromMs: number
  readonly toMs: number
  readonly windows: readonly WindowSum[]
  calls: number
  latestMs: number
}

/** The sums of calls. They change in place for speed: every call is added here. */
export class Sums {
  /** The latest sum of calls that share their terms. */
  readonly #latest = new Map<UsageRecord, TermsSum>()
  readonly #sums: TermsSum[] = []
  /** By bucket and subject. */
  readonly #windows = forEachBucket(() => new Map<string, WindowSum>())
  /** The last strike by bucket and subject. */
  readonly #strikes = new Map<string, Strike>()
  #calls = 0
  #last: LastRecord | undefined

  /** Number of calls. */
  get calls(): number {
    return this.#calls
  }

  add(calls: readonly JournalCall[]): void {
    for (const call of calls) this.#count(call)
    const last = calls.at(-1)
    if (last) this.#last = { timeMs: last.timeMs, shiftMs: last.terms.shiftMs }
  }

  fold(): Pick<Fold, 'rows' | 'states' | 'uses' | 'last' | 'strikes' | 'epochs'> {
    const nowUs = this.#last ? (this.#last.timeMs - this.#last.shiftMs) * 1000 : 0
    const states = limitBuckets
      .flatMap(bucket => [...this.#windows[bucket]])
      .map(([subject, { mark, tatUs, windowStartMs, used, carried, lastMs }]) => ({
        ...mark,
        subject,
        windowStartMs,
        used,
        // A bucket that is full at the end of this part needs no state.
        tatUs: tatUs > nowUs ? tatUs : 0,
        ...(lastMs > 0 && { carried, lastUs: lastMs * 1000 }),
      }))
    const strikes = [...this.#strikes.values()]
    const epochs = countByEpoch(this.#sums)
    return {
      rows: sumRows(this.#sums),
      states,
      uses: findUses(this.#sums),
      last: this.#last,
      ...(strikes.length > 0 && { strikes }),
      ...(epochs.size > 0 && { epochs }),
    }
  }

  #count(call: JournalCall): void {
    const { terms, timeMs } = call
    this.#calls++
    const sum = this.#sumFor(call)
    sum.calls++
    if (timeMs > sum.latestMs) sum.latestMs = timeMs
    for (let i = 0; i < terms.marks.length; i++) {
      const mark = terms.marks[i]!
      addToWindow(sum.windows[i]!, mark, call)
      if (mark.penalty && mark.penalty.strikes > 0) this.#addStrike(terms, mark.bucket, mark.penalty.struckUs)
    }
  }

  #sumFor({ terms, timeMs, source }: JournalCall): TermsSum {
    const known = this.#latest.get(terms)
    if (known && timeMs >= known.fromMs && timeMs < known.toMs) return known
    const fromMs = getSlotStart(timeMs)
    const windows = terms.marks.map(({ bucket }) => this.#windowOf(terms.subject, bucket))
    const sum = { terms, fromMs, toMs: source ? getNextSlotStart(timeMs) : fromMs, windows, calls: 0, latestMs: timeMs }
    this.#sums.push(sum)
    if (source) this.#latest.set(terms, sum)
    return sum
  }

  #windowOf(subject: string, bucket: UsageMark['bucket']): WindowSum {
    const windows = this.#windows[bucket]
    let window = windows.get(subject)
    if (!window) {
      window = {
        mark: { bucket, windowStartMs: 0, tatUs: 0 },
        tatUs: 0,
        windowStartMs: Number.NEGATIVE_INFINITY,
        used: 0,
        carried: 0,
        lastMs: 0,
      }
      windows.set(subject, window)
    }
    return window
  }

  #addStrike({ subject, shiftMs }: UsageRecord, bucket: UsageMark['bucket'], struckUs: number): void {
    const atMs = Math.floor(struckUs / 1000) + shiftMs
    this.#strikes.set(`${bucket} ${subject}`, { subject, bucket, atMs })
  }
}

/** Returns the number of calls by epoch, without those that no limits decided. */
function countByEpoch(sums: readonly TermsSum[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { terms, calls } of sums) {
    const { marks, epoch = noEpoch } = terms
    if (epoch !== noEpoch || marks.length > 0) counts.set(epoch, (counts.get(epoch) ?? 0) + calls)
  }
  return counts
}

/** Adds a call to the window that its units were charged to. */
function addToWindow(window: WindowSum, mark: UsageMark, call: JournalCall): void {
  const { terms, source, tatUs } = call
  if (terms.epoch !== undefined) {
    mergeIntoWindow(window, mark, call)
    return
  }
  window.mark = mark
  window.tatUs = source ? tatUs : mark.tatUs
  if (mark.windowStartMs > window.windowStartMs) {
    window.windowStartMs = mark.windowStartMs
    window.used = terms.units
  } else if (mark.windowStartMs === window.windowStartMs) window.used += terms.units
}

/** Merges a call of shared limits, whose nodes may have opened windows without seeing each other. */
function mergeIntoWindow(window: WindowSum, mark: UsageMark, { terms, source, tatUs, timeMs }: JournalCall): void {
  const penalty = mergePenalties(window.mark.penalty, mark.penalty)
  window.mark = penalty === mark.penalty ? mark : { ...mark, penalty }
  window.tatUs = Math.max(window.tatUs, source ? tatUs : mark.tatUs)
  window.lastMs = Math.max(window.lastMs, timeMs)
  const { windowStartMs } = mark
  if (windowStartMs === window.windowStartMs) window.used += terms.units
  else Object.assign(window, mergeWindows(window, { windowStartMs, used: terms.units, carried: 0 }))
}

/** Sums calls by roll-up row. */
function sumRows(sums: readonly TermsSum[]): UsageRow[] {
  const rows = new Map<string, Totals>()
  for (const { terms, fromMs, calls } of sums) {
    const key = toUsageKey(terms, fromMs)
    const id = toRowKey(key)
    const row = rows.get(id) ?? { key, calls: 0, units: 0 }
    rows.set(id, row)
    row.calls += calls
    row.units += calls * terms.units
  }
  return [...rows.values()].map(({ key, calls, units }) => ({ ...key, calls, units }))
}

/** Returns the latest use of each key. */
function findUses(sums: readonly TermsSum[]): FoldedUse[] {
  const uses = new Map<string, LatestUse>()
  for (const sum of sums) {
    const use = uses.get(sum.terms.keyId) ?? new LatestUse()
    uses.set(sum.terms.keyId, use)
    use.add(sum)
  }
  return [...uses].map(([keyId, use]) => use.toFolded(keyId))
}

/** Returns the roll-up row of a single record. */
export const toUsageRow = (record: UsageRecord): UsageRow => ({
  ...toUsageKey(record, getSlotStart(record.timeMs)),
  calls: 1,
  units: record.units,
})

const toUsageKey = (record: UsageRecord, fromMs: number): UsageKey => ({
  fromMs,
  partnerId: record.partnerId,
  keyId: record.keyId,
  operation: record.operation,
  version: record.version,
  versionExplicit: record.versionExplicit,
  status: record.status,
  billable: record.billable,
})

/** Returns a key that identifies a roll-up row. */
export const toRowKey = (row: UsageKey): string =>
  `${row.fromMs}\t${row.keyId}\t${row.operation}\t${row.version}\t${row.versionExplicit}\t${row.status}\t${row.billable}\t${row.partnerId}`
