import type { StoredState } from '../../domain/ledger.ts'
import type { Sqlite } from '../connection.ts'
import { type LimitStateRow, limitStateOf } from '../sql/limit-states.ts'

/** Prepares the statements that store the states of limits, and read one of them. */
export function stateStatements(control: Sqlite) {
  const one = control.prepare<[string, string], LimitStateRow>(
    'SELECT * FROM limit_states WHERE subject = ? AND bucket = ?',
  )
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
    readState: ({ subject, bucket }: StoredState) => limitStateOf(one.get(subject, bucket)!),
  }
}
