import {
  type AuditedState,
  type Fold,
  type Ledger,
  openEnd,
  type StoredState,
  type UsageCursor,
  type UsageQuery,
  type UsageRow,
} from '../../domain/ledger.ts'
import type { Sqlite } from './sqlite.ts'

interface Row {
  from_ms: number
  partner_id: string
  key_id: string
  operation: string
  version: string
  version_explicit: number
  status: number
  billable: number
  calls: number
  units: number
}

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

interface PositionRow {
  position: UsageCursor
  last_ms: number | null
  last_shift_ms: number | null
}

const windowMs = 86_400_000

/** Opens the ledger in control.sqlite, for one folding thread and any number of readers. */
export function createSqliteLedger(control: Sqlite): Ledger {
  const position = control.prepare<[], PositionRow>('SELECT position, last_ms, last_shift_ms FROM usage_position')
  const updatePosition = control.prepare<[UsageCursor, number, number]>(
    'UPDATE usage_position SET position = ?, last_ms = ?, last_shift_ms = ?',
  )
  const resetClock = control.prepare<[number]>('UPDATE usage_position SET last_ms = ?, last_shift_ms = 0')
  const addSlot = rollUpInto(control, 'usage_slots')
  const addDay = rollUpInto(control, 'usage_days')
  const { fold: foldState, replace: replaceState, live } = stateStatements(control)

  const commit = control.transaction((fold: Fold): 'committed' | 'stale' => {
    if (position.get()!.position !== fold.from) return 'stale'
    for (const row of fold.rows) {
      addSlot(row, row.fromMs)
      addDay(row, row.fromMs - (row.fromMs % windowMs))
    }
    for (const state of fold.states) foldState.run(columnsOf(state, 0))
    updatePosition.run(fold.to, fold.last.timeMs, fold.last.shiftMs)
    return 'committed'
  })
  const readPosition = () => position.get()!.position
  const readStates = (nowMs: number) => live.all({ since: nowMs - windowMs, nowUs: nowMs * 1000 }).map(stateOf)
  const readAll = control.transaction(() => {
    const allTime = { fromMs: 0, toMs: openEnd }
    return {
      position: readPosition(),
      slots: read(control, 'usage_slots', allTime),
      days: read(control, 'usage_days', allTime),
      states: readStates(0),
    }
  })
  const rebase = control.transaction((states: readonly StoredState[], nowMs: number) => {
    for (const state of states) replaceState.run(columnsOf(state, state.used))
    resetClock.run(nowMs)
  })

  return {
    position: async () => readPosition(),
    last: async () => {
      const { last_ms: timeMs, last_shift_ms: shiftMs } = position.get()!
      return timeMs === null ? undefined : { timeMs, shiftMs: shiftMs ?? 0 }
    },
    commit: async fold => commit.immediate(fold),
    slots: async query => read(control, 'usage_slots', query),
    days: async query => read(control, 'usage_days', query),
    readAll: async () => readAll(),
    states: async nowMs => readStates(nowMs),
    rebase: async (states, nowMs) => rebase.immediate(states, nowMs),
  }
}

type RollUp = 'usage_slots' | 'usage_days'

function rollUpInto(control: Sqlite, table: RollUp): (row: UsageRow, fromMs: number) => void {
  const add = control.prepare(
    `INSERT INTO ${table} (from_ms, partner_id, key_id, operation, version, version_explicit, status, billable, calls, units)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, units = units + excluded.units`,
  )
  return (row, fromMs) => {
    const { partnerId, keyId, operation, version, versionExplicit, status, billable, calls, units } = row
    add.run(
      fromMs,
      partnerId,
      keyId,
      operation,
      version,
      Number(versionExplicit),
      status,
      Number(billable),
      calls,
      units,
    )
  }
}

function read(control: Sqlite, table: RollUp, query: UsageQuery): UsageRow[] {
  const conditions = ['from_ms >= @fromMs', 'from_ms < @toMs']
  if (query.keyId !== undefined) conditions.push('key_id = @keyId')
  if (query.partnerId !== undefined) conditions.push('partner_id = @partnerId')
  const rows = control.prepare<[UsageQuery], Row>(`SELECT * FROM ${table} WHERE ${conditions.join(' AND ')}`).all(query)
  return rows.map(row => ({
    fromMs: row.from_ms,
    partnerId: row.partner_id,
    keyId: row.key_id,
    operation: row.operation,
    version: row.version,
    versionExplicit: row.version_explicit === 1,
    status: row.status,
    billable: row.billable === 1,
    calls: row.calls,
    units: row.units,
  }))
}

function stateStatements(control: Sqlite) {
  const insert = `INSERT INTO limit_states
    VALUES (@subject, @bucket, @windowStartMs, @used, @carried, @tatUs, @firstRefusalUs, @promiseUs, @strikes, @struckUs)
    ON CONFLICT DO UPDATE SET tat_us = excluded.tat_us, first_refusal_us = excluded.first_refusal_us,
      promise_us = excluded.promise_us, strikes = excluded.strikes, struck_us = excluded.struck_us,`
  return {
    // Like Sums in usage/fold.ts: units add up within a window, and a later window replaces an earlier one.
    fold: control.prepare(`${insert}
      used = CASE WHEN excluded.window_start_ms > window_start_ms THEN excluded.used
                  WHEN excluded.window_start_ms = window_start_ms THEN used + excluded.used ELSE used END,
      carried = CASE WHEN excluded.window_start_ms > window_start_ms THEN 0 ELSE carried END,
      window_start_ms = max(window_start_ms, excluded.window_start_ms)`),
    replace: control.prepare(
      `${insert} used = excluded.used, carried = excluded.carried, window_start_ms = excluded.window_start_ms`,
    ),
    live: control.prepare<[{ since: number; nowUs: number }], StateRow>(
      'SELECT * FROM limit_states WHERE window_start_ms > @since OR tat_us > @nowUs OR strikes IS NOT NULL',
    ),
  }
}

const columnsOf = (state: StoredState, carried: number) => ({
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

const stateOf = (row: StateRow): AuditedState => ({
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
