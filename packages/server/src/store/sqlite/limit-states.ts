import type { CheckedState, StoredState } from '../../domain/ledger.ts'
import type { Sqlite } from '../connection.ts'

interface StateRow {
  subject: string
  bucket: StoredState['bucket']
  window_start_ms: number
  used: number
  carried: number
  tat_us: number
  first_refusal_us: number | null
  promise_us: number | null
  strikes: number | null
  struck_us: number | null
}

/** Prepares the statements that store and read the states of limits. */
export function stateStatements(control: Sqlite) {
  const one = control.prepare<[string, string], StateRow>('SELECT * FROM limit_states WHERE subject = ? AND bucket = ?')
  const insert = `INSERT INTO limit_states
    VALUES (@subject, @bucket, @windowStartMs, @used, @carried,
      @tatUs, @firstRefusalUs, @promiseUs, @strikes, @struckUs)
    ON CONFLICT DO UPDATE SET tat_us = excluded.tat_us, first_refusal_us = excluded.first_refusal_us,
      promise_us = excluded.promise_us, strikes = excluded.strikes, struck_us = excluded.struck_us,`
  return {
    // Like Sums in usage/sums.ts: units add up within a window, and a later window replaces an earlier one.
    fold: control.prepare(`${insert}
      used = CASE WHEN excluded.window_start_ms > window_start_ms THEN excluded.used
                  WHEN excluded.window_start_ms = window_start_ms THEN used + excluded.used ELSE used END,
      carried = CASE WHEN excluded.window_start_ms > window_start_ms THEN 0 ELSE carried END,
      window_start_ms = max(window_start_ms, excluded.window_start_ms)`),
    replace: control.prepare(
      `${insert} used = excluded.used, carried = excluded.carried, window_start_ms = excluded.window_start_ms`,
    ),
    readState: ({ subject, bucket }: StoredState) => stateOf(one.get(subject, bucket)!),
    live: control.prepare<[{ since: number; nowUs: number }], StateRow>(
      'SELECT * FROM limit_states WHERE window_start_ms > @since OR tat_us > @nowUs OR strikes IS NOT NULL',
    ),
  }
}

/** Returns the columns of a state; `carried`: see `CheckedState`. */
export const limitStateColumns = (state: StoredState, carried: number) => ({
  subject: state.subject,
  bucket: state.bucket,
  windowStartMs: state.windowStartMs,
  used: state.used,
  carried,
  tatUs: state.tatUs,
  firstRefusalUs: state.penalty?.firstRefusalUs ?? null,
  promiseUs: state.penalty?.promiseUs ?? null,
  strikes: state.penalty?.strikes ?? null,
  struckUs: state.penalty?.struckUs ?? null,
})

/** Returns the state of a row. */
export const stateOf = (row: StateRow): CheckedState => ({
  subject: row.subject,
  bucket: row.bucket,
  windowStartMs: row.window_start_ms,
  used: row.used,
  carried: row.carried,
  tatUs: row.tat_us,
  ...(row.first_refusal_us !== null && {
    penalty: {
      firstRefusalUs: row.first_refusal_us,
      promiseUs: row.promise_us ?? 0,
      strikes: row.strikes ?? 0,
      struckUs: row.struck_us ?? 0,
    },
  }),
})
