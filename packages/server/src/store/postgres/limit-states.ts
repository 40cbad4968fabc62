import { followedWithinMs } from '../../domain/key-stores.ts'
import type { CheckedState, FoldedState, StoredState } from '../../domain/ledger.ts'
import { type LimitStateRow, limitStateColumns, limitStateOf } from '../sql/limit-states.ts'
import type { PostgresSession } from './pool.ts'
import { toNumbers } from './sql-database.ts'

const insert = `
  INSERT INTO limit_states AS known (subject, bucket, window_start_ms, used, carried, tat_us, first_refusal_us,
    promise_us, strikes, struck_us, last_us, node)
  SELECT *, $12::uuid FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
    $7::bigint[], $8::bigint[], $9::integer[], $10::bigint[], $11::bigint[])
  ON CONFLICT (subject, bucket) DO UPDATE SET`

const penalty = ['first_refusal_us', 'promise_us', 'strikes', 'struck_us']
const penaltyOf = (row: string) => penalty.map(column => `${row}.${column}`).join(', ')

/**
 * True for the node that wrote the row last, if it does not share limits: its states are complete. With shared limits,
 * a node may have written last by a merge of what it knows (limit-merge.ts).
 */
const isComplete = 'known.node = excluded.node AND excluded.last_us = 0'

/** Time up to which the penalties of a subject (getSubject) are forgiven, in microseconds since 1970. */
const forgivenUs = `(
  SELECT coalesce(max(at_ms + ${followedWithinMs}) * 1000, -1)
  FROM forgiven_penalties JOIN keys ON keys.id = key_id
  WHERE known.subject =
    CASE agreement::jsonb ->> 'subject' WHEN 'partner' THEN 'partner/' || partner_id ELSE keys.id END)`

/** The fuller bucket and the later promise of two states count, so that no state becomes milder unless forgiven. */
const fold = `${insert}
  (window_start_ms, used, carried) = (SELECT * FROM merge_window(known.window_start_ms, known.used, known.carried,
    excluded.window_start_ms, excluded.used, excluded.carried)),
  tat_us = CASE WHEN ${isComplete} THEN excluded.tat_us ELSE greatest(known.tat_us, excluded.tat_us) END,
  (${penalty.join(', ')}) = (
    SELECT f, p, n, s FROM (VALUES (${penaltyOf('known')}, false), (${penaltyOf('excluded')}, true))
      AS one (f, p, n, s, is_new)
    WHERE CASE WHEN ${isComplete} THEN is_new WHEN f IS NULL THEN false ELSE greatest(f, s) > ${forgivenUs} END
    ORDER BY p DESC, s DESC, n DESC, f DESC LIMIT 1),
  last_us = greatest(known.last_us, excluded.last_us), node = excluded.node
  RETURNING *`

const replace = `${insert}
  window_start_ms = excluded.window_start_ms, used = excluded.used, carried = excluded.carried,
  tat_us = excluded.tat_us, (${penalty.join(', ')}) = (SELECT ${penaltyOf('excluded')}), node = excluded.node`

const bySubject = (a: StoredState, b: StoredState) => compare(a.subject, b.subject) || compare(a.bucket, b.bucket)
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

const valuesOf = (node: string, states: readonly FoldedState[], carriedOf: (state: FoldedState) => number) => {
  const columns = states
    .toSorted(bySubject)
    .map(state => [...Object.values(limitStateColumns(state, carriedOf(state))), state.lastUs ?? 0])
  return [...columns[0]!.map((_, i) => columns.map(values => values[i])), node]
}

/** Adds the states of a fold to the stored ones, and returns these as they are afterwards. */
export async function foldStates(
  session: PostgresSession,
  node: string,
  states: readonly FoldedState[],
): Promise<CheckedState[]> {
  if (states.length === 0) return []
  const rows = await session.query<Record<string, unknown>>(
    fold,
    valuesOf(node, states, ({ carried }) => carried ?? 0),
  )
  return (toNumbers(rows) as unknown as LimitStateRow[]).map(limitStateOf)
}

/** Replaces states by those that a restart has changed; all units of their windows are carried. */
export async function replaceStates(
  session: PostgresSession,
  node: string,
  states: readonly StoredState[],
): Promise<void> {
  if (states.length > 0)
    await session.run(
      replace,
      valuesOf(node, states, ({ used }) => used),
    )
}
