import type { JournalCall } from '../../domain/journal-call.ts'
import type { PeakRate, PeakRateQuery } from '../../domain/request-log.ts'
import { dayMs } from '../../kit/time.ts'
import type { Sqlite } from '../connection.ts'
import { keptPeaksMs, keptSecondsMs, type SecondCount, SecondCounts } from '../rows/second-counts.ts'
import type { Prepare } from '../statement-cache.ts'

/**
 * Counts the admitted calls of each second, and keeps the second of each day with the most. Counts only grow, so the
 * peak of a day is the largest count that any second of it has had.
 */
export class RateCounts {
  readonly #addSecond
  readonly #setPeak
  readonly #forget
  readonly #counts = new SecondCounts()

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
  add(call: JournalCall): void {
    this.#counts.add(call)
  }

  flush(): void {
    const newest = new Map<string, SecondCount>()
    for (const count of this.#counts.take()) {
      const { subject, bucket, secondMs } = count
      const calls = this.#addSecond.get(subject, bucket, secondMs, count.calls)!
      this.#setPeak.run(subject, bucket, secondMs - (secondMs % dayMs), secondMs, calls)
      const name = `${bucket} ${subject}`
      if (secondMs >= (newest.get(name)?.secondMs ?? 0)) newest.set(name, count)
    }
    for (const { subject, bucket, secondMs } of newest.values())
      this.#forget.run(subject, bucket, secondMs - keptSecondsMs)
  }
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
