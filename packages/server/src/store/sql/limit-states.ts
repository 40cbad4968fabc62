import type { CheckedState, StoredState } from '../../domain/ledger.ts'
import { windowMs } from '../../domain/quota-window.ts'
import { all, type SqlWork } from './database.ts'

/** A row of the table of limit states. */
export interface LimitStateRow {
  readonly subject: string
  readonly bucket: StoredState['bucket']
  readonly window_start_ms: number
  readonly used: number
  readonly carried: number
  readonly tat_us: number
  readonly first_refusal_us: number | null
  readonly promise_us: number | null
  readonly strikes: number | null
  readonly struck_us: number | null
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
export const limitStateOf = (row: LimitStateRow): CheckedState => ({
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

/** Reads every state that may still have an effect at `nowMs`. */
export function* readLimitStates(nowMs: number): SqlWork<CheckedState[]> {
  const rows = yield* all<LimitStateRow>(
    'SELECT * FROM limit_states WHERE window_start_ms > @since OR tat_us > @nowUs OR strikes IS NOT NULL',
    { since: nowMs - windowMs, nowUs: nowMs * 1000 },
  )
  return rows.map(limitStateOf)
}
