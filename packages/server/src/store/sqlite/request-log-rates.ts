import type { JournalCall } from '../../domain/journal-call.ts'
import { searchOperations } from '../../domain/operation.ts'
import type { PeakRate, PeakRateQuery } from '../../domain/request-log.ts'
import type { UsageRecord } from '../../domain/usage.ts'
import { dayMs, hourMs } from '../../kit/time.ts'
import type { Sqlite } from '../connection.ts'
import type { Prepare } from '../statement-cache.ts'

/** Seconds are kept until the newest call of their subject is this much later: a call is recorded when it ends. */
const keptSecondsMs = hourMs
/** Retention of peaks; small, so that it does not follow the retention of the calls. */
const keptPeaksMs = 31 * dayMs

/** The admitted calls of one second, by a subject and bucket of limits. */
interface SecondCount {
  readonly subject: string
  readonly bucket: string
  readonly secondMs: number
  calls: number
}

/**
 * Counts the admitted calls of each second, and keeps the second of each day with the most. Counts only grow, so the
 * peak of a day is the largest count that any second of it has had.
 */
export class RateCounts {
  readonly #addSecond
  readonly #setPeak
  readonly #forget
  #counts = new Map<string, SecondCount>()
  #latest:
    | { readonly terms: UsageRecord; readonly secondMs: number; readonly counts: readonly SecondCount[] }
    | undefined

  constructor(db: Sqlite) {
    this.#addSecond = db
      .prepare<unknown[], number>(
        `INSERT INTO rate_seconds VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET calls = calls + excluded.calls RETURNING calls`,
      )
      .pluck()
    this.#setPeak = db.prepare(
      `INSERT INTO rate_peaks VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET second_ms = excluded.second_ms, calls = excluded.calls
       WHERE excluded.calls > calls`,
    )
    this.#forget = db.prepare('DELETE FROM rate_seconds WHERE subject = ? AND bucket = ? AND second_ms < ?')
  }

  /** Adds a call that the log did not have. `flush` writes the counts. */
  add({ terms, timeMs }: JournalCall): void {
    const secondMs = timeMs - (timeMs % 1000)
    if (this.#latest?.terms !== terms || this.#latest.secondMs !== secondMs) {
      const counts = bucketsOf(terms).map(bucket =>
        this.#counts.getOrInsertComputed(`${secondMs} ${bucket} ${terms.subject}`, () => ({
          subject: terms.subject,
          bucket,
          secondMs,
          calls: 0,
        })),
      )
      this.#latest = { terms, secondMs, counts }
    }
    for (const count of this.#latest.counts) count.calls++
  }

  flush(): void {
    const newest = new Map<string, SecondCount>()
    for (const count of this.#counts.values()) {
      const { subject, bucket, secondMs } = count
      const calls = this.#addSecond.get(subject, bucket, secondMs, count.calls)!
      this.#setPeak.run(subject, bucket, secondMs - (secondMs % dayMs), secondMs, calls)
      const name = `${bucket} ${subject}`
      if (secondMs >= (newest.get(name)?.secondMs ?? 0)) newest.set(name, count)
    }
    for (const { subject, bucket, secondMs } of newest.values())
      this.#forget.run(subject, bucket, secondMs - keptSecondsMs)
    this.#counts = new Map()
    this.#latest = undefined
  }
}

/** Returns the buckets from which a call was taken. Records of some calls have no states of limits. */
function bucketsOf({ marks, status, operation }: UsageRecord): readonly string[] {
  if (status === 429) return []
  if (marks.length > 0) return marks.map(({ bucket }) => bucket)
  return status >= 400 ? [] : [searchOperations.includes(operation) ? 'search' : 'package']
}

/** Returns a function that deletes peaks that are older than the calls of the log and than a month. */
export function createPeakPruning(db: Sqlite): (newestMs: number, beforeMs: number) => number {
  const remove = db.prepare<[number]>('DELETE FROM rate_peaks WHERE day_ms < ?')
  return (newestMs, beforeMs) => remove.run(Math.min(newestMs - keptPeaksMs, beforeMs) - dayMs).changes
}

/** Returns the second with the most calls of each subject and bucket; the latest one of several. */
export function listPeakRates(prepare: Prepare, { subjects, fromMs }: PeakRateQuery): PeakRate[] {
  const rows = prepare<unknown[], PeakRate>(
    `SELECT subject, bucket, second_ms AS secondMs, calls FROM rate_peaks
     WHERE subject IN (SELECT value FROM json_each(?)) AND day_ms >= ? AND second_ms >= ?
     ORDER BY calls, second_ms`,
  ).all(JSON.stringify(subjects), fromMs - (fromMs % dayMs), fromMs)
  return [...new Map(rows.map(row => [`${row.bucket} ${row.subject}`, row])).values()]
}
