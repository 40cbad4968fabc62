import type { ChangeRecord } from '../../domain/change-record.ts'
import type { EventDraft } from '../../domain/event.ts'
import type { Sqlite } from '../connection.ts'
import { writeEvents, writeRecord } from '../sql/change-record.ts'
import { performOn } from './sql-database.ts'

/**
 * Returns a function that writes the record of a change to control.sqlite. Call it in the transaction of the change.
 */
export function createRecordWriter(control: Sqlite): (record: ChangeRecord) => void {
  const perform = performOn(control)
  return record => perform(writeRecord(record))
}

/** Returns a function that adds events to the outbox unless they are there. Call it in a transaction. */
export function createEventWriter(control: Sqlite): (events: readonly EventDraft[]) => void {
  const perform = performOn(control)
  return events => perform(writeEvents(events))
}
