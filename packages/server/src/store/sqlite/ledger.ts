import {
  type Fold,
  type FoldedFile,
  type FoldedUse,
  type LastRecord,
  type Ledger,
  openEnd,
  type ProcessClock,
  rollUpPeriodsMs,
  type StoredState,
  type SumPiece,
  type UsageCursor,
  type UsageQuery,
  type UsageRow,
} from '../../domain/ledger.ts'
import { windowMs } from '../../domain/quota-window.ts'
import { toUtcDay } from '../../kit/time.ts'
import type { Sqlite } from '../connection.ts'
import { createEventWriter } from './change-record.ts'
import { limitStateColumns, stateOf, stateStatements } from './limit-states.ts'
import { filterConditions, usageSums } from './usage-sums.ts'

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

interface PositionRow {
  position: UsageCursor
  last_ms: number | null
  last_shift_ms: number | null
  start_ms: number | null
  boot_id: string | null
  boot_us: number | null
  behind_ms: number
}

interface FileRow {
  file: number
  bytes: number
  calls: number
  first_ms: number | null
  last_ms: number | null
  state: FoldedFile['state']
}

type FoldEvents = NonNullable<Parameters<Ledger['commit']>[1]>

/** Opens the ledger in control.sqlite, for one folding thread and any number of readers. */
export function createSqliteLedger(control: Sqlite): Ledger {
  const position = control.prepare<[], PositionRow>('SELECT * FROM usage_position')
  const { updatePosition, updateLast, updateClock } = positionStatements(control)
  const { readFiles, putFile } = fileStatements(control)
  const putUse = useStatements(control)
  const addRows = rollUpStatements(control)
  const { fold: foldState, replace: replaceState, live, readState } = stateStatements(control)

  const write = createEventWriter(control)
  const commit = control.transaction((fold: Fold, eventsOf?: FoldEvents): 'committed' | 'stale' => {
    if (position.get()!.position !== fold.from) return 'stale'
    addRows(fold.rows)
    for (const state of fold.states) foldState.run(limitStateColumns(state, 0))
    for (const file of fold.files) putFile(file)
    for (const use of fold.uses) putUse(use)
    updatePosition.run(fold.to)
    if (fold.last) updateLast.run(fold.last)
    if (eventsOf) for (const event of eventsOf(fold.states.map(readState))) write(event)
    return 'committed'
  })
  const readPosition = () => position.get()!.position
  const readStates = (nowMs: number) => live.all({ since: nowMs - windowMs, nowUs: nowMs * 1000 }).map(stateOf)
  const readAll = control.transaction(() => {
    const allTime = { fromMs: 0, toMs: openEnd }
    return {
      position: readPosition(),
      files: readFiles(),
      slots: read(control, 'slots', allTime),
      eighths: read(control, 'eighths', allTime),
      days: read(control, 'days', allTime),
      states: readStates(0),
    }
  })
  const rebase = control.transaction((states: readonly StoredState[], nowMs: number, clock?: ProcessClock) => {
    for (const state of states) replaceState.run(limitStateColumns(state, state.used))
    updateLast.run({ timeMs: nowMs, shiftMs: 0 })
    const { startMs = nowMs, boot, behindMs = 0 } = clock ?? {}
    updateClock.run({ startMs, bootId: boot?.id ?? null, bootUs: boot?.us ?? null, behindMs })
  })
  const markFiles = control.transaction((files: readonly FoldedFile[]) => {
    for (const file of files) putFile(file)
  })

  return {
    position: async () => readPosition(),
    files: async () => readFiles(),
    last: async () => lastOf(position.get()!),
    clock: async () => clockOf(position.get()!),
    commit: async (fold, eventsOf) => commit.immediate(fold, eventsOf),
    markFiles: async files => markFiles.immediate(files),
    slots: async query => read(control, 'slots', query),
    days: async query => read(control, 'days', query),
    ...usageSums(control),
    readAll: async () => readAll(),
    states: async nowMs => readStates(nowMs),
    rebase: async (states, nowMs, clock) => rebase.immediate(states, nowMs, clock),
  }
}

const positionStatements = (control: Sqlite) => ({
  updatePosition: control.prepare<[UsageCursor]>('UPDATE usage_position SET position = ?'),
  updateLast: control.prepare<[LastRecord]>('UPDATE usage_position SET last_ms = @timeMs, last_shift_ms = @shiftMs'),
  updateClock: control.prepare<[{ startMs: number; bootId: string | null; bootUs: number | null; behindMs: number }]>(
    'UPDATE usage_position SET start_ms = @startMs, boot_id = @bootId, boot_us = @bootUs, behind_ms = @behindMs',
  ),
})

const lastOf = ({ last_ms: timeMs, last_shift_ms: shiftMs }: PositionRow): LastRecord | undefined =>
  timeMs === null ? undefined : { timeMs, shiftMs: shiftMs ?? 0 }

function clockOf({ start_ms, boot_id, boot_us, behind_ms }: PositionRow): ProcessClock | undefined {
  if (start_ms === null) return undefined
  const boot = boot_id === null || boot_us === null ? undefined : { id: boot_id, us: boot_us }
  return { startMs: start_ms, boot, behindMs: behind_ms }
}

/**
 * Returns a function that stores the latest use of a key. Files of the journal can be folded late: an earlier day
 * changes nothing.
 */
function useStatements(control: Sqlite): (use: FoldedUse) => void {
  const putKey = control.prepare<[{ keyId: string; day: string; version: string }]>(
    `UPDATE keys SET last_used_day = @day, last_used_version = @version WHERE id = @keyId
       AND coalesce(last_used_day, '') <= @day AND (last_used_day IS NOT @day OR last_used_version IS NOT @version)`,
  )
  const putSecret = control.prepare<[{ keyId: string; id: number; day: string; calls: number; latestMs: number }]>(
    `UPDATE key_secrets SET calls = calls + @calls, last_used_day = max(coalesce(last_used_day, ''), @day),
       last_used_ms = max(coalesce(last_used_ms, 0), @latestMs)
     WHERE key_id = @keyId AND id = @id`,
  )
  return ({ keyId, day, version, secrets }) => {
    putKey.run({ keyId, day, version })
    for (const { id, calls, latestMs } of secrets)
      putSecret.run({ keyId, id: Number(id), day: toUtcDay(latestMs), calls, latestMs })
  }
}

function fileStatements(control: Sqlite) {
  const select = control.prepare<[], FileRow>('SELECT * FROM usage_files ORDER BY file')
  const replace = control.prepare<[FileRow]>(
    'INSERT OR REPLACE INTO usage_files VALUES (@file, @bytes, @calls, @first_ms, @last_ms, @state)',
  )
  const toColumn = (ms: number) => (ms === Number.POSITIVE_INFINITY ? null : ms)
  const fromColumn = (ms: number | null) => ms ?? Number.POSITIVE_INFINITY
  return {
    readFiles: (): FoldedFile[] =>
      select.all().map(({ first_ms, last_ms, ...row }) => ({
        ...row,
        firstMs: fromColumn(first_ms),
        lastMs: fromColumn(last_ms),
      })),
    putFile: ({ firstMs, lastMs, ...row }: FoldedFile): void =>
      void replace.run({ ...row, first_ms: toColumn(firstMs), last_ms: toColumn(lastMs) }),
  }
}

type RollUp = SumPiece['rollUp']

/** Returns a function that adds rows by slot to all roll-ups. */
function rollUpStatements(control: Sqlite): (rows: readonly UsageRow[]) => void {
  const addSlot = rollUpInto(control, 'slots')
  const addEighth = rollUpInto(control, 'eighths')
  const addDay = rollUpInto(control, 'days')
  return rows => {
    for (const row of rows) {
      addSlot(row, row.fromMs)
      addEighth(row, row.fromMs - (row.fromMs % rollUpPeriodsMs.eighths))
      addDay(row, row.fromMs - (row.fromMs % rollUpPeriodsMs.days))
    }
  }
}

function rollUpInto(control: Sqlite, rollUp: RollUp): (row: UsageRow, fromMs: number) => void {
  const add = control.prepare(
    `INSERT INTO usage_${rollUp}
       (from_ms, partner_id, key_id, operation, version, version_explicit, status, billable, calls, units)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, units = units + excluded.units`,
  )
  return (row, fromMs) => {
    const { partnerId, keyId, operation, version, versionExplicit, status, billable, calls, units } = row
    const flags = [Number(versionExplicit), status, Number(billable)]
    add.run(fromMs, partnerId, keyId, operation, version, ...flags, calls, units)
  }
}

function read(control: Sqlite, rollUp: RollUp, query: UsageQuery): UsageRow[] {
  const conditions = ['from_ms >= @fromMs', 'from_ms < @toMs', ...filterConditions(query)]
  const rows = control
    .prepare<[UsageQuery], Row>(`SELECT * FROM usage_${rollUp} WHERE ${conditions.join(' AND ')}`)
    .all(query)
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
