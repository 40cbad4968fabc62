import {
  type CommittedFold,
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
  type UsageRow,
} from '../../domain/ledger.ts'
import { toUtcDay } from '../../kit/time.ts'
import type { Sqlite } from '../connection.ts'
import { limitStateColumns, readLimitStates } from '../sql/limit-states.ts'
import { readUsageFiles, type UsageFileRow, usageFileColumns } from '../sql/usage-files.ts'
import { clockColumns, clockOf, lastRecordOf, type UsagePositionRow } from '../sql/usage-position.ts'
import { readUsage } from '../sql/usage-rows.ts'
import { readSpan, sumUsage } from '../sql/usage-sums.ts'
import { createEventWriter } from './change-record.ts'
import { stateStatements } from './limit-states.ts'
import { performOn } from './sql-database.ts'

type FoldEvents = NonNullable<Parameters<Ledger['commit']>[1]>

/** Opens the ledger in control.sqlite, for one folding thread and any number of readers. */
export function createSqliteLedger(control: Sqlite): Ledger {
  const perform = performOn(control)
  const position = control.prepare<[], UsagePositionRow>('SELECT * FROM usage_position')
  const { updatePosition, updateLast, updateClock } = positionStatements(control)
  const putFile = fileStatement(control)
  const putUse = useStatements(control)
  const addRows = rollUpStatements(control)
  const { fold: foldState, replace: replaceState, readState } = stateStatements(control)

  const write = createEventWriter(control)
  const commit = control.transaction((fold: Fold, eventsOf?: FoldEvents): CommittedFold | 'stale' => {
    if (position.get()!.position !== fold.from) return 'stale'
    addRows(fold.rows)
    for (const state of fold.states) foldState.run(limitStateColumns(state, 0))
    for (const file of fold.files) putFile(file)
    for (const use of fold.uses) putUse(use)
    updatePosition.run(fold.to)
    if (fold.last) updateLast.run(fold.last)
    if (eventsOf) write(eventsOf(fold.states.map(readState)))
    return { late: 0 }
  })
  const readPosition = () => position.get()!.position
  const readAll = control.transaction(() => {
    const allTime = { fromMs: 0, toMs: openEnd }
    return {
      position: readPosition(),
      files: perform(readUsageFiles()),
      others: [],
      slots: perform(readUsage('slots', allTime)),
      eighths: perform(readUsage('eighths', allTime)),
      days: perform(readUsage('days', allTime)),
      states: perform(readLimitStates(0)),
    }
  })
  const sumAll = control.transaction((...query: Parameters<Ledger['sum']>) => perform(sumUsage(...query)))
  const rebase = control.transaction((states: readonly StoredState[], nowMs: number, clock?: ProcessClock) => {
    for (const state of states) replaceState.run(limitStateColumns(state, state.used))
    updateLast.run({ timeMs: nowMs, shiftMs: 0 })
    updateClock.run(clockColumns(nowMs, clock))
  })
  const markFiles = control.transaction((files: readonly FoldedFile[]) => {
    for (const file of files) putFile(file)
  })

  return {
    position: async () => readPosition(),
    files: async () => perform(readUsageFiles()),
    last: async () => lastRecordOf(position.get()!),
    clock: async () => clockOf(position.get()!),
    commit: async (fold, eventsOf) => commit.immediate(fold, eventsOf),
    markFiles: async files => markFiles.immediate(files),
    slots: async query => perform(readUsage('slots', query)),
    days: async query => perform(readUsage('days', query)),
    sum: async (...query) => sumAll(...query),
    span: async () => perform(readSpan()),
    readAll: async () => readAll(),
    states: async nowMs => perform(readLimitStates(nowMs)),
    rebase: async (states, nowMs, clock) => rebase.immediate(states, nowMs, clock),
  }
}

const positionStatements = (control: Sqlite) => ({
  updatePosition: control.prepare<[UsageCursor]>('UPDATE usage_position SET position = ?'),
  updateLast: control.prepare<[LastRecord]>('UPDATE usage_position SET last_ms = @timeMs, last_shift_ms = @shiftMs'),
  updateClock: control.prepare<[ReturnType<typeof clockColumns>]>(
    'UPDATE usage_position SET start_ms = @startMs, boot_id = @bootId, boot_us = @bootUs, behind_ms = @behindMs',
  ),
})

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

/** Returns a function that stores the state of a file of the journal. */
function fileStatement(control: Sqlite): (file: FoldedFile) => void {
  const replace = control.prepare<[UsageFileRow]>(
    'INSERT OR REPLACE INTO usage_files VALUES (@file, @bytes, @calls, @first_ms, @last_ms, @state)',
  )
  return file => void replace.run(usageFileColumns(file))
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
